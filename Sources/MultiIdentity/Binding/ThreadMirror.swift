public import CMultiIdentity

/// A thread-local copy of the task-local's value on this thread, while the thread runs no task.
///
/// The task-local is the source of truth: only it reaches a plain `Task {}`. But reading it costs some 220
/// instructions, and reading the mirror a few. Only callers of this file can bind our task-local (it is not public).
/// Each of them that binds outside a task updates the mirror, and restores it when the binding ends; so on a thread
/// that runs no task the two agree. A running task has its own bindings, about which the mirror says nothing.
///
/// With a runtime that copies bindings, other code can bind it anyway (``ConcurrencyRuntime``): the mirror is not used there.
///
/// One place differs: an `isolated deinit`, for which Swift hides the thread's task-locals without notice. The identity
/// there is that of the code that releases last, or drains the actor; this is documented. A restore there always binds:
/// it checks the runtime before it skips a binding.
@usableFromInline
enum ThreadMirror: Sendable {
    /// The result of ``enter(_:)`` if a task runs: it is no snapshot's bits, which are aligned as references.
    static var nothingToReinstate: UInt { .max }

    /// The flag in the result if it overwrote a binding in place.
    private static var inPlace: UInt { 1 }

    /// The result of ``enterWork(_:)`` if it set the thread's lasting binding.
    private static var inLasting: UInt { 3 }

    /// Binds these bits, with their reference, for a synchronous body; returns the argument for ``leave(_:)``.
    ///
    /// Binds the task-local and, on a thread that runs no task, the mirror too. Such a thread pushes only its first
    /// binding, and overwrites it for those inside (``BindingPlace``).
    static func enter(_ bits: UInt) -> UInt { enter(bits, taskRuns: mi_task_runs()) }

    /// Enters for a caller that already knows whether a task runs here.
    @inline(__always)
    static func enter(_ bits: UInt, taskRuns: Bool) -> UInt {
        if taskRuns {
            push(bits)
            return nothingToReinstate
        }
        let outer = show(bits ^ bitsOfNothing)
        if outer != 0 || mi_thread_current().pointee.lasting != nil, let place = BindingPlace.settable,
            place.holds(outer ^ bitsOfNothing)
        {
            return place.exchange(bits) ^ bitsOfNothing | inPlace
        }
        push(bits)
        return outer
    }

    /// Binds for a boundary's work on a thread that runs no task; returns the argument for ``leaveWork(_:)``.
    ///
    /// If nothing is bound beneath the first such binding, it stays: it is empty between pieces of work, and each is
    /// bound by overwriting it, which takes neither memory nor a lookup.
    @inline(__always)
    static func enterWork(_ bits: UInt) -> UInt {
        mi_lasting_enter(bits, bitsOfNothing) ? inLasting : enterFirstWork(bits)
    }

    @inline(__always)
    static func leaveWork(_ outer: UInt) {
        guard outer == inLasting else { return leave(outer) }
        let inner = mi_lasting_leave(bitsOfNothing)
        if inner != bitsOfNothing { IdentitySnapshot.release(inner) }
    }

    /// Binds a snapshot that the caller keeps alive while `work` runs, without a reference; returns false if there is no
    /// lasting binding, or it is hidden: such work may be run by hand, and so in an `isolated deinit`.
    static func lend(_ bits: UInt, to work: () -> Void) -> Bool {
        guard mi_lasting_enter_if_seen(bits, bitsOfNothing) else { return false }
        work()
        _ = mi_lasting_leave(bitsOfNothing)
        return true
    }

    /// Binds if there is no lasting binding, or it may not be set; this one may become it.
    @inline(never)
    static func enterFirstWork(_ bits: UInt) -> UInt {
        let outer = enter(IdentityTrigger.hiding(bits), taskRuns: false)
        // Not on main, where other code binds and unbinds freely; and not if something is bound beneath, since its end
        // would end this binding instead.
        let lasts =
            outer == 0 && mi_bound_can_last() && !mi_thread_is_main() && BindingPlace.innermost?.becomeLasting() == true
        if lasts { return inLasting }
        _ = mi_thread_watch_end()
        return outer
    }

    private static func push(_ bits: UInt) {
        if !mi_bound_is_known() { _ = IdentitySnapshot.bound }
        mi_bound_push(bits)
    }

    /// Ends the binding after the body of an ``enter(_:)``, on its thread, and restores the mirror.
    @inline(__always)
    static func leave(_ outer: UInt) {
        if outer == nothingToReinstate { return mi_bound_pop() }
        if outer & inPlace != 0 { return leaveInPlace(outer ^ inPlace) }
        // The mirror first: code that runs when the binding is released may read the identity.
        _ = show(outer)
        mi_bound_pop()
    }

    private static func leaveInPlace(_ outer: UInt) {
        _ = show(outer)
        let inner = BindingPlace.innermost?.exchange(outer ^ bitsOfNothing) ?? bitsOfNothing
        if inner != bitsOfNothing { IdentitySnapshot.release(inner) }
    }

    /// Returns what ``leave(_:)`` will release.
    static func toLeave(_ outer: UInt) -> IdentitySnapshot {
        outer == nothingToReinstate ? current() : snapshot(of: mi_thread_current().pointee.mirror)
    }

    /// Sets the mirror of this thread, which runs no task, and returns the former bits.
    static func show(_ bits: UInt) -> UInt {
        let thread = mi_thread_current()
        let outer = thread.pointee.mirror
        thread.pointee.mirror = bits
        return outer
    }

    /// Returns what is bound here: from the mirror or, if a task runs, from the task-local.
    @inlinable @inline(__always)
    static func current() -> IdentitySnapshot {
        // Alive, since a scope on this very thread, or of this very task, retains it.
        snapshot(of: currentBits)
    }

    /// Returns whether exactly `snapshot` is bound here, so that restoring it would change nothing.
    @inline(__always)
    static func shows(_ snapshot: IdentitySnapshot) -> Bool {
        let bits = bits(of: snapshot)
        return currentBits == bits && (bits == 0 || isSeen(bits))
    }

    /// Returns whether the mirror's value is bound; in an `isolated deinit` it is not.
    // Not inlined: at a hand-over usually something else is bound, or nothing.
    @inline(never)
    static func isSeen(_ bits: UInt) -> Bool {
        // Work that a handler handed over makes its own binding, so that it is not mistaken for the handler.
        mi_thread_current().pointee.trigger_binding != bits ^ bitsOfNothing
            && BindingPlace.innermost?.holds(bits ^ bitsOfNothing) == true
    }

    /// True if no task runs here, and nothing is bound.
    static var isClear: Bool { !mi_task_runs() && mi_thread_current().pointee.mirror == 0 }

    /// True if this thread's lasting binding is hidden, as in an `isolated deinit`.
    static var isHidden: Bool {
        mi_thread_current().pointee.lasting.map { mi_bound_get() != UnsafePointer($0) } ?? false
    }

    /// The bits of what is bound here, without a reference.
    @inlinable @inline(__always)
    static var currentBits: UInt { currentBits(taskRuns: mi_task_runs()) }

    /// The same bits, for a caller that already knows whether a task runs here.
    @inlinable @inline(__always)
    static func currentBits(taskRuns: Bool) -> UInt {
        if taskRuns || !mi_mirror_is_asked() { return mi_bound_get().map { $0.pointee ^ bitsOfNothing } ?? 0 }
        return mi_thread_current().pointee.mirror
    }

    /// A snapshot as a number: 0 for nothing, so that a thread that never bound anything is correct without setup.
    static func bits(of snapshot: IdentitySnapshot) -> UInt {
        // Safe, since a snapshot is one word (a test verifies that); the number is compared and never retained.
        snapshot.word ^ bitsOfNothing
    }

    /// Makes the snapshot of these bits, which the caller has to keep alive.
    @inlinable @inline(__always)
    static func snapshot(of bits: UInt) -> IdentitySnapshot {
        IdentitySnapshot(word: bits ^ bitsOfNothing)
    }

    /// The frame of these bits, if they refer to one.
    static func frame(of bits: UInt) -> Borrowed<BindingFrame>? {
        if case .frame(let frame) = snapshot(of: bits).held { Borrowed(frame) } else { nil }
    }

    @inlinable @inline(__always)
    static var bitsOfNothing: UInt { IdentitySnapshot(.nothing).word }
}
