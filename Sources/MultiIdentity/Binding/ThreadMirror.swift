public import CMultiIdentity

/// A copy, in thread-local storage, of what the task-local holds on this thread while it runs no task.
///
/// The task-local is the store of truth: only it reaches a plain `Task {}`. But a read of it costs some 220
/// instructions, and a read of the mirror a few. Nobody outside this file's callers can bind our task-local (it is not
/// public), and each of them that binds without a task shows here what it binds, and what was there before when it ends; so on
/// a thread that runs no task the two agree. A running task has bindings of its own, which the mirror says nothing about.
///
/// With a runtime that copies bindings others can bind it all the same (``ConcurrencyRuntime``): the mirror is not asked
/// there.
///
/// One place differs: an `isolated deinit`, for which Swift hides the thread's task-locals and tells nobody. Identity
/// there is that of the code that releases last, or drains the actor, and is documented as such. What is restored
/// there is bound: nothing is spared before the runtime was asked.
@usableFromInline
enum ThreadMirror: Sendable {
    /// The result of ``enter(_:)`` where a task runs: no snapshot's bits, which as references are aligned.
    static var nothingToReinstate: UInt { .max }

    /// The mark that it adds to the bits where it set a binding anew.
    private static var inPlace: UInt { 1 }

    /// The result of ``enterWork(_:)`` where it set the thread's lasting binding.
    private static var inLasting: UInt { 3 }

    /// Binds these bits, and the reference with them, for a synchronous body; returns what ``leave(_:)`` takes.
    ///
    /// In the task-local, and on a thread that runs no task in the mirror too. Such a thread pushes its first binding
    /// alone, and sets that anew for those inside (``BindingPlace``).
    static func enter(_ bits: UInt) -> UInt { enter(bits, taskRuns: mi_task_runs()) }

    /// The same for a caller that knows already whether a task runs here.
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

    /// Binds for a boundary's work on a thread that runs no task; returns what ``leaveWork(_:)`` takes.
    ///
    /// Where nothing lies beneath the first such binding, it stays: it holds nothing between one piece of work and the
    /// next, and each is bound by setting it anew, which takes neither memory nor a look for it.
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

    /// Binds what somebody else keeps meanwhile for `work`, and takes no reference; false where there is no lasting binding,
    /// or it is hidden: such work may be run by hand, and so in an `isolated deinit`.
    static func lend(_ bits: UInt, to work: () -> Void) -> Bool {
        guard mi_lasting_enter_if_seen(bits, bitsOfNothing) else { return false }
        work()
        _ = mi_lasting_leave(bitsOfNothing)
        return true
    }

    /// The same where there is no lasting binding, or none that may be set; this one may become it.
    @inline(never)
    static func enterFirstWork(_ bits: UInt) -> UInt {
        let outer = enter(IdentityTrigger.hiding(bits), taskRuns: false)
        // Not on main, where others bind and unbind as they like; and not where something is bound beneath: the end of that
        // would end this in its place.
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

    /// After the body of an ``enter(_:)``, on its thread: ends the binding, and has what was shown before shown again.
    @inline(__always)
    static func leave(_ outer: UInt) {
        if outer == nothingToReinstate { return mi_bound_pop() }
        if outer & inPlace != 0 { return leaveInPlace(outer ^ inPlace) }
        // The mirror first: what goes with the binding may ask who is bound.
        _ = show(outer)
        mi_bound_pop()
    }

    private static func leaveInPlace(_ outer: UInt) {
        _ = show(outer)
        let inner = BindingPlace.innermost?.exchange(outer ^ bitsOfNothing) ?? bitsOfNothing
        if inner != bitsOfNothing { IdentitySnapshot.release(inner) }
    }

    /// Returns what ``leave(_:)`` is going to end.
    static func toLeave(_ outer: UInt) -> IdentitySnapshot {
        outer == nothingToReinstate ? current() : snapshot(of: mi_thread_current().pointee.mirror)
    }

    /// Shows these bits on this thread, which runs no task, and gives those that were shown before.
    static func show(_ bits: UInt) -> UInt {
        let thread = mi_thread_current()
        let outer = thread.pointee.mirror
        thread.pointee.mirror = bits
        return outer
    }

    /// Returns what is bound here: from the mirror, or where a task runs from the task-local.
    @inlinable @inline(__always)
    static func current() -> IdentitySnapshot {
        // Alive, since a scope on this very thread, or of this very task, keeps it.
        snapshot(of: currentBits)
    }

    /// Returns whether exactly `snapshot` is bound here, so that restoring it would change nothing.
    @inline(__always)
    static func shows(_ snapshot: IdentitySnapshot) -> Bool {
        let bits = bits(of: snapshot)
        return currentBits == bits && (bits == 0 || isSeen(bits))
    }

    /// Returns whether what is shown here is bound, as what the mirror shows is not in an `isolated deinit`.
    // Not inline: where work is handed over, something else is bound, or nothing.
    @inline(never)
    static func isSeen(_ bits: UInt) -> Bool {
        // What a handler handed over binds for itself, and so is not taken for the handler.
        mi_thread_current().pointee.trigger_binding != bits ^ bitsOfNothing
            && BindingPlace.innermost?.holds(bits ^ bitsOfNothing) == true
    }

    /// True if no task runs here, and nothing is bound.
    static var isClear: Bool { !mi_task_runs() && mi_thread_current().pointee.mirror == 0 }

    /// True if this thread's lasting binding is hidden, as in an `isolated deinit`.
    static var isHidden: Bool {
        mi_thread_current().pointee.lasting.map { mi_bound_get() != UnsafePointer($0) } ?? false
    }

    /// The bits of what is bound here, which stand for no reference of their own.
    @inlinable @inline(__always)
    static var currentBits: UInt { currentBits(taskRuns: mi_task_runs()) }

    /// The same for a caller that knows already whether a task runs here.
    @inlinable @inline(__always)
    static func currentBits(taskRuns: Bool) -> UInt {
        if taskRuns || !mi_mirror_is_asked() { return mi_bound_get().map { $0.pointee ^ bitsOfNothing } ?? 0 }
        return mi_thread_current().pointee.mirror
    }

    /// A snapshot as a number: 0 for nothing, so that a thread that never bound anything is right by itself.
    static func bits(of snapshot: IdentitySnapshot) -> UInt {
        // Sound, since a snapshot is one word (a test checks that); the number is compared and never retained.
        snapshot.word ^ bitsOfNothing
    }

    /// The snapshot of these bits, which somebody has to keep alive meanwhile.
    @inlinable @inline(__always)
    static func snapshot(of bits: UInt) -> IdentitySnapshot {
        IdentitySnapshot(word: bits ^ bitsOfNothing)
    }

    /// The frame of these bits, if they are one's.
    static func frame(of bits: UInt) -> Borrowed<BindingFrame>? {
        if case .frame(let frame) = snapshot(of: bits).held { Borrowed(frame) } else { nil }
    }

    @inlinable @inline(__always)
    static var bitsOfNothing: UInt { IdentitySnapshot(.nothing).word }
}
