import Dispatch
import Foundation
import MultiIdentity

/// Work that Foundation dispatches later runs as the caller that gave it to Foundation, or as without the product.
///
/// It never runs as the caller that sets it off.
enum FoundationCases {
    static func check(_ cases: inout Cases) async {
        guard let ada = try? Identity("ada@contoso.com"), let bob = try? Identity("bob@contoso.com") else { return }
        for adder in [ada, nil] {
            let name = adder?.name ?? "no one"
            await cases.check("a barrier behind another's operation, added by \(name)") {
                let seen = await identity { seen in
                    let (queue, end) = (OperationQueue(), DispatchSemaphore(value: 0))
                    withIdentity(bob) { queue.addOperation { end.wait() } }
                    withIdentity(adder) { queue.addBarrierBlock(seen) }
                    end.signal()
                }
                try expect(seen, adder)
            }
            await cases.check("a completion block, added by \(name)") {
                let seen = await identity { seen in
                    let operation = BlockOperation {}
                    operation.completionBlock = seen
                    withIdentity(adder) { OperationQueue().addOperation(operation) }
                }
                try expect(seen, adder)
            }
            await cases.check("a completion block, of an operation of \(name) that another's finishes") {
                let seen = await identity { seen in
                    let (operation, finishing) = (Asynchronous(), Finishing())
                    finishing.other = operation
                    // Captures the operation that runs, and nothing else.
                    finishing.seen = seen
                    operation.completionBlock = { finishing.look() }
                    withIdentity(adder) { OperationQueue().addOperation(operation) }
                    operation.hasBegun.wait()
                    withIdentity(bob) { OperationQueue().addOperation(finishing) }
                }
                try expect(seen, nil)
            }
            await cases.check("an observer with a queue, registered by \(name)") {
                let (center, queue) = (NotificationCenter(), OperationQueue())
                let seen = await identity { seen in
                    let observer = withIdentity(adder) {
                        center.addObserver(forName: nil, object: nil, queue: queue) { _ in seen() }
                    }
                    withIdentity(bob) { center.post(name: Notification.Name("posted"), object: nil) }
                    center.removeObserver(observer)
                }
                try expect(seen, nil)
            }
            await cases.check("a handler of progress that another cancels, set by \(name)") {
                let seen = await identity { seen in
                    let progress = Progress(totalUnitCount: 1)
                    withIdentity(adder) { progress.cancellationHandler = seen }
                    withIdentity(bob) { progress.cancel() }
                }
                try expect(seen, nil)
            }
        }
    }

    /// Returns the identity that the closure which `body` hands over is called as.
    private static func identity(_ body: (@escaping @Sendable () -> Void) -> Void) async -> Identity? {
        await withCheckedContinuation { found in body { found.resume(returning: Identity.current) } }
    }
}

/// Runs until it is told to finish.
private final class Asynchronous: Operation, @unchecked Sendable {
    let hasBegun = DispatchSemaphore(value: 0)
    private var hasFinished = false

    override var isAsynchronous: Bool { true }
    override var isFinished: Bool { hasFinished }

    override func start() { hasBegun.signal() }

    func finish() {
        hasFinished = true
        didChangeValue(forKey: "isFinished")
    }
}

/// Finishes another, and is all that the completion block of that one captures.
private final class Finishing: Operation, @unchecked Sendable {
    var other: Asynchronous?
    var seen: @Sendable () -> Void = {}

    override func main() { other?.finish() }

    func look() { seen() }
}
