/// A way to hand work over.
protocol Boundary: Sendable {
    /// The name on the command line and in reports.
    var name: String { get }

    /// Hands `hop` over, has its `run` called once on the other side, and asks the worker afterwards.
    func handOver(_ hop: Hop, _ way: Way)
}

/// A boundary that this package carries, so that there is a raw one to compare with.
protocol CarriedBoundary: Boundary {
    /// Hands the block's work over as often as the block says, and waits until all has run.
    func run(_ block: HopBlock, _ way: Way)
}

/// A way to hand work over: with the package or without it.
enum Way: Sendable {
    /// Through the package.
    case carried
    /// Without it. In the workload that is how a boundary is broken, and how automatic mode is tried.
    case raw
}
