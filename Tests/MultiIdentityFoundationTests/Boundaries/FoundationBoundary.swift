import Dispatch
import Foundation
import Testing

@testable import MultiIdentity

/// One way in which Foundation takes work and runs it later, as data: the suites hold every promise for each.
struct FoundationBoundary: Sendable, CustomTestStringConvertible {
    typealias Work = @Sendable () -> Void

    /// The moment at which a boundary captures: when it is given the work, or only with what sets the work off.
    enum CapturePoint: Sendable {
        case given, setOff
    }

    /// The number of times that the work runs.
    enum Lifetime: Sendable {
        /// Once, and is let go of then, though what ran it is kept.
        case once
        /// As often as it is set off, until it is ended.
        case reusable
    }

    /// Work that a boundary was given, on the thread that gave it.
    struct Given {
        /// Has the work run once more; on a worker elsewhere it may run after this has returned.
        let setOff: () -> Void
        /// Ends it, whether it ran or not: invalidates, removes, cancels.
        let end: () -> Void

        init(setOff: @escaping () -> Void, end: @escaping () -> Void = {}) {
            self.setOff = setOff
            self.end = end
        }
    }

    let name: String
    let captured: CapturePoint
    let lifetime: Lifetime
    /// Gives the work to a new thread, timer, observer or handler.
    let give: @Sendable (@escaping Work) -> Given

    var testDescription: String { name }

    init(
        _ name: String,
        captured: CapturePoint = .given,
        _ lifetime: Lifetime,
        give: @escaping @Sendable (@escaping Work) -> Given
    ) {
        self.name = name
        self.captured = captured
        self.lifetime = lifetime
        self.give = give
    }

    static let all = threads + timers + runLoops + notifications + messages + processes + fileHandles + progress

    /// Those that take the work before it is set off, and so may never run it.
    static var waiting: [FoundationBoundary] { all.filter { $0.captured == .given } }

    static var once: [FoundationBoundary] { all.filter { $0.lifetime == .once } }

    static var reusable: [FoundationBoundary] { all.filter { $0.lifetime == .reusable } }
}

extension FoundationBoundary.Given {
    /// Work that is given and set off by one and the same call, which is made once.
    static func byOneCall(
        _ work: @escaping FoundationBoundary.Work,
        _ call: @escaping (@escaping FoundationBoundary.Work) -> Void
    ) -> Self {
        let waiting = Locked<FoundationBoundary.Work?>(work)
        return Self(
            setOff: {
                let work = waiting.withLock { waiting in
                    defer { waiting = nil }
                    return waiting
                }
                if let work { call(work) }
            },
            end: { waiting.withLock { $0 = nil } }
        )
    }
}

extension FoundationBoundary {
    /// Returns what `look` finds in work that `giver` gave and somebody else set off, on a thread of their own.
    ///
    /// - Parameters:
    ///   - giver: Who gives the work.
    ///   - others: Who sets it off, in turn.
    ///   - look: The work.
    /// - Returns: What each run found, and what was bound after it where it was set off.
    func inWork<Value: Sendable>(
        givenBy giver: Identity?,
        setOffBy others: [Identity?],
        _ look: @escaping @Sendable () -> Value
    ) async -> (found: [Value], after: [Identity?]) {
        let found = Notes<Value>()
        let name = name
        let after = await onNewThread { () -> [Identity?] in
            let ran = DispatchSemaphore(value: 0)
            let given = withIdentity(giver) {
                give {
                    found.add(look())
                    ran.signal()
                }
            }
            let after = others.map { other in
                withIdentity(other) { () -> Identity? in
                    given.setOff()
                    precondition(ran.wait(timeout: .now() + 600) == .success, "\(name) ran nothing.")
                    return ThreadMirror.current().identity == IdentitySnapshot.bound.get().identity
                        ? Identity.current : nil
                }
            }
            given.end()
            return after
        }
        return (found.all, after)
    }
}
