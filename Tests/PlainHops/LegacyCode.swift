import Dispatch
import Foundation

/// Code as it was written before anyone thought of identities: each entry hands `work` over by a plain call, in another spelling.
///
/// The target CarriedHops compiles the same file with the plugin.
package final class LegacyCode: @unchecked Sendable {
    package typealias Work = @Sendable () -> Void

    let queue: DispatchQueue = DispatchQueue(label: "legacy")
    var optional: DispatchQueue? = DispatchQueue(label: "optional")
    let operations = OperationQueue()
    let center = NotificationCenter()
    let group = DispatchGroup()
    let kept = Kept()
    private var handlers: [Work] = []
    private var callbacks: [(Int, String) throws -> Void] = []

    package init() {}

    /// The name of each spelling, and the call.
    package var all: [(name: String, hop: (@escaping Work) -> Void)] {
        queues + items + sources + foundation + tasks
    }

    /// The spellings that keep work in a list, which `runKept` runs; the plugin does not change them.
    package var keeping: [(name: String, hop: (@escaping Work) -> Void)] {
        [
            ("kept, trailing", { [self] work in handlers.append { work() } }),
            ("kept, a variable", { [self] work in handlers.append(work) }),
            ("kept, inserted", { [self] work in handlers.insert(work, at: 0) }),
            ("kept, with parameters", { [self] work in callbacks.append { _, _ in work() } }),
        ]
    }

    package func runKept() throws {
        for handler in handlers { handler() }
        for callback in callbacks { try callback(1, "event") }
    }

    private var queues: [(String, (@escaping Work) -> Void)] {
        [
            ("async, trailing", { [self] work in queue.async { work() } }),
            ("async, a variable", { [self] work in queue.async(execute: work) }),
            ("async, optional chaining", { [self] work in self.optional?.async { work() } }),
            ("async, a parenthesized closure", { [self] work in queue.async(execute: { work() }) }),
            ("async, a group", { [self] work in queue.async(group: group) { work() } }),
            ("async, QoS", { [self] work in queue.async(qos: .utility) { work() } }),
            (
                "async, a barrier",
                { [self] work in queue.async(group: group, qos: .default, flags: .barrier, execute: work) }
            ),
            ("async, global", { work in DispatchQueue.global().async { work() } }),
            ("async, global with QoS", { work in DispatchQueue.global(qos: .utility).async(execute: work) }),
            (
                "async, nested function",
                { [self] work in
                    @Sendable func run() { work() }
                    queue.async(execute: run)
                }
            ),
            ("async, a method reference", { [self] work in queue.async(execute: Holder(work).run) }),
            ("async, capture list", { [self] work in queue.async { [work] in work() } }),
            (
                "async, self captured weakly",
                { [self] work in
                    queue.async { [weak self] in
                        _ = self; work()
                    }
                }
            ),
            ("asyncAfter", { [self] work in queue.asyncAfter(deadline: .now()) { work() } }),
            ("asyncAfter, a variable", { [self] work in queue.asyncAfter(deadline: .now(), execute: work) }),
            (
                "asyncAfter, wall time",
                { [self] work in queue.asyncAfter(wallDeadline: .now(), qos: .utility) { work() } }
            ),
            ("concurrentPerform", { work in DispatchQueue.concurrentPerform(iterations: 1) { _ in work() } }),
            ("sync", { [self] work in queue.sync { work() } }),
            (
                "generic over DispatchQueue",
                { [self] work in
                    func hop<Queue: DispatchQueue>(_ queue: Queue) { queue.async { work() } }
                    hop(queue)
                }
            ),
            ("an extension's method", { [self] work in queue.later(work) }),
        ]
    }

    private var items: [(String, (@escaping Work) -> Void)] {
        [
            ("item, trailing", { [self] work in queue.async(execute: DispatchWorkItem { work() }) }),
            (
                "item, a variable",
                { [self] work in
                    let item = DispatchWorkItem(qos: .utility, flags: .enforceQoS, block: work)
                    queue.asyncAfter(deadline: .now(), execute: item)
                }
            ),
            (
                "item, notify",
                { [self] work in
                    let item = DispatchWorkItem {}
                    item.notify(queue: queue) { work() }
                    item.perform()
                }
            ),
            ("group.notify", { [self] work in DispatchGroup().notify(queue: queue) { work() } }),
            ("group.notify, a variable", { [self] work in DispatchGroup().notify(queue: queue, execute: work) }),
            ("group.notify, QoS", { [self] work in DispatchGroup().notify(qos: .utility, queue: queue) { work() } }),
        ]
    }

    private var sources: [(String, (@escaping Work) -> Void)] {
        [
            (
                "timer source",
                { [self] work in
                    let timer = DispatchSource.makeTimerSource(queue: queue)
                    timer.schedule(deadline: .now())
                    timer.setEventHandler {
                        timer.cancel()
                        work()
                    }
                    timer.resume()
                }
            ),
            (
                "cancel handler",
                { [self] work in
                    let source = DispatchSource.makeUserDataAddSource(queue: queue)
                    source.setCancelHandler(handler: work)
                    source.resume()
                    source.cancel()
                }
            ),
            (
                "registration handler",
                { [self] work in
                    let source = DispatchSource.makeUserDataOrSource(queue: queue)
                    source.setRegistrationHandler {
                        source.cancel()
                        work()
                    }
                    source.resume()
                }
            ),
        ]
    }

    private var foundation: [(String, (@escaping Work) -> Void)] {
        [
            ("addOperation, trailing", { [self] work in operations.addOperation { work() } }),
            ("addOperation, a variable", { [self] work in operations.addOperation(work) }),
            ("addOperation, an operation", { [self] work in operations.addOperation(BlockOperation { work() }) }),
            (
                "addOperations",
                { [self] work in operations.addOperations([BlockOperation(block: work)], waitUntilFinished: false) }
            ),
            ("addBarrierBlock", { [self] work in operations.addBarrierBlock { work() } }),
            (
                "completion block",
                { [self] work in
                    let operation = BlockOperation {}
                    operation.completionBlock = { work() }
                    operations.addOperation(operation)
                }
            ),
            (
                "addOperation, its own overload",
                { [self] work in
                    operations.addOperation { () -> Int in
                        work()
                        return 1
                    }
                }
            ),
            ("addOperation, a subclass", { [self] work in operations.addOperation(OwnOperation(work)) }),
            (
                "Thread, trailing",
                { work in
                    let thread = Thread { work() }
                    thread.start()
                }
            ),
            ("Thread, a variable", { work in Thread(block: work).start() }),
            ("Thread.detachNewThread", { work in Thread.detachNewThread { work() } }),
            (
                "observer with a queue",
                { [self] work in
                    let (name, own) = (Notification.Name("legacy"), NotificationCenter())
                    let observer = own.addObserver(forName: name, object: nil, queue: operations) { _ in work() }
                    kept.keep(observer)
                    Thread.detachNewThread { own.post(name: name, object: nil) }
                }
            ),
            (
                "progress",
                { work in
                    let progress = Progress(totalUnitCount: 1)
                    progress.cancellationHandler = { work() }
                    progress.cancel()
                }
            ),
        ]
    }

    private var tasks: [(String, (@escaping Work) -> Void)] {
        [
            ("Task.detached", { work in Task.detached { work() } }),
            ("Task.detached, priority", { work in Task.detached(priority: .low) { work() } }),
            (
                "Task.detached, throwing",
                { work in
                    _ = Task.detached {
                        try Task.checkCancellation()
                        work()
                    }
                }
            ),
            (
                "onTermination",
                { work in
                    let (_, continuation) = AsyncStream<Int>.makeStream()
                    continuation.onTermination = { _ in work() }
                    Thread.detachNewThread { continuation.finish() }
                }
            ),
        ]
    }
}

/// Keeps observers, as programs do.
package final class Kept: @unchecked Sendable {
    private let lock = NSLock()
    private var objects: [ObjectIdentifier: AnyObject] = [:]

    func keep(_ object: AnyObject) { lock.withLock { objects[ObjectIdentifier(object)] = object } }
}

struct Holder: Sendable {
    let work: LegacyCode.Work
    init(_ work: @escaping LegacyCode.Work) { self.work = work }
    @Sendable func run() { work() }
}

extension OperationQueue {
    // "addOperation, its own overload": calls Foundation's, and must not call itself with the plugin
    fileprivate func addOperation<Value>(_ work: @escaping @Sendable () -> Value) { addOperation { _ = work() } }
}

extension DispatchQueue {
    // "an extension's method", of the list above
    fileprivate func later(_ work: @escaping @Sendable () -> Void) { async { work() } }
}

private final class OwnOperation: Operation, @unchecked Sendable {
    let work: LegacyCode.Work
    init(_ work: @escaping LegacyCode.Work) { self.work = work }
    override func main() { work() }
}
