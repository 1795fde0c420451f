import Dispatch
import Foundation
import MultiIdentity

/// Work that Foundation dispatches later never runs as the caller that triggers it.
enum FoundationCases {
    typealias Work = @Sendable () -> Void

    static func check(_ cases: inout Cases) async {
        guard let bob = try? Identity("bob@contoso.com") else { return }
        await check("a barrier behind another's operation", isKept: true, &cases) { adder, work in
            let (queue, end) = (OperationQueue(), DispatchSemaphore(value: 0))
            withIdentity(bob) { queue.addOperation { end.wait() } }
            withIdentity(adder) { queue.addBarrierBlock(work) }
            end.signal()
        }
        await check("a completion block", isKept: true, &cases) { adder, work in
            let operation = BlockOperation {}
            operation.completionBlock = work
            withIdentity(adder) { OperationQueue().addOperation(operation) }
        }
        await check("a completion block of an operation that another finishes", isKept: false, &cases) { adder, work in
            let operation = Asynchronous()
            operation.completionBlock = work
            withIdentity(adder) { OperationQueue().addOperation(operation) }
            operation.hasBegun.wait()
            withIdentity(bob) { OperationQueue().addOperation { operation.finish() } }
        }
        await check("an observer with a queue", isKept: false, &cases) { adder, work in
            let (center, queue) = (NotificationCenter(), OperationQueue())
            let observer = withIdentity(adder) {
                center.addObserver(forName: nil, object: nil, queue: queue) { _ in work() }
            }
            withIdentity(bob) { center.post(name: Notification.Name("posted"), object: nil) }
            center.removeObserver(observer)
        }
        await check("a handler of progress that another cancels", isKept: false, &cases) { adder, work in
            let progress = Progress(totalUnitCount: 1)
            withIdentity(adder) { progress.cancellationHandler = work }
            withIdentity(bob) { progress.cancel() }
        }
        await checkItemOfAnotherLayout(&cases)
    }

    /// Checks an item of Foundation's code without a queued operation, as a version with another layout may make it.
    private static func checkItemOfAnotherLayout(_ cases: inout Cases) async {
        await cases.check("a work item of Foundation's that cannot be read: lost, and not another's") {
            let wasOn = IdentityRevocation.isOn
            IdentityRevocation.isOn = true  // which counts what is captured
            defer { IdentityRevocation.isOn = wasOn }
            let (ada, queue) = (try Identity("layout@contoso.com"), OperationQueue())
            let block: @convention(block) () -> Void = { queue.cancelAllOperations() }
            let code = 2  // the index of its function, which is never called
            let inFoundation = dlsym(nil, "$s10Foundation9OperationC5startyyF")
            unsafeBitCast(block, to: UnsafeMutablePointer<UnsafeMutableRawPointer?>.self)[code] = inFoundation
            let item = withIdentity(ada) { DispatchWorkItem(block: block) }
            try expect(IdentityRevocation.workInFlight(of: ada).captured, inFoundation == nil ? 1 : 0)
            withExtendedLifetime(item) {}
        }
    }

    /// Checks that work handed over by one caller runs as that caller, or otherwise as without the product.
    private static func check(
        _ name: String,
        isKept: Bool,
        _ cases: inout Cases,
        _ handOver: (Identity?, @escaping Work) -> Void
    ) async {
        await cases.check("\(name): \(isKept ? "kept for each caller" : "lost, and not another's")") {
            for adder in [try Identity("ada@contoso.com"), nil] {
                let seen = await withCheckedContinuation { found in
                    handOver(adder) { found.resume(returning: Identity.current) }
                }
                try expect(seen, isKept ? adder : nil)
            }
        }
    }
}

/// Runs until it is told to finish.
private final class Asynchronous: Operation, @unchecked Sendable {
    let hasBegun = DispatchSemaphore(value: 0)
    private var hasFinished = false

    override var isFinished: Bool { hasFinished }

    override func start() { hasBegun.signal() }

    func finish() {
        hasFinished = true
        didChangeValue(forKey: "isFinished")
    }
}
