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
        /// All contributions were of one identity, or all of unset.
        case same(Identity?)
        /// Contributions of several; each once, unset among them as `nil`.
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
        var contributors: Set<Identity?> = []
        /// The mark of a contributor's identity that was inferred, if one was: what follows is as doubtful.
        var inference: IdentityInference?
        var running = 0
        var last: IdentitySnapshot?

        mutating func add(_ snapshot: IdentitySnapshot) {
            contributors.insert(snapshot.identity)
            inference = inference ?? snapshot.inference
        }
    }

    private let state = Locked(State())

    /// A fan-in to which no one has contributed yet.
    public init() {}

    /// Notes that the identity bound here contributes.
    public func contribute() { contribute(ThreadMirror.current()) }

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
        return { [self] in
            let state = take()
            let joined = Self.joined(state.contributors)
            let owner = owner(by: rule, joined, registrant, state.inference)
            owner.restore(triggeredBy: state.last) { work(joined) }
        }
    }

    private func owner(
        by rule: Rule,
        _ joined: Joined,
        _ registrant: BoundaryCapture,
        _ inference: IdentityInference?
    ) -> BoundaryCapture {
        switch (rule, joined) {
        case (.registrant, _), (.contributors, .none): return registrant
        case (.explicit(let identity), _): return registrant.with(identity)
        case (.contributors, .same(let identity)): return registrant.with(identity, inferred: inference)
        case (.contributors, .mixed(let identities)):
            registrant.snapshot.levels.diagnostics.tell(mixed: identities, registrant)
            return registrant.with(.nobody)
        }
    }

    private func contribute(_ snapshot: IdentitySnapshot) {
        state.withLock { $0.add(snapshot) }
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
        state.withLock { state in
            state.running -= 1
            if state.running == 0 { state.last = here }
        }
    }

    /// Takes what came together, after which it begins anew, but for what runs.
    private func take() -> State {
        state.withLock { state in
            defer { state = State(running: state.running) }
            return state
        }
    }

    private static func joined(_ contributors: Set<Identity?>) -> Joined {
        guard let one = contributors.first else { return .none }
        return contributors.count == 1 ? .same(one) : .mixed(contributors)
    }
}

extension IdentityFanIn.Joined: CustomStringConvertible {
    /// `ada@contoso.com`, or `ada@contoso.com and grace@contoso.com`.
    public var description: String {
        switch self {
        case .none: "no one"
        case .same(let identity): Self.name(identity)
        case .mixed(let identities): identities.map(Self.name).sorted().joined(separator: " and ")
        }
    }

    private static func name(_ identity: Identity?) -> String { identity.map { "\($0)" } ?? "unset" }
}

extension IdentityDiagnostics {
    fileprivate func tell(mixed identities: Set<Identity?>, _ registrant: BoundaryCapture) {
        let hops = registrant.snapshot.frame?.journey?.hops ?? []
        tell(
            IdentityFinding(
                kind: .mixedJoin,
                identity: registrant.snapshot.identity,
                site: hops.last?.site,
                hops: hops,
                message: """
                    work of \(IdentityFanIn.Joined.mixed(identities)) came together where one identity's was expected; \
                    what follows runs as nobody. Keep their work apart, or name the result's owner with .explicit.
                    """
            )
        )
    }
}
