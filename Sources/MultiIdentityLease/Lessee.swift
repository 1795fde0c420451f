import CMultiIdentity
import MultiIdentity

/// The task or thread that takes a lease.
enum Lessee: Sendable {
    /// The address of the current task, or of the thread if there is none; compared while it has a lease.
    static var holder: UInt {
        let task = mi_task_current()
        return task != 0 ? task : UInt(bitPattern: mi_thread_current())
    }

    /// True if the current task is cancelled.
    static var isCancelled: Bool { mi_task_is_cancelled() }
}
