import CMultiIdentity
import MultiIdentity

/// The identity that a lease is for, and the task or thread that takes it.
enum Lessee: Sendable {
    /// The owner of the work here, as for files: of the thread's identity, else the process's.
    ///
    /// Nobody where it was only inferred; `nil` where no level is set.
    static var current: WorkOwner? { EffectiveIdentity.ownerOfFiles }

    /// The task that runs here, or the thread where none does: by its address, to be compared while it holds a lease.
    static var holder: UInt {
        let task = mi_task_current()
        return task != 0 ? task : UInt(bitPattern: mi_thread_current())
    }

    /// True if the task that runs here was cancelled.
    static var isCancelled: Bool { mi_task_runs() && Task.isCancelled }
}
