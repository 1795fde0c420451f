public import MultiIdentity

/// A problem that the runtime found, reported by ``IdentityDiagnostics``.
public struct IdentityFinding: Sendable, CustomStringConvertible {
    /// The kind of a finding; a minor release can add kinds, so no switch is exhaustive.
    public struct Kind: Hashable, Sendable {
        let kind: Finding.Kind

        /// Code asked for an identity, and none was bound.
        public static let noIdentity = Kind(kind: .noIdentity)
        /// Code asked for an identity, and automatic mode had inferred the bound one (`IdentityInference`).
        public static let inferredIdentity = Kind(kind: .inferredIdentity)
        /// Work ran as an identity long after its scope had ended.
        public static let outlivedScope = Kind(kind: .outlivedScope)
        /// Work got further from its scope than its budget allows.
        public static let beyondBudget = Kind(kind: .beyondBudget)
        /// A tree of work used more than its limits allow (`IdentityLimits`).
        public static let beyondLimit = Kind(kind: .beyondLimit)
        /// Work left its worker under another identity than before.
        public static let dirtyWorker = Kind(kind: .dirtyWorker)
        /// Work of several identities was joined where one was expected.
        public static let mixedJoin = Kind(kind: .mixedJoin)
        /// A managed identity was set directly on the UI level, without a switch; the level was not changed.
        public static let uiSetDirectly = Kind(kind: .uiSetDirectly)
        /// The delegate for switches was missing, or answered twice or too late, or `underNobody` could not restore the former identity.
        public static let switchMisused = Kind(kind: .switchMisused)
        /// Work was handed over while a task-local was bound that must not be (`IdentityCompanions.Treatment.refuse`).
        public static let refusedTaskLocal = Kind(kind: .refusedTaskLocal)
        /// An operation queue that was to be fair serves no identity in turn, since its operations get stand-ins.
        public static let unfairQueue = Kind(kind: .unfairQueue)
    }

    /// The kind of finding.
    public let kind: Kind
    /// The identity of the work; `nil` if none was bound.
    public let identity: Identity?
    /// The place of the code, if known.
    public let site: BindingSite?
    /// The recorded hops of the work.
    public let hops: [IdentityHop]
    /// The asking function of the program and the two that led to it, innermost first, then the one in which the work began.
    ///
    /// They are named only for code that asked for an identity. Functions of this package and of the system are left out, and so
    /// are the callers of an asynchronous function, which are not on the stack. A program without symbols has addresses instead.
    public let callers: [String]
    /// The label of the queue on which code asked; `nil` outside queues and in tasks.
    public let queue: String?
    /// The system's number of the thread on which code asked.
    public let thread: UInt64?
    /// The number of findings of this place so far; 1 when it is reported.
    public let count: Int
    /// The message for people: what was found, and what to do about it.
    public let message: String
    /// The message, with lines for the code that asked, and one for each hop.
    public let description: String

    init(_ finding: Finding) {
        (kind, identity, site) = (Kind(kind: finding.kind), finding.identity, finding.site.flatMap(BindingSite.init))
        let origin = finding.origin
        let entry = origin?.entry.map { origin?.callers.contains($0) == true ? [] : [$0] } ?? []
        (callers, queue, thread) = ((origin?.callers ?? []) + entry, origin?.queue, origin?.thread)
        count = finding.count
        (hops, message, description) = (finding.hops.map(IdentityHop.init), finding.message, finding.description)
    }
}
