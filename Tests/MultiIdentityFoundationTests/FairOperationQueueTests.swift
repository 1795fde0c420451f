import Dispatch
import Foundation
import MultiIdentity
import Synchronization
import Testing

@testable import MultiIdentityFoundation

@Suite("A fair operation queue starts its operations in their adders' turns", .rule("4.15"), .aboutTurns)
struct FairOperationQueueTests {
    private let bob = Users.bob

    private static func queue(_ count: Int = 1) -> IdentityOperationQueue {
        let queue = IdentityOperationQueue(draining: .fairly(by: .pieces))
        queue.maxConcurrentOperationCount = count
        return queue
    }

    enum Way: CaseIterable { case block, operation, view, viewOfSeveral }

    @Test("whatever kind of operation it is, and as its adder, also through a view", arguments: Way.allCases)
    func inTurn(_ way: Way) async {
        let bob = bob
        let served = await onNewThread { () -> [Identity?] in
            let (queue, served, gate) = (Self.queue(), Notes<Identity?>(), DispatchSemaphore(value: 0))
            withIdentity(grace) { queue.addOperation { gate.wait() } }
            func add() {
                let body: @Sendable () -> Void = {
                    served.add(OperationQueue.current === queue ? Identity.current : Users.eve)
                }
                switch way {
                case .block: queue.addOperation(body)
                case .operation: queue.addOperation(SynchronousOperation(body))
                case .view: queue.propagatingIdentity.addOperation(SynchronousOperation(body))
                case .viewOfSeveral:
                    queue.propagatingIdentity.addOperations([SynchronousOperation(body)], waitUntilFinished: false)
                }
            }
            for _ in 0..<100 { withIdentity(ada) { add() } }
            for _ in 0..<10 { for user in [bob, nil] { withIdentity(user) { add() } } }
            queue.fair?.arrivals.sync {}
            gate.signal()
            queue.waitUntilAllOperationsAreFinished()
            return served.all
        }
        #expect(Array(served.prefix(30)) == (0..<10).flatMap { _ in [ada, bob, nil] })
        #expect(served.count == 120)
    }

    @Test("the highest priority of a line first") func priorities() async {
        let served = await onNewThread { () -> [String] in
            let (queue, served) = (Self.queue(), Notes<String>())
            let gate = DispatchSemaphore(value: 0)
            queue.addOperation { gate.wait() }
            for user in [ada, grace] {
                for (number, priority) in [Operation.QueuePriority.low, .normal, .veryHigh, .normal, .veryLow]
                    .enumerated()
                {
                    let operation = BlockOperation { served.add("\(number)") }
                    operation.queuePriority = priority
                    withIdentity(user) { queue.addOperation(operation) }
                }
            }
            queue.fair?.arrivals.sync {}
            gate.signal()
            queue.waitUntilAllOperationsAreFinished()
            return served.all
        }
        #expect(served == ["2", "2", "1", "1", "3", "3", "0", "0", "4", "4"])
    }

    @Test("with dependencies and barriers, which wait for all that was added before", arguments: [1, 3])
    func barriers(_ count: Int) async {
        let ran = await onNewThread { () -> [String] in
            let (queue, ran) = (Self.queue(count), Notes<String>())
            queue.addBarrierBlock { ran.add("barrier of \(Identity.current?.name ?? "none")") }
            for user in [ada, grace] {
                withIdentity(user) {
                    for _ in 0..<20 { queue.addOperation { ran.add("before") } }
                    let (first, second) = (BlockOperation { ran.add("first") }, BlockOperation { ran.add("second") })
                    second.addDependency(first)
                    queue.addOperations([second, first], waitUntilFinished: true)
                }
            }
            withIdentity(ada) {
                queue.addBarrierBlock {
                    for _ in 0..<100 { sched_yield() }
                    ran.add("barrier of \(Identity.current?.name ?? "none")")
                }
            }
            for user in [ada, grace] {
                withIdentity(user) { for _ in 0..<20 { queue.addOperation { ran.add("after") } } }
            }
            queue.waitUntilAllOperationsAreFinished()
            return ran.all
        }
        #expect(ran.count == 2 + 80 + 4)
        #expect(ran.first == "barrier of none")
        #expect(ran[45] == "barrier of \(ada.name)")
        #expect(ran.prefix(45).allSatisfy { $0 != "after" } && ran.suffix(40).allSatisfy { $0 == "after" })
    }

    @Test("and counts an asynchronous one until it has finished") func asynchronous() async {
        let most = await onNewThread { () -> Int in
            let queue = Self.queue(2)
            let running = Atomic(0)
            let most = Atomic(0)
            let operations = Locked<[AsynchronousOperation]>([])
            let made = (0..<40).map { number in
                AsynchronousOperation(finishesByItself: false) {
                    most.max(running.add(1, ordering: .relaxed).newValue, ordering: .relaxed)
                    DispatchQueue.global().async {
                        sched_yield()
                        running.subtract(1, ordering: .relaxed)
                        operations.withLock { $0[number] }.finish()
                    }
                }
            }
            operations.withLock { $0 = made }
            for (number, operation) in made.enumerated() {
                withIdentity(number % 2 == 0 ? ada : grace) { queue.addOperation(operation) }
            }
            queue.waitUntilAllOperationsAreFinished()
            operations.withLock { $0 = [] }
            return most.load(ordering: .relaxed)
        }
        #expect(most == 2)
    }

    @Test("and lets them be cancelled, suspended, counted, and run on another queue") func properties() async {
        let key = DispatchSpecificKey<Int>()
        let result = await onNewThread { () -> [Bool] in
            let (queue, ran) = (Self.queue(), Notes<Int>())
            let target = DispatchQueue(label: "underlying")
            target.setSpecific(key: key, value: 7)
            queue.underlyingQueue = target
            queue.isSuspended = true
            for _ in 0..<10 { queue.addOperation { ran.add(DispatchQueue.getSpecific(key: key) ?? 0) } }
            let (added, before) = (queue.operations, ran.all)
            for operation in added.prefix(5) { operation.cancel() }
            queue.isSuspended = false
            queue.waitUntilAllOperationsAreFinished()
            return [
                added.count == 10, before.isEmpty, ran.all == [7, 7, 7, 7, 7], queue.underlyingQueue === target,
                queue.maxConcurrentOperationCount == 1, queue.operations.isEmpty,
            ]
        }
        #expect(result.allSatisfy { $0 }, "\(result)")
    }

    @Test("and is released, suspended too, with all that was added") func releases() async {
        let isGone = await onNewThread { () -> Bool in
            weak var queue: IdentityOperationQueue?
            func use() {
                let used = Self.queue(2)
                queue = used
                for _ in 0..<100 { used.addOperation {} }
                used.waitUntilAllOperationsAreFinished()
                used.isSuspended = true
            }
            use()
            let end = ContinuousClock.now + .seconds(120)
            while queue != nil, .now < end { sched_yield() }
            return queue == nil
        }
        #expect(isGone)
    }
}

@Suite("A fair operation queue whose operations get stand-ins", .rule("4.15")) struct UnfairOperationQueueTests {
    private struct Noted: FindingResponse {
        let kinds = Notes<Finding.Kind>()
        func respond(to finding: Finding) { kinds.add(finding.kind) }
    }

    @Test("is a plain queue, and a finding when it is made") func finding() {
        let (levels, noted) = (IdentityLevels(), Noted())
        levels.diagnosticSettings.respond(by: noted)
        withIdentityLevels(levels) {
            #expect(FairOperations.lines(.inBatches, itemsComeBy: false) == nil)
            #expect(noted.kinds.all.isEmpty)
            #expect(FairOperations.lines(.fairly(), itemsComeBy: false) == nil)
            #expect((IdentityOperationQueue(draining: .fairly()).fair != nil) == AddedOperation.itemsComeBy)
        }
        #expect(noted.kinds.all == Array(repeating: .unfairQueue, count: AddedOperation.itemsComeBy ? 1 : 2))
    }

    /// It adds on another thread, where nothing tells whose item is made.
    private final class Detour: IdentityOperationQueue, @unchecked Sendable {
        override func addOperation(_ operation: Operation) {
            let isAdded = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                super.addOperation(operation)
                isAdded.signal()
            }
            isAdded.wait()
        }
    }

    @Test("is a finding when a class of queues hides its operations", .aboutTurns) func missed() async {
        let (levels, noted) = (IdentityLevels(), Noted())
        levels.diagnosticSettings.respond(by: noted)
        await onNewThread {
            withIdentityLevels(levels) {
                let queue = Detour(draining: .fairly())
                for _ in 0..<2 { queue.propagatingIdentity.addOperation(Operation()) }
                queue.waitUntilAllOperationsAreFinished()
            }
        }
        #expect(noted.kinds.all == [.unfairQueue])
    }
}

extension Trait where Self == ConditionTrait {
    /// For tests of operations in turn, which need their items.
    fileprivate static var aboutTurns: Self {
        .enabled(if: AddedOperation.itemsComeBy, "Operations get stand-ins here.")
    }
}
