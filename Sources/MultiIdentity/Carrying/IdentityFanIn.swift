/// The contributors to work that follows several pieces of work: a notification, a barrier, a merged stream.
///
/// Such work runs as its registrant. A fan-in also knows who contributed, and a rule chooses the identity:
///
/// ```swift
/// let queue = IdentityQueue(label: "uploads"), fanIn = IdentityFanIn()
/// for upload in uploads { queue.async(group: group, joining: fanIn) { store(upload) } }
/// group.propagatingIdentity.notify(queue: queue.base, joining: fanIn, as: .contributors) { joined in report(joined) }
/// ```
///
/// Any boundary can follow: `queue.async(flags: .barrier, execute: fanIn.wrap(as: .contributors) { … })`; and anything can
/// contribute by ``contribute()``, such as an element of a merged stream.
public final class IdentityFanIn: Sendable {
    /// The contributors, as far as a rule distinguishes them.
    public enum Joined: Hashable, Sendable {
        /// No one has contributed.
        case none
        /// All contributors had one identity, with the same actors and in the same life, or all were unset.
        case same(Identity?)
        /// Several contributed; each identity appears once, and `nil` means unset.
        ///
        /// The set has one element if only the actors differ, or if the identity was revoked and readmitted in between.
        case mixed(Set<Identity?>)
    }

    /// The rule that chooses the identity of the work that follows.
    public enum Rule: Hashable, Sendable {
        /// The identity that registered the work.
        case registrant
        /// This identity; `nil` for unset.
        case explicit(Identity?)
        /// The contributors' identity, if all share it; without contributors, the registrant. A mixed join is reported to the
        /// current diagnostics and runs as nobody: it belongs to no single identity.
        case contributors
    }

    private struct State {
        var contributors: Set<WorkOwner?> = []
        /// The owner of revoked work among them, if any: work of nobody that follows remembers it.
        var revoked: RevokedWork?
        /// The mark of a contributor's inferred identity, if any: the work that follows is inferred too.
        var inference: IdentityInference?
        var running = 0
        var last: IdentitySnapshot?

        mutating func add(_ snapshot: IdentitySnapshot) {
            contributors.insert(snapshot.owner)
            revoked = revoked ?? snapshot.frame?.revokedWork
            inference = inference ?? snapshot.inference
        }
    }

    private let state = Locked(State())

    /// Creates a fan-in without contributors.
    public init() {}

    /// Adds the identity bound here to the contributors.
    public func contribute() {
        let here = ThreadMirror.current()
        state.withLock { $0.add(here) }
    }

    /// The contributors since the work that follows last ran.
    ///
    /// - Complexity: O(*n*) in the number of different contributors.
    public var joined: Joined { Self.joined(state.withLock { $0.contributors }) }

    /// Captured when called: returns a closure that runs `work` with an identity that `rule` chooses from the contributors at
    /// that time, and then forgets them.
    ///
    /// The identity bound here is the registrant.
    ///
    /// - Parameters:
    ///   - rule: The rule that chooses the identity of `work`.
    ///   - work: The work; it gets the contributors. Its ``IdentityTrigger`` is the contributor that finished last, if that one's
    ///     work was handed over with this fan-in.
    ///   - fileID: The file of the call, for explanations.
    ///   - line: The line of the call, for explanations.
    /// - Returns: The closure, for any boundary.
    public func wrap(
        as rule: Rule,
        _ work: @escaping @Sendable (Joined) -> Void,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> @Sendable () -> Void {
        let registrant = BoundaryCapture(at: .fanIn, fileID, line)
        // An explicit owner is taken in its life at the registration.
        let named: WorkOwner? = if case .explicit(let identity?) = rule { WorkOwner(identity) } else { nil }
        return { [self] in
            let state = take()
            let joined = Self.joined(state.contributors)
            let follower =
                switch rule {
                case .registrant: registrant
                case .explicit: registrant.with(named)
                case .contributors: Self.follower(of: state, registrant)
                }
            follower.restore(triggeredBy: state.last) { work(joined) }
        }
    }

    private static func follower(of state: State, _ registrant: BoundaryCapture) -> BoundaryCapture {
        guard let owner = state.contributors.first else { return registrant }
        if state.contributors.count == 1 {
            return registrant.with(owner, inferred: state.inference, after: state.revoked)
        }
        registrant.snapshot.levels.diagnosticSettings.notify(mixed: state.contributors, registrant)
        return registrant.with(.nobody, after: state.revoked)
    }

    /// Work of this fan-in begins with its hand-over.
    func begin() {
        let here = ThreadMirror.current()
        state.withLock { state in
            state.add(here)
            state.running += 1
        }
    }

    /// Work of this fan-in has ended here.
    func end() {
        let here = IdentitySnapshot.ofTrigger
        // The former one is released outside the lock: its release may come back here.
        let former = state.withLock { state in
            defer { if state.running == 0 { state.last = here } }
            state.running -= 1
            return state.last
        }
        withExtendedLifetime(former) {}
    }

    /// Takes the contributors and starts again, except for running work.
    private func take() -> State {
        state.withLock { state in
            defer { state = State(running: state.running) }
            return state
        }
    }

    private static func joined(_ contributors: Set<WorkOwner?>) -> Joined {
        guard let one = contributors.first else { return .none }
        return contributors.count == 1 ? .same(one?.identity) : .mixed(Set(contributors.map { $0?.identity }))
    }
}

extension IdentityFanIn.Joined: CustomStringConvertible {
    /// `ada@contoso.com`, or `ada@contoso.com and grace@contoso.com`.
    public var description: String {
        switch self {
        case .none: "no one"
        case .same(let identity): Self.names([identity])
        case .mixed(let identities): Self.names(identities)
        }
    }

    fileprivate static func names(_ owners: Set<(some CustomStringConvertible)?>) -> String {
        owners.map { $0.map { "\($0)" } ?? "unset" }.sorted().joined(separator: " and ")
    }
}

extension DiagnosticSettings {
    fileprivate func notify(mixed owners: Set<WorkOwner?>, _ registrant: BoundaryCapture) {
        let hops = registrant.snapshot.hops
        notify(
            Finding(
                kind: .mixedJoin,
                identity: registrant.snapshot.identity,
                site: hops.last?.site,
                hops: hops,
                message: """
                    work of \(IdentityFanIn.Joined.names(owners)) came together under .contributors, which expects one identity; \
                    what follows runs as nobody. Keep their work apart, or name the owner with .explicit.
                    """
            )
        )
    }
}
