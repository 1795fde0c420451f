import Foundation
import MultiIdentity
import MultiIdentityFoundation

/// An asynchronous operation with a `start` that hands its work over and returns.
///
/// A raw closure behind the work on its queue asks the worker there, and another on the dispatch queue under the
/// operation queue the one that ran `start`.
struct OperationAsyncSubclass: CarriedBoundary {
    let name = "addOperation, of an asynchronous subclass"

    func handOver(_ hop: Hop, _ way: Way) {
        let (queue, base) = hop.lane.operations(way)
        let serial = hop.lane.serial
        queue.addOperation(
            AsyncOperation { finish in
                hop.check(hop.request.expected, .work, isOnMain: false)
                hop.askWorker(on: base)
                serial.async {
                    finish()
                    hop.run { hop.askWorker(on: serial.base) }
                }
            }
        )
    }

    func run(_ block: HopBlock, _ way: Way) {
        let queue = block.lane.operations(way).queue
        let work = block.work
        block.held(queue) {
            queue.addOperation(
                AsyncOperation { finish in
                    finish()
                    work()
                }
            )
        }
    }
}
