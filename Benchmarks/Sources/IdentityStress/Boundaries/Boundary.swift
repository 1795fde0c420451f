import Dispatch
import MultiIdentity
@_spi(Catalogue) import MultiIdentityDoctor

/// A boundary: a row of the catalogue, and the workload's own settings for it.
struct Boundary: Sendable {
    private let row: CataloguedBoundary
    private let addition: Addition

    init(_ row: CataloguedBoundary, _ addition: Addition) {
        self.row = row
        self.addition = addition
    }

    /// The name on the command line and in reports.
    var name: String { row.name }

    /// True if this package propagates the identity over it.
    var isCarried: Bool { row.isCarriedByPackage }

    /// True if a hop costs about ten times as much as a closure on a queue.
    var isCostly: Bool {
        [.sources, .channels, .operations, .foundation].contains(row.family) || addition.isCostly
    }

    /// True if plain calls hand work over through libdispatch, so that automatic mode propagates the identity.
    var isReachedAutomatically: Bool {
        [.queues, .items, .sources, .channels, .operations].contains(row.family) && !addition.isPastDispatch
    }

    /// Hands `hop` over, calls its `run` once on the other side, and checks the worker afterwards.
    func handOver(_ hop: Hop, _ way: Way) {
        if let shape = addition.shape { return shape.handOver(hop, way) }
        let row = addition.row(row, for: hop)
        let (queue, shared) = addition.ground.on(hop.lane, way, hop.step.variant)
        let crossing = Crossing(row: row, hop: hop, way: way, queue: queue, shared: shared)
        switch (row.worker, row.isOneCall) {
        case (.caller, true): crossing.runHere()
        case (.caller, false): crossing.runWhereStrangerActs()
        case (.elsewhereAwaited, _), (.queue, _), (.elsewhere, _):
            crossing.runElsewhere { addition.askWorker(after: hop, row, behind: queue) }
        }
    }
}

/// How work is handed over: with the package or without it.
enum Way: Sendable {
    /// Through the package.
    case carried
    /// Without the package: this breaks a boundary on purpose, and tests automatic mode.
    case raw
}
