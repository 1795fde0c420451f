import Foundation
import MultiIdentityFoundation

/// An operation class with a `main` of its own.
///
/// A raw closure behind it, on the dispatch queue under the operation queue, asks the worker.
struct OperationSubclass: CarriedBoundary {
    let name = "addOperation, of a subclass"

    func handOver(_ hop: Hop, _ way: Way) {
        let (queue, base) = hop.lane.operations(way)
        queue.addOperation(MainOperation { hop.run { hop.askWorker(on: base) } })
    }

    func run(_ block: HopBlock, _ way: Way) {
        let queue = block.lane.operations(way).queue
        let work = block.work
        block.held(queue) { queue.addOperation(MainOperation(work)) }
    }
}

/// Synchronous work in `main`, as most operation classes have it.
final class MainOperation: Operation, @unchecked Sendable {
    // `@unchecked Sendable` restates the superclass's promise; the one property here is constant.

    private let work: @Sendable () -> Void

    init(_ work: @escaping @Sendable () -> Void) {
        self.work = work
    }

    override func main() { work() }
}
