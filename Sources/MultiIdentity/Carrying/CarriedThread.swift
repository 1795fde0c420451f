import CMultiIdentity

/// The outermost work of a thread, which can exit in it.
package enum CarriedThread: Sendable {
    /// Runs `work`, in which scopes may be left open, by `Thread.exit()` or `pthread_exit`.
    ///
    /// Then nothing is bound for code that still runs on the thread: the destructors of its thread-local values, which may run any code.
    package static func run(_ work: () -> Void) {
        withoutActuallyEscaping(work) { work in
            var work = work
            withUnsafeMutablePointer(to: &work) { work in
                mi_run_thread({ $0?.assumingMemoryBound(to: (() -> Void).self).pointee() }, work)
            }
        }
    }
}
