import Dispatch
import MultiIdentity

extension Stage {
    /// Takes a step that has to do with a queue; each piece of work that a queue was handed gets its gate at once.
    func takeOnQueue(_ action: ScheduledStep.Action) {
        switch action {
        case .async(let number, let work):
            subject.async(on: queue(number).base, body(of: work))
            queue(number).addGate()
        case .barrier(let number, let work):
            subject.barrier(on: queue(number).base, body(of: work))
            queue(number).addGate()
        case .grouped(let number, let work):
            subject.async(on: queue(number).base, in: group, body(of: work))
            queue(number).addGate()
        case .sync(let number, let work):
            sync(work, on: queue(number))
        case .makeItem(let work):
            keep(.item(SharedItem(item: subject.item(body(of: work)))), for: work)
        case .dispatch(let work, let number):
            guard case .item(let item) = handle(of: work) else { return }
            subject.dispatch(item.item, on: queue(number).base)
            queue(number).addGate()
        case .perform(let work):
            if case .item(let item) = handle(of: work) { subject.perform(item.item) }
        case .observe(let observed, let number, let work):
            // Its gate stands behind it when the item has run.
            guard case .item(let item) = handle(of: observed) else { return }
            subject.notify(of: item.item, on: queue(number).base, body(of: work))
        case .notify(let number, let work):
            subject.notify(of: group, on: queue(number).base, body(of: work))
        default:
            break
        }
    }

    private func queue(_ number: Int) -> HeldQueue { queues[number - 1] }

    /// The queue is idle: what is handed to it runs at once, and its gate is the first thing behind it.
    private func sync(_ work: Int, on queue: HeldQueue) {
        let body = syncBody(of: work, queue)
        queue.release()
        enter { () throws(Leaving) in try subject.sync(on: queue.base) { () throws(Leaving) in try body() } }
    }

    private func syncBody(of work: Int, _ queue: HeldQueue) -> () throws(Leaving) -> Void {
        let captive = Captive(of: work, in: roster)
        return { [self] () throws(Leaving) in
            defer { withExtendedLifetime(captive) {} }
            queue.addGate()
            guard let worker = arrival(of: work) else { return reports.add(.stray(work: work)) }
            try occupy(worker)
        }
    }
}
