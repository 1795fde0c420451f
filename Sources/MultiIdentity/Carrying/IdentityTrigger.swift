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
    /// It is the handler's alone, while that runs: work that the handler hands over to run later has none, nor has a task
    /// that it starts.
    public static var current: IdentityTrigger? {
        let thread = mi_thread_current()
        let marked = thread.pointee.trigger
        if marked == 0 || mi_task_current() != thread.pointee.trigger_task { return nil }
        // Sound, since `run` on this very thread keeps the snapshot alive while its bits are shown here.
        let bits = (marked & ~1) ^ ThreadMirror.bitsOfNothing
        return IdentityTrigger(identity: IdentitySnapshot(word: bits).identity)
    }

    /// Runs a handler that `snapshot` set off; `nil` where that is not known.
    ///
    /// In thread-local storage, since handlers are synchronous, and what they start is not to inherit it.
    static func run(setOffBy snapshot: IdentitySnapshot?, _ handler: () -> Void) {
        let thread = mi_thread_current()
        let (outer, outerTask) = (thread.pointee.trigger, thread.pointee.trigger_task)
        thread.pointee.trigger = snapshot.map { ThreadMirror.bits(of: $0) | 1 } ?? 0
        thread.pointee.trigger_task = mi_task_current()
        defer {
            thread.pointee.trigger = outer
            thread.pointee.trigger_task = outerTask
        }
        withExtendedLifetime(snapshot) { handler() }
    }
}
