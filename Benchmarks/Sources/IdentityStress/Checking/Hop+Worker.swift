import Dispatch
import MultiIdentity

// Checks whether the worker has its own identity again after the work. Each boundary does so in a suitable form: with a raw
// closure behind the work on the same queue, or around a call under another identity.
extension Hop {
    /// Checks the queue's worker with a raw closure; call this at the end of the work, so that the check comes after it.
    func askWorker(on queue: DispatchQueue, isOnMain: Bool = false) {
        request.enter()
        // With nothing bound, so that automatic mode propagates nothing either.
        request.stress.host.nothing.restore {
            queue.async {
                checkBareWorker(isOnMain: isOnMain)
                request.leave()
            }
        }
    }

    /// Checks the workers of asynchronous code, in turn with a plain detached task and a raw closure on a global queue.
    func askTaskWorker() {
        if step.variant & 1 == 0 { return askWorker(on: .global()) }
        request.enter()
        Task.detached {
            checkBareWorker(isOnMain: false)
            request.leave()
        }
    }

    /// Checks that a worker without an identity still has none.
    func checkBareWorker(isOnMain: Bool) {
        let bare = request.stress.host.bare
        if request.stress.sabotage?.worker == Int(step.boundary) {
            request.asItself { _ = check(bare, .worker, isOnMain: isOnMain) }
        } else {
            check(bare, .worker, isOnMain: isOnMain)
        }
    }

    /// Checks that a worker with the stranger's identity has it again.
    func checkStrangersWorker(isOnMain: Bool = false) {
        if request.stress.sabotage?.worker == Int(step.boundary) {
            request.asItself { _ = check(request.expectedOfStranger, .worker, isOnMain: isOnMain) }
        } else {
            check(request.expectedOfStranger, .worker, isOnMain: isOnMain)
        }
    }

    /// Checks that a caller has its identity again after its own thread ran the work.
    func checkCallersThread(isOnMain: Bool) {
        if request.stress.sabotage?.worker == Int(step.boundary) {
            withIdentity(stranger) { _ = check(request.expected, .worker, isOnMain: isOnMain) }
        } else {
            check(request.expected, .worker, isOnMain: isOnMain)
        }
    }
}
