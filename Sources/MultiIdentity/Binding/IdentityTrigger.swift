import CMultiIdentity

/// The identity that triggered the current handler; the handler may run as another identity.
///
/// A handler of a cancellation, a termination or a completion runs as its *owner*, which registered it. Its *trigger*
/// is the identity that cancelled, dropped or finished what the handler waits for.
public struct IdentityTrigger: Hashable, Sendable {
    /// The identity that was bound where the handler was triggered; `nil` if none was.
    public let identity: Identity?

    /// The trigger of the handler that runs here; `nil` if no such handler runs, or the trigger is unknown.
    ///
    /// Only the handler itself has it. Work that the handler hands over, a task that it starts, a scope that it opens,
    /// and other work that runs on its thread in the meantime have none.
    public static var current: IdentityTrigger? {
        let thread = mi_thread_current()
        let marked = thread.pointee.trigger
        if marked == 0 || mi_task_current() != thread.pointee.trigger_task { return nil }
        if ThreadMirror.currentBits ^ ThreadMirror.bitsOfNothing != thread.pointee.trigger_binding { return nil }
        // Safe, since `run` on this very thread keeps the snapshot alive while its bits are shown here.
        let bits = (marked & ~1) ^ ThreadMirror.bitsOfNothing
        return IdentityTrigger(identity: IdentitySnapshot(word: bits).identity)
    }

    /// Runs a handler that `snapshot` triggered; `nil` if that is unknown.
    ///
    /// The trigger is in thread-local storage, since handlers are synchronous, and tasks that they start must not inherit it. What is
    /// bound here is bound once more in a frame for the handler: the trigger is visible only while that frame is bound.
    static func run(setOffBy snapshot: IdentitySnapshot?, _ handler: () -> Void) {
        guard let snapshot else { return run(setOffBy: 0, boundAs: 0, handler) }
        let own = ThreadMirror.current().inOwnFrame
        let (trigger, binding) = (ThreadMirror.bits(of: snapshot) | 1, ThreadMirror.bits(of: own))
        own.bind { run(setOffBy: trigger, boundAs: binding ^ ThreadMirror.bitsOfNothing, handler) }
        withExtendedLifetime(snapshot) {}
    }

    private static func run(setOffBy trigger: UInt, boundAs binding: UInt, _ handler: () -> Void) {
        let thread = mi_thread_current()
        let outer = (thread.pointee.trigger, thread.pointee.trigger_task, thread.pointee.trigger_binding)
        thread.pointee.trigger = trigger
        thread.pointee.trigger_task = mi_task_current()
        thread.pointee.trigger_binding = binding
        handler()
        (thread.pointee.trigger, thread.pointee.trigger_task, thread.pointee.trigger_binding) = outer
    }

    /// Returns the bits to bind for work: those of a copy, if the work was captured in the handler that runs here.
    ///
    /// Consumes the reference of the bits, and returns one with the result.
    @inline(__always)
    static func hiding(_ bits: UInt) -> UInt {
        mi_thread_current().pointee.trigger_binding == bits ? copied(bits) : bits
    }

    @inline(never)
    private static func copied(_ bits: UInt) -> UInt {
        IdentitySnapshot(takingOver: bits).inOwnFrame.retainedBits()
    }
}

extension IdentitySnapshot {
    /// The same snapshot in a frame that it shares with no other.
    fileprivate var inOwnFrame: IdentitySnapshot {
        IdentitySnapshot(.frame(OriginFrame(contents ?? BindingFrameContents(identity: identity))))
    }
}
