import CMultiIdentity
import MultiIdentity

/// The task or thread that takes a lease.
enum Lessee: Sendable {
    /// The task that runs here, or the thread where none does: by its address, to be compared while it holds a lease.
    static var holder: UInt {
        let task = mi_task_current()
        return task != 0 ? task : UInt(bitPattern: mi_thread_current())
    }

    /// True if the task that runs here was cancelled.
    static var isCancelled: Bool { mi_task_is_cancelled() }
}
