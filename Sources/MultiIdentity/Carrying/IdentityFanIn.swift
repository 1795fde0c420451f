/// A record of the contributors where one piece of work follows several: a notification, a barrier, a merged stream.
///
/// Work that follows runs as its registrant. A fan-in knows in addition who contributed, and lets the work that
/// follows run by a rule instead of a guess:
///
/// ```swift
/// let queue = IdentityQueue(label: "uploads"), fanIn = IdentityFanIn()
/// for upload in uploads { queue.async(group: group, joining: fanIn) { store(upload) } }
/// group.propagatingIdentity.notify(queue: queue.base, joining: fanIn, as: .contributors) { joined in report(joined) }
/// ```
///
/// Any boundary can follow: `queue.async(flags: .barrier, execute: fanIn.wrap(as: .contributors) { … })`; and anything can
/// contribute, as an element of a merged stream, by ``contribute()``.
public final class IdentityFanIn: Sendable {
    /// The contributors, as far as they matter.
    public enum Joined: Hashable, Sendable {
        /// No one has.
        case none
        /// All contributions were of one identity, acted for by the same and in the same life, or all of unset.
        case same(Identity?)
        /// Contributions of several; each identity once, unset among them as `nil`.
        ///
        /// It has one identity where only those who act for it differ, or it was revoked and readmitted in between.
        case mixed(Set<Identity?>)
    }

    /// The identity that the work that follows runs as.
    public enum Rule: Hashable, Sendable {
        /// The identity that registered it.
        case registrant
        /// This identity, or unset.
        case explicit(Identity?)
        /// The contributors' identity, if all share it; without contributors, the registrant. A mixed join is reported to the
        /// ``IdentityDiagnostics`` in force and runs as nobody: it is no one's alone.
        case contributors
    }

    private struct State {
        var contributors: Set<WorkOwner?> = []
        /// The owner of revoked work among them, if there was any: what follows as nobody's is not free of it.
        var revoked: RevokedWork?
        /// The mark of a contributor's identity that was inferred, if one was: what follows is as doubtful.
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

    /// A fan-in to which no one has contributed yet.
    public init() {}

    /// Notes that the identity bound here contributes.
    public func contribute() {
        let here = ThreadMirror.current()
        state.withLock { $0.add(here) }
    }

    /// The contributors since the work that follows last ran.
    ///
    /// - Complexity: O(*n*) in the number of different contributors.
    public var joined: Joined { Self.joined(state.withLock { $0.contributors }) }

    /// A closure that runs `work` by a rule, on those who have contributed by then; the fan-in then begins anew.
    ///
    /// Captured when called: the identity bound here is the registrant.
    ///
    /// - Parameters:
    ///   - rule: Whom `work` runs as.
    ///   - work: The work; it is passed the contributors. ``IdentityTrigger`` shows the one that finished last, if its work
    ///     was handed over with this fan-in.
    ///   - fileID: Where the call stands, for explanations.
    ///   - line: Where the call stands, for explanations.
    /// - Returns: A closure for any boundary.
    public func wrap(
        as rule: Rule,
        _ work: @escaping @Sendable (Joined) -> Void,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> @Sendable () -> Void {
        let registrant = BoundaryCapture(at: .fanIn, fileID, line)
        // An explicit owner has the life of its registration.
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
        registrant.snapshot.levels.diagnostics.notify(mixed: state.contributors, registrant)
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
        // The former one is let go of outside the lock: what it has may come back here when it goes.
        let former = state.withLock { state in
            defer { if state.running == 0 { state.last = here } }
            state.running -= 1
            return state.last
        }
        withExtendedLifetime(former) {}
    }

    /// Takes what came together, after which it begins anew, but for what runs.
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

extension IdentityDiagnostics {
    fileprivate func notify(mixed owners: Set<WorkOwner?>, _ registrant: BoundaryCapture) {
        let hops = registrant.snapshot.frame?.journey?.hops ?? []
        notify(
            IdentityFinding(
                kind: .mixedJoin,
                identity: registrant.snapshot.identity,
                site: hops.last?.site,
                hops: hops,
                message: """
                    work of \(IdentityFanIn.Joined.names(owners)) came together where one identity's was expected; \
                    what follows runs as nobody. Keep their work apart, or name the result's owner with .explicit.
                    """
            )
        )
    }
}
