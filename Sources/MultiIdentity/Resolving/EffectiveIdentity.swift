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
/// ```
public struct EffectiveIdentity: Sendable {
    /// The purpose of what is about to be done.
    public enum Purpose: Hashable, Sendable, CaseIterable {
        /// Showing something to a user or asking one.
        case ui
        /// Reading or writing files.
        case files
    }

    /// A level, which may have an identity.
    public enum Level: Hashable, Sendable, CaseIterable {
        /// The level of the current thread or, in asynchronous code, of the current task.
        case thread
        /// The level of the main thread's UI.
        case ui
        /// The level of the whole process.
        case process
    }

    /// The purpose of the work.
    public let purpose: Purpose

    @usableFromInline
    package let snapshot: IdentitySnapshot
    /// The result of the resolution; `nil` if the snapshot is a plain identity, which is the answer.
    ///
    /// A revocation can change what a frame shows, so the frame is read only once.
    @usableFromInline
    let beyondThread: Resolution?

    @inlinable
    init(_ purpose: Purpose, _ snapshot: IdentitySnapshot, beyondThread: Resolution?) {
        self.purpose = purpose
        self.snapshot = snapshot
        self.beyondThread = beyondThread
    }

    /// The identity that work counts as: nobody if nobody was explicitly bound, `nil` if no level is set.
    ///
    /// It is also nobody if the thread level was inferred and must not decide (``IdentityInference``).
    @inlinable
    public var identity: Identity? {
        if let beyondThread { beyondThread.identity } else { snapshot.identity }
    }

    /// The owner of the work: the thread level's identity, in the life in which its binding began.
    package var owner: WorkOwner? {
        identity.map { level == .thread ? snapshot.owner(as: $0) : WorkOwner($0) }
    }

    /// The level that decided, or `nil` if none is set.
    public var level: Level? { resolution.level }

    package var resolution: Resolution {
        beyondThread ?? Resolution(identity: snapshot.identity, level: .thread, wasOnMain: nil)
    }

    /// Returns the identity that work counts as, here and now.
    ///
    /// - Parameter purpose: What is about to be done.
    /// - Returns: The identity, and the level that decided.
    /// - Complexity: O(1).
    @inlinable
    public static func current(for purpose: Purpose) -> EffectiveIdentity {
        // The first step of every resolution, inlined into callers; it usually decides.
        let snapshot = ThreadMirror.current()
        if case .identity = snapshot.held { return EffectiveIdentity(purpose, snapshot, beyondThread: nil) }
        return walk(for: purpose, from: snapshot)
    }

    @usableFromInline
    static func walk(for purpose: Purpose, from snapshot: IdentitySnapshot) -> EffectiveIdentity {
        snapshot.noteRead()
        let resolution = Resolution.resolve(for: purpose, from: LiveLevels(snapshot: snapshot))
        if !BindingFeatures.inUse.isDisjoint(with: .inUnboundReads) {
            let asked = "The effective identity was asked for"
            if resolution.identity == nil { StrictMode.notifyNone(asked, .reads, nil, snapshot) }
            if let inference = snapshot.inference { StrictMode.notify(inference, by: asked, .reads, nil, snapshot) }
        }
        return EffectiveIdentity(purpose, snapshot, beyondThread: resolution)
    }

    /// Returns the identity that file work counts as, for a log: this is not reported to strict mode, which looks for code that
    /// acts for an identity.
    package static func forRecord() -> EffectiveIdentity {
        let snapshot = ThreadMirror.current()
        let resolution = Resolution.resolve(for: .files, from: LiveLevels(snapshot: snapshot))
        return EffectiveIdentity(.files, snapshot, beyondThread: resolution)
    }
}

extension EffectiveIdentity: Hashable {
    /// Returns whether both name the same identity, decided by the same level, for the same purpose.
    public static func == (one: EffectiveIdentity, other: EffectiveIdentity) -> Bool {
        one.identity == other.identity && one.level == other.level && one.purpose == other.purpose
    }

    /// Hashes the values that ``==(_:_:)`` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(identity)
        hasher.combine(level)
        hasher.combine(purpose)
    }
}

extension IdentityRevocation {
    /// Admits new work of the identity that this work counts as, unless it is nobody only because its owner was revoked.
    ///
    /// Use it in code that would otherwise store data without an owner: a file that revoked work creates contains its owner's
    /// data, but would belong to nobody.
    ///
    /// - Parameter effective: The identity that the work counts as, read here.
    /// - Throws: ``IdentityError`` with the code `.revoked` if that identity or one of its actors has been revoked since the work
    ///   began, or this is work of a revoked owner (``revokedOwner``). A readmission does not admit earlier work.
    /// - Complexity: O(1).
    public static func admit(workOf effective: EffectiveIdentity) throws(IdentityError) {
        if let owner = refused(workOf: effective) { throw IdentityError(owner) }
    }

    /// Returns the revoked owner for which new work of this identity is refused; `nil` if it is admitted.
    package static func refused(workOf effective: EffectiveIdentity) -> RevokedOwner? {
        guard let owner = effective.owner, !owner.identity.isNobody else { return revokedOwner }
        return owner.revoked
    }
}

/// The current values of the levels under a snapshot.
private struct LiveLevels: LevelValues {
    let snapshot: IdentitySnapshot

    var thread: Identity? { snapshot.decidingIdentity }
    var ui: Identity? { snapshot.levels.ui }
    var process: Identity? { snapshot.levels.process }
    var isOnMain: Bool { snapshot.levels.mainProbe() }
}
