/// Examines, on the system at hand, what becomes of an identity at every boundary.
///
/// It asks no table: each boundary is crossed in plain Swift and with this package, from a bare thread, a Dispatch worker
/// and a task, as somebody and as no one, and with somebody else bound wherever it might matter.
///
/// ```swift
/// let diagnosis = await IdentityDoctor.examine()
/// log(diagnosis.description)
/// if !diagnosis.isHealthy { alert(diagnosis.findings.filter { !$0.isHealthy }) }
/// ```
///
/// It may run inside a server at work, under any identity, and several times at once. It looks at the thread level alone,
/// on threads and queues of its own; it holds file descriptors and a child process for moments, and nothing afterwards.
/// For the boundary of a signal source it borrows `SIGURG`, where the program has no handler for it, and gives it back.
public enum IdentityDoctor: Sendable {
    /// The names of all boundaries, in the order of a diagnosis.
    public static var boundaries: [String] { CataloguedBoundary.rows.map(\.name) }
}

extension IdentityDoctor {
    /// The boundaries to examine, and how.
    public struct Options: Sendable {
        /// The names of the boundaries to examine; `nil` for all.
        ///
        /// Names that no boundary has are passed over.
        public var boundaries: Set<String>?
        /// The longest time that one boundary may take in plain Swift, and again with this package.
        public var limit: Duration = .seconds(5)
        /// The number of times that each boundary is crossed in the same way.
        var repetitions = 2
        /// The names of boundaries to cross in plain Swift where this package should carry: to see that it is noticed.
        public var sabotaged: Set<String> = []
        /// Examines companions too, by one of the doctor's own, which then crosses every boundary of the process for good.
        public var examinesCompanions = false

        /// All boundaries, twice each, with 5 seconds for each.
        public init() {}

        func includes(_ boundary: CataloguedBoundary) -> Bool { boundaries?.contains(boundary.name) ?? true }
    }
}
