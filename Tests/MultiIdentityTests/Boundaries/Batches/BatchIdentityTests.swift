import Dispatch
import MultiIdentityDiagnostics
import Testing

@testable import MultiIdentity

@Suite("In a batch each piece of work runs as its own caller", .rule("4.12")) struct BatchIdentityTests {
    /// In sequence: the same, another, nobody, none, and the first again.
    private let callers: [Identity?] = [nil, ada, ada, grace, .nobody, .nobody, ada, nil, nil, grace, nil, ada]

    /// Hands over work of all callers as one batch, and returns the result of `look` in each.
    private func inEach<Value: Sendable>(
        on target: DispatchQueue? = nil,
        _ look: @escaping @Sendable () -> Value
    ) async -> [Value] {
        let callers = callers
        return await onNewThread {
            let notes = Notes<Value>()
            let queue = IdentityQueue(label: "batched", target: target, draining: .inBatches)
            queue.suspend()
            for caller in callers { withIdentity(caller) { queue.async { notes.add(look()) } } }
            queue.resume()
            return queue.sync { notes.all }
        }
    }

    @Test("in the mirror and in the task-local") func looks() async {
        let looks = await inEach { Look() }
        #expect(looks.map(\.identity) == callers)
        #expect(looks.allSatisfy { $0.agree })
    }

    @Test("in tasks that it starts, which keep it although the next piece of work has another") func tasks() async {
        let gate = Gate()
        let tasks = await inEach {
            Task {
                let first = Identity.current
                await gate.wait()
                return [first, Identity.current]
            }
        }
        gate.open()
        for (task, caller) in zip(tasks, callers) { #expect(await task.value == [caller, caller]) }
    }

    @Test("while counters count, and on a worker that already has an identity") func observed() async {
        let looks = await ProcessWideSwitch.exclusively {
            HopCounters.areEnabled = true
            let looks = await inEach { Look() }
            HopCounters.areEnabled = false
            return looks
        }
        #expect(looks.map(\.identity) == callers)
        #expect(looks.allSatisfy { $0.agree })
    }

    @Test("on a worker with a scope around the batch, whose identity is restored in between and afterwards")
    func inAScope() async throws {
        let (callers, worker) = (callers, try Identity("worker@contoso.com"))
        let (found, between, after) = await onNewThread {
            let (found, between) = (Notes<Look>(), Notes<Look>())
            let queue = DispatchQueue(label: "batched")
            let batches = WorkInBatches(of: queue, target: nil, handle: nil)
            queue.suspend()
            for caller in callers {
                let captured = withIdentity(caller) { BoundaryCapture(at: .async) }
                batches.add(BatchedWork({ found.add(Look()) }, captured))
                batches.add(BatchedWork(item: DispatchWorkItem { between.add(Look()) }))
            }
            let after = withIdentity(worker) {
                batches.runTurn()
                return Look()
            }
            queue.resume()
            queue.sync {}
            return (found.all, between.all, after)
        }
        #expect(found.map(\.identity) == callers)
        #expect(found.allSatisfy { $0.agree })
        #expect(between.allSatisfy { Look.shows(worker, $0) })
        #expect(Look.shows(worker, after))
    }

    @Test("in a task that runs the batch, as a run loop in asynchronous code does") func inATask() async throws {
        let (callers, worker) = (callers, try Identity("worker@contoso.com"))
        let queue = DispatchQueue(label: "batched")
        let batches = WorkInBatches(of: queue, target: nil, handle: nil)
        let found = Notes<Look>()
        queue.suspend()
        for caller in callers {
            let captured = withIdentity(caller) { BoundaryCapture(at: .async) }
            batches.add(BatchedWork({ found.add(Look()) }, captured))
        }
        let after = withIdentity(worker) { () -> Look in
            batches.runTurn()
            return Look()
        }
        queue.resume()
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
        #expect(found.all.map(\.identity) == callers)
        #expect(after.identity == worker)
    }
}
