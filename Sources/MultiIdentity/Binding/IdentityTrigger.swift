import CMultiIdentity

/// The identity that set off the handler that runs here, which need not be the one that it runs as.
///
/// A handler of a cancellation, a termination or a completion runs as its *owner*, which registered it. Its *trigger*
/// is the identity that cancelled, dropped or finished what it waits for.
public struct IdentityTrigger: Hashable, Sendable {
    /// The identity that was bound where the handler was set off; `nil` if nothing was.
    public let identity: Identity?

    /// The trigger of the handler that runs here; `nil` where no such handler runs, or where it cannot be known.
    ///
    /// It is the handler's alone. Work that the handler hands over has none, nor has a task that it starts, a scope that it
    /// opens, or other work that runs on its thread meanwhile.
    public static var current: IdentityTrigger? {
        let thread = mi_thread_current()
        let marked = thread.pointee.trigger
        if marked == 0 || mi_task_current() != thread.pointee.trigger_task { return nil }
        if ThreadMirror.currentBits ^ ThreadMirror.bitsOfNothing != thread.pointee.trigger_binding { return nil }
        // Sound, since `run` on this very thread keeps the snapshot alive while its bits are shown here.
        let bits = (marked & ~1) ^ ThreadMirror.bitsOfNothing
        return IdentityTrigger(identity: IdentitySnapshot(word: bits).identity)
    }

    /// Runs a handler that `snapshot` set off; `nil` where that is not known.
    ///
    /// In thread-local storage, since handlers are synchronous, and what they start is not to inherit it. What is bound here is
    /// bound once more in a frame of the handler's own: only while that is bound is the trigger seen.
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

    /// The bits to bind for work: those of a copy, where the work was captured in the handler that runs here.
    ///
    /// The reference that goes with the bits is taken over, and one goes with the result.
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
    /// The same in a frame that is no other's.
    fileprivate var inOwnFrame: IdentitySnapshot {
        IdentitySnapshot(.frame(OriginFrame(contents ?? BindingFrameContents(identity: identity))))
    }
}
