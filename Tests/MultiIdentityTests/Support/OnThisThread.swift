import CMultiIdentity

@testable import MultiIdentity

/// This thread as a worker.
enum OnThisThread {
    static var hasLastingBinding: Bool { mi_thread_current().pointee.lasting != nil }

    /// Runs `work` here, like a worker with work that `identity` handed over.
    static func runHanded(by identity: Identity?, _ work: () -> Void) {
        withoutActuallyEscaping(work) { work in
            // It runs before this returns, and on this thread.
            nonisolated(unsafe) let work = work
            let captured = BoundaryCapture(of: IdentitySnapshot(of: identity), at: .async)
            WorkBox.runGivenUp(WorkBox({ work() }, captured).givenUp())
        }
    }
}
