import Dispatch
import Foundation
import Testing

@testable import MultiIdentity

@Suite("In a batch work is released as soon as it has run", .rule("4.12")) struct BatchReleaseTests {
    private let callers: [Identity?] = [ada, ada, grace, nil, ada, .nobody, grace, grace]

    private enum Event: Equatable, Sendable {
        case ran(Int)
        case wentWhileBound(Identity?)
    }

    @Test("before the next piece begins, and outside its scope", arguments: [false, true])
    func beforeTheNext(_ isItem: Bool) async {
        let callers = callers
        let events = await onNewThread { () -> [Event] in
            let events = Notes<Event>()
            let queue = IdentityQueue(label: "batched", draining: .inBatches)
            func submit(_ number: Int) {
                let farewell = Farewell { events.add(.wentWhileBound($0)) }
                let work: @Sendable () -> Void = { withExtendedLifetime(farewell) { events.add(.ran(number)) } }
                if isItem {
                    queue.async(execute: .propagatingIdentity(block: work))
                } else {
                    queue.async(execute: work)
                }
            }
            queue.suspend()
            for (number, caller) in callers.enumerated() { withIdentity(caller) { submit(number) } }
            queue.resume()
            return queue.sync { events.all }
        }
        #expect(events == callers.indices.flatMap { [.ran($0), .wentWhileBound(nil)] })
    }

    @Test("so that its deinit starts tasks with nothing bound") func tasksOfDeinits() async {
        let callers = callers
        let tasks = await onNewThread { () -> [Task<Identity?, Never>] in
            let tasks = Notes<Task<Identity?, Never>>()
            let queue = IdentityQueue(label: "batched", draining: .inBatches)
            func submit() {
                let farewell = Farewell { _ in tasks.add(Task { Identity.current }) }
                queue.async { withExtendedLifetime(farewell) {} }
            }
            queue.suspend()
            for caller in callers { withIdentity(caller) { submit() } }
            queue.resume()
            return queue.sync { tasks.all }
        }
        #expect(tasks.count == callers.count)
        for task in tasks { #expect(await task.value == nil) }
    }

    @Test("with the identity, of which no record is left, and with the queue's list") func identity() async {
        let isGone = await onNewThread { () -> Bool in
            weak var record: IdentityRecord?
            weak var batches: WorkInBatches?
            func use() {
                let queue = IdentityQueue(label: "batched", draining: .inBatches)
                let identity = try? Identity("gone-from-a-batch@contoso.com")
                record = identity?.spelling.record
                batches = queue.batches
                for _ in 0..<500 { withIdentity(identity) { queue.async {} } }
                queue.sync {}
            }
            use()
            // The last turn may retain the list briefly after its last piece of work.
            let end = ContinuousClock.now + .seconds(120)
            while batches != nil, .now < end { sched_yield() }
            return record == nil && batches == nil
        }
        #expect(isGone)
    }
}
