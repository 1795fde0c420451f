/// Examines what becomes of an identity at every boundary on this system.
///
/// It uses no table of known results. It crosses each boundary in plain Swift and with this package: from a bare
/// thread, a Dispatch worker and a task, with and without an identity, and with another identity bound wherever that
/// might matter.
///
/// ```swift
/// let diagnosis = await IdentityDoctor.examine()
/// log(diagnosis.description)
/// if !diagnosis.isHealthy { alert(diagnosis.findings.filter { !$0.isHealthy }) }
/// ```
///
/// It can run inside a busy server, under any identity, and several times at once. It uses only the thread level, on
/// its own threads and queues. It briefly uses file descriptors and a child process. To examine signal sources it
/// borrows `SIGURG`, if the program has no handler for it, and restores it.
public enum IdentityDoctor: Sendable {
    /// The names of all boundaries, in the order of a diagnosis.
    public static var boundaries: [String] { CataloguedBoundary.rows.map(\.name) }
}

extension IdentityDoctor {
    /// Options: the boundaries to examine, and how.
    public struct Options: Sendable {
        /// The names of the boundaries to examine; `nil` for all.
        ///
        /// Unknown names are ignored.
        public var boundaries: Set<String>?
        /// The time limit for one boundary in plain Swift, and again with this package.
        public var limit: Duration = .seconds(5)
        /// The number of times that each boundary is crossed with the same plan.
        var repetitions = 2
        /// The names of boundaries to cross in plain Swift instead of with this package, to verify that the doctor
        /// notices.
        public var sabotaged: Set<String> = []
        /// Indicates whether to examine companions too; a companion of the doctor then crosses every boundary of the process for
        /// good.
        public var examinesCompanions = false

        /// Creates options that examine each boundary twice, for up to 5 seconds.
        public init() {}

        func includes(_ boundary: CataloguedBoundary) -> Bool { boundaries?.contains(boundary.name) ?? true }
    }
}
