import CMultiIdentity

/// A copy, in thread-local storage, of what the task-local holds on this thread while it runs no task.
///
/// The task-local is the store of truth: only it reaches a plain `Task {}`. But a read of it costs some 220
/// instructions, and a read of the mirror a few. Nobody outside this file's callers can bind our task-local (it is not
/// public), and each of them that binds without a task goes through ``enter(_:)`` and ``leave(_:)``; so on a thread that
/// runs no task the two agree. A running task has bindings of its own, which the mirror says nothing about.
///
/// One place differs: an `isolated deinit`, for which Swift hides the thread's task-locals and tells nobody. Identity
/// there is that of whoever happens to release last, or drains the actor, and is documented as such.
@usableFromInline
enum ThreadMirror: Sendable {
    /// What ``enter(_:)`` gives where a task runs: no snapshot's bits, which as references are aligned.
    private static var nothingToReinstate: UInt { .max }

    /// Before binding `snapshot` for a synchronous body: shows it on this thread, and gives what to reinstate.
    @usableFromInline
    static func enter(_ snapshot: IdentitySnapshot) -> UInt {
        if mi_task_runs() { return nothingToReinstate }
        let thread = mi_thread_current()
        let outer = thread.pointee.mirror
        thread.pointee.mirror = bits(of: snapshot)
        return outer
    }

    /// After the body of an ``enter(_:)``, on its thread: reinstates what was shown before.
    @usableFromInline
    static func leave(_ outer: UInt) {
        if outer != nothingToReinstate { mi_thread_current().pointee.mirror = outer }
    }

    /// What is bound here: from the mirror, or where a task runs from the task-local.
    @inline(__always)
    static func current() -> IdentitySnapshot {
        if mi_task_runs() { return IdentitySnapshot.bound.get() }
        // Sound, since the bits are a snapshot's that a scope on this very thread keeps alive while it is shown here.
        return unsafeBitCast(mi_thread_current().pointee.mirror ^ bitsOfNothing, to: IdentitySnapshot.self)
    }

    /// Whether exactly `snapshot` is bound here, so that restoring it would change nothing.
    @inline(__always)
    static func shows(_ snapshot: IdentitySnapshot) -> Bool {
        if mi_task_runs() { return bits(of: IdentitySnapshot.bound.get()) == bits(of: snapshot) }
        return mi_thread_current().pointee.mirror == bits(of: snapshot)
    }

    /// A snapshot as a number: 0 for nothing, so that a thread that never bound anything is right by itself.
    @inline(__always)
    static func bits(of snapshot: IdentitySnapshot) -> UInt {
        // Sound, since a snapshot is one word (held by a test); the number is compared and never retained.
        unsafeBitCast(snapshot, to: UInt.self) ^ bitsOfNothing
    }

    @inline(__always)
    static var bitsOfNothing: UInt { unsafeBitCast(IdentitySnapshot(.nothing), to: UInt.self) }
}
