import CMultiIdentity

/// The outermost work of a thread of its own, which can exit in it.
package enum CarriedThread: Sendable {
    /// Runs `work`, in which scopes may be left without an end: by `Thread.exit()` or `pthread_exit`.
    ///
    /// Then nothing is bound for what still runs on the thread: the destructors of its thread-local values, which run code
    /// of anybody's.
    package static func run(_ work: () -> Void) {
        withoutActuallyEscaping(work) { work in
            var work = work
            withUnsafeMutablePointer(to: &work) { work in
                mi_run_thread({ $0?.assumingMemoryBound(to: (() -> Void).self).pointee() }, work)
            }
        }
    }
}
