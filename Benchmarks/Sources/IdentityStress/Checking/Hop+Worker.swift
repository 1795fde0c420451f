import Dispatch
import MultiIdentity

// Whether the worker has its own identity back after the work. Each boundary asks in the way that fits it: by a raw
// closure behind the work on the same queue, or around a call that is made under another identity.
extension Hop {
    /// Asks the queue's worker with a raw closure: to be called at the end of the work, so that the question comes after.
    func askWorker(on queue: DispatchQueue, isOnMain: Bool = false) {
        request.enter()
        // With nothing bound, which goes as it is in automatic mode too.
        request.stress.host.nothing.restore {
            queue.async {
                checkBareWorker(isOnMain: isOnMain)
                request.leave()
            }
        }
    }

    /// Asks the workers of asynchronous code: in turn with a plain detached task, and a raw closure on a global queue.
    func askTaskWorker() {
        if step.variant & 1 == 0 { return askWorker(on: .global()) }
        request.enter()
        Task.detached {
            checkBareWorker(isOnMain: false)
            request.leave()
        }
    }

    /// A worker that had nothing bound has nothing bound.
    func checkBareWorker(isOnMain: Bool) {
        let bare = request.stress.host.bare
        if request.stress.sabotage?.worker == Int(step.boundary) {
            request.asItself { _ = check(bare, .worker, isOnMain: isOnMain) }
        } else {
            check(bare, .worker, isOnMain: isOnMain)
        }
    }

    /// A worker that ran under the stranger's identity is the stranger again.
    func checkStrangersWorker(isOnMain: Bool = false) {
        if request.stress.sabotage?.worker == Int(step.boundary) {
            request.asItself { _ = check(request.expectedOfStranger, .worker, isOnMain: isOnMain) }
        } else {
            check(request.expectedOfStranger, .worker, isOnMain: isOnMain)
        }
    }

    /// Checks that a caller is itself again after its own thread ran the work.
    func checkCallersThread(isOnMain: Bool) {
        if request.stress.sabotage?.worker == Int(step.boundary) {
            withIdentity(stranger) { _ = check(request.expected, .worker, isOnMain: isOnMain) }
        } else {
            check(request.expected, .worker, isOnMain: isOnMain)
        }
    }
}
