/// The identity that work counts as, here and now: the first level that is set.
///
/// | for | the first that is set of |
/// | --- | --- |
/// | UI work | thread; UI, only on main; process; else none |
/// | file work | thread; process; else none |
///
/// ```swift
/// let effective = EffectiveIdentity.current(for: .files)
/// effective.identity  // Optional(ada@contoso.com)
/// effective.level     // Optional(.thread)
/// print(effective.explanation)
/// ```
public struct EffectiveIdentity: Sendable {
    /// The purpose of what is about to be done.
    public enum Purpose: Hashable, Sendable, CaseIterable {
        /// Showing something to a user or asking one.
        case ui
        /// Reading or writing files.
        case files
    }

    /// A place where an identity can stand.
    public enum Level: Hashable, Sendable, CaseIterable {
        /// The current thread's; in asynchronous code, the current task's.
        case thread
        /// The main thread's: of what it shows and asks.
        case ui
        /// The whole process's.
        case process
    }

    /// The purpose of the work.
    public let purpose: Purpose

    @usableFromInline
    let snapshot: IdentitySnapshot
    /// The end of the walk; `nil` where the snapshot is a plain identity, which is the answer.
    ///
    /// What a frame shows can change with a revocation, and so is asked for once.
    @usableFromInline
    let beyondThread: Resolution?

    @inlinable
    init(_ purpose: Purpose, _ snapshot: IdentitySnapshot, beyondThread: Resolution?) {
        self.purpose = purpose
        self.snapshot = snapshot
        self.beyondThread = beyondThread
    }

    /// The identity that work counts as: nobody where nobody was decided, `nil` where no level is set.
    ///
    /// Nobody too where the thread level was inferred and is only shown (``IdentityInference``).
    @inlinable
    public var identity: Identity? {
        if let beyondThread { beyondThread.identity } else { snapshot.identity }
    }

    /// The owner of the work: of the thread level's, in the life in which that began.
    package var owner: WorkOwner? {
        identity.map { level == .thread ? snapshot.owner(as: $0) : WorkOwner($0) }
    }

    /// The level that decided, or `nil` where none is set.
    public var level: Level? { resolution.level }

    var resolution: Resolution {
        beyondThread ?? Resolution(identity: snapshot.identity, level: .thread, wasOnMain: nil)
    }

    /// The identity that work counts as, here and now.
    ///
    /// - Parameter purpose: What is about to be done.
    /// - Returns: The identity, and the level that decided.
    /// - Complexity: O(1).
    @inlinable
    public static func current(for purpose: Purpose) -> EffectiveIdentity {
        // The first step of every walk, here so that callers have it compiled in; it decides most.
        let snapshot = ThreadMirror.current()
        if case .identity = snapshot.held { return EffectiveIdentity(purpose, snapshot, beyondThread: nil) }
        return walk(for: purpose, from: snapshot)
    }

    @usableFromInline
    static func walk(for purpose: Purpose, from snapshot: IdentitySnapshot) -> EffectiveIdentity {
        let resolution = Resolution.resolve(for: purpose, from: LiveLevels(snapshot: snapshot))
        if BindingFeatures.inUse.contains(.strictness) {
            let asked = "The effective identity was asked for"
            if resolution.identity == nil { StrictMode.notifyNone(asked, .reads, nil, snapshot) }
            if let inference = snapshot.inference { StrictMode.notify(inference, by: asked, .reads, nil, snapshot) }
        }
        return EffectiveIdentity(purpose, snapshot, beyondThread: resolution)
    }

    /// The identity that file work counts as, for a record of what happened: strict mode, which looks for code that acts for an
    /// identity, is not notified.
    package static func forRecord() -> EffectiveIdentity {
        let snapshot = ThreadMirror.current()
        let resolution = Resolution.resolve(for: .files, from: LiveLevels(snapshot: snapshot))
        return EffectiveIdentity(.files, snapshot, beyondThread: resolution)
    }

    /// The explanation: the value of each level, which one decided, and what changed since; worked out when it is asked for.
    public var explanation: Explanation { Explanation(of: self) }
}

extension EffectiveIdentity: Hashable {
    /// Returns whether both name the same identity, decided by the same level, for the same purpose.
    public static func == (one: EffectiveIdentity, other: EffectiveIdentity) -> Bool {
        one.identity == other.identity && one.level == other.level && one.purpose == other.purpose
    }

    /// Hashes what ``==(_:_:)`` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(identity)
        hasher.combine(level)
        hasher.combine(purpose)
    }
}

extension IdentityRevocation {
    /// Lets new work begin for whom this work counts as, unless that is nobody only because its owner was revoked.
    ///
    /// For what would lay data down without an owner otherwise: a file that revoked work makes holds its owner's data,
    /// though it would be nobody's.
    ///
    /// - Parameter effective: Whom the work counts as, asked for here.
    /// - Throws: ``IdentityError`` with the code `.revoked` where that identity is revoked, or this is work of somebody who
    ///   is (``revokedOwner``).
    /// - Complexity: O(1).
    public static func admit(workOf effective: EffectiveIdentity) throws(IdentityError) {
        if let owner = refused(workOf: effective) { throw IdentityError(owner) }
    }

    /// Returns who makes new work be refused for whom this work counts as; `nil` where it is admitted.
    package static func refused(workOf effective: EffectiveIdentity) -> RevokedOwner? {
        refused(effective.identity) ?? (effective.identity?.isNobody ?? true ? revokedOwner : nil)
    }
}

/// The levels as they stand under a snapshot.
private struct LiveLevels: LevelValues {
    let snapshot: IdentitySnapshot

    var thread: Identity? { snapshot.decidingIdentity }
    var ui: Identity? { snapshot.levels.ui }
    var process: Identity? { snapshot.levels.process }
    var isOnMain: Bool { snapshot.levels.mainProbe() }
}
