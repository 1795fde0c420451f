import ArgumentParser

/// A way to break the run of leavers, which its judge has to notice.
enum LeavingSabotage: String, CaseIterable, ExpressibleByArgument, Sendable {
    /// A leaver is acknowledged at once, while work of theirs may run.
    case unsettled
    /// Work begins without asking whether its user may.
    case unadmitted
    /// Workers run jobs without asking whether their owners may.
    case jobs
    /// The jobs of who left stay in the queue.
    case unwiped
}
