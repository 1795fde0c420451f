import CMultiIdentity
import Synchronization

/// Shows profilers outside the process whose work this thread runs: by one pointer to the record of the identity (OTEP 4947).
///
/// A record lives as long as its identity, which what is bound keeps alive; so a binding ends only after its record is hidden.
package enum ThreadContext: Sendable {
    package static var isOn: Bool { BindingFeatures.inUse.contains(.threadContext) }

    /// What can be in the way.
    package enum Obstacle: Sendable { case notLinked, taken, notSupported }

    /// Returns what is in the way; `nil` if it is on.
    package static func turnOn() -> Obstacle? {
        lock.withLock { _ in
            switch mi_thread_context_start() {
            case mi_thread_context_is_on:
                BindingFeatures.insert(.threadContext)
                return nil
            case mi_thread_context_is_not_linked: return .notLinked
            case mi_thread_context_is_taken: return .taken
            default: return .notSupported
            }
        }
    }

    /// Shows nothing from now on; what began before is shown until it ends.
    package static func turnOff() {
        lock.withLock { _ in
            BindingFeatures.set(.threadContext, to: false)
            mi_thread_context_stop()
        }
    }

    private static let lock = Locked(())

    package static func pseudonym(of identity: Identity) -> String? {
        IdentityPseudonyms.shared.pseudonym(of: identity)
    }

    package static func identity(of pseudonym: String) -> Identity? {
        IdentityPseudonyms.shared.name(of: pseudonym).flatMap { try? Identity($0) }
    }

    /// Shows the identity of work of these bits, whose frame is the given one.
    @inline(__always)
    static func show(_ captured: UInt, _ frame: Borrowed<BindingFrame>?) {
        let spelling =
            if let frame {
                frame.read { $0.origin.contents.identity.map { Borrowed($0.spelling) } }
            } else {
                ThreadMirror.snapshot(of: captured).plainIdentity.map { Borrowed($0.spelling) }
            }
        mi_thread_context_show(spelling.flatMap(record))
    }

    /// Shows the identity of a run of a task.
    static func show(_ bound: IdentitySnapshot?) { mi_thread_context_show(record(of: bound?.identity)) }

    /// Hides what is shown if it is another identity than that of asynchronous code that begins here: Swift does not report when
    /// that leaves this thread.
    @inline(never)
    static func hide(unlessOf identity: Identity?) {
        guard let shown = mi_thread_context_shown() else { return }
        if shown != record(of: identity) { mi_thread_context_show(nil) }
    }

    /// The record of an identity; `nil` if there is none, or nobody.
    fileprivate static func record(of identity: Identity?) -> UnsafeRawPointer? {
        identity.flatMap { record(of: Borrowed($0.spelling)) }
    }

    // Borrowed throughout, since what is bound keeps the identity alive: retaining it would take longer than all the rest.
    @inline(__always)
    static func record(of spelling: Borrowed<IdentitySpelling>) -> UnsafeRawPointer? {
        let known = spelling.read { Borrowed($0.record) }.read { $0.threadContext.load(ordering: .acquiring) }
        return UnsafeRawPointer(bitPattern: known == 0 ? publish(spelling) : known)
    }

    @inline(never)
    private static func publish(_ spelling: Borrowed<IdentitySpelling>) -> UInt {
        IdentityPseudonyms.shared.publish(Identity(spelling: spelling.object))
    }
}

/// A scope that has more to do when it closes: to charge its surroundings again, and to show their identity.
enum NotedScope: Sendable {
    /// Opens a scope; returns false if there is nothing to do.
    static func open(for identity: Identity?) -> Bool {
        let features = BindingFeatures.inUse
        let isCharged =
            features.contains(.accounts) && mi_scope_has_room() && IdentityAccounting.open(for: identity)
        let isShown = features.contains(.threadContext)
        if isCharged || isShown {
            mi_scope_open(isCharged, isShown, isShown ? ThreadContext.record(of: identity) : nil)
        }
        return isCharged || isShown
    }

    static func close() { mi_scope_close() }
}

extension IdentitySnapshot {
    /// The identity of a snapshot without a frame.
    var plainIdentity: Identity? { if case .identity(let identity) = held { identity } else { nil } }

    /// Returns what asynchronous code binds as a scope.
    @usableFromInline
    static func bindingOfTask(_ identity: Identity?, _ fileID: StaticString, _ line: UInt) -> IdentitySnapshot {
        bindingOfTask(identity, nil, fileID, line)
    }

    /// Returns the same for a scope with limits of its own.
    static func bindingOfTask(
        _ identity: Identity?,
        _ limits: WorkLimits?,
        _ fileID: StaticString,
        _ line: UInt
    ) -> IdentitySnapshot {
        let scope = binding(identity, limits, fileID, line)
        TaskRun.scopeBegins(scope)
        return scope
    }
}
