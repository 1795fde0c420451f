import Dispatch
import MultiIdentity
import Synchronization

/// A post where a worker waits for orders: its thread blocks in synchronous code, its task suspends in asynchronous.
final class WorkerPost: Sendable {
    enum Order: Sendable {
        case take(ScheduledStep.Action)
        case leave(Leaving)
        /// Says what is found here.
        case look
        /// The exploration is over: everything unwinds.
        case close
    }

    private struct State: Sendable {
        var orders: [Order] = []
        var waiting: CheckedContinuation<Order, Never>?
        var isClosed = false
    }

    private let state = Mutex(State())
    private let arrived = DispatchSemaphore(value: 0)

    func send(_ order: Order) {
        let waiting = state.withLock { state -> CheckedContinuation<Order, Never>? in
            if let waiting = state.waiting {
                state.waiting = nil
                return waiting
            }
            state.orders.append(order)
            return nil
        }
        if let waiting { waiting.resume(returning: order) } else { arrived.signal() }
    }

    /// Sends the order to unwind to those that wait here, now or later.
    func close() {
        let waiting = state.withLock { state in
            defer { state.waiting = nil }
            state.isClosed = true
            return state.waiting
        }
        waiting?.resume(returning: .close)
        arrived.signal()
    }

    /// The next order, for a thread, which blocks.
    func waitForOrder() -> Order {
        arrived.wait()
        let order = state.withLock { state -> Order in
            if state.isClosed { return .close }
            return state.orders.isEmpty ? .close : state.orders.removeFirst()
        }
        if case .close = order { arrived.signal() }  // for the frame outside this one, which unwinds next
        return order
    }

    /// The next order, for a task, which suspends.
    nonisolated(nonsending) func nextOrder() async -> Order {
        await withCheckedContinuation { continuation in
            let order = state.withLock { state -> Order? in
                if state.isClosed { return .close }
                if !state.orders.isEmpty { return state.orders.removeFirst() }
                state.waiting = continuation
                return nil
            }
            guard let order else { return }
            if case .close = order {} else { arrived.wait() }  // the signal that came with the order
            continuation.resume(returning: order)
        }
    }
}
