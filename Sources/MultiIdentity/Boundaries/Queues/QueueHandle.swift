import Dispatch

#if os(Linux)
import CDispatch

/// The C handle of a dispatch queue, which lets a boundary hand over one box instead of two closures.
///
/// If a layout is not as expected (``DispatchHandle``), there is no handle, and boundaries hand over closures.
///
/// `@unchecked Sendable`: the handle is a thread-safe object of libdispatch, and its owner retains the `DispatchQueue` that
/// keeps it alive.
struct QueueHandle: @unchecked Sendable, Hashable {
    private let queue: OpaquePointer

    init?(of queue: DispatchQueue) {
        guard let handle = Self.handle else { return nil }
        self.queue = handle.read(from: queue)
    }

    /// Hands over `box`, which runs once on the queue.
    func async(_ box: consuming WorkBox) {
        dispatch_async_f(queue, box.givenUp(), WorkBox.runGivenUp)
    }

    /// Hands over the box that `box` makes; returns false, and makes none, if libdispatch has no function for it that takes a box.
    ///
    /// Work for `.distantFuture` is dropped, as libdispatch does.
    func hand(_ how: HandOver, _ box: () -> WorkBox) -> Bool {
        guard how.qos == .unspecified, how.flags.isEmpty || how.flags == .barrier && how.group == nil && how.time == nil
        else { return false }
        if let time = how.time?.rawValue {
            if time != dispatch_time_t.max { dispatch_after_f(time, queue, box().givenUp(), WorkBox.runGivenUp) }
        } else if let group = how.group {
            guard let group = GroupHandle(of: group) else { return false }
            dispatch_group_async_f(group.group, queue, box().givenUp(), WorkBox.runGivenUp)
        } else if how.flags == .barrier {
            dispatch_barrier_async_f(queue, box().givenUp(), WorkBox.runGivenUp)
        } else {
            async(box())
        }
        return true
    }

    /// Runs `work` on the queue as `caller`, which waits for it; it uses no memory but the caller's stack.
    func sync(as caller: CallersThread, _ work: () -> Void) {
        withoutActuallyEscaping(work) { work in
            var waited = WaitedFor(caller: caller, work: work)
            withUnsafeMutablePointer(to: &waited) { dispatch_sync_f(queue, $0, WaitedFor.run) }
        }
    }

    /// Hands over `function`, which runs once on the queue.
    func async(
        _ context: UnsafeMutableRawPointer,
        _ function: @escaping @convention(c) (UnsafeMutableRawPointer?) -> Void
    ) {
        dispatch_async_f(queue, context, function)
    }

    /// Hands over `box`, which runs once on the queue, when the group is empty.
    func notify(of group: GroupHandle, _ box: consuming WorkBox) {
        dispatch_group_notify_f(group.group, queue, box.givenUp(), WorkBox.runGivenUp)
    }

    private static let handle = DispatchHandle(in: DispatchQueue.self) { handle in
        let label = "multi-identity.trial"
        let trial = DispatchQueue(label: label)
        return withExtendedLifetime(trial) {
            String(cString: dispatch_queue_get_label(handle.read(from: trial))) == label
        }
    }
}

/// Work that its caller waits for, on the caller's stack.
private struct WaitedFor {
    let caller: CallersThread
    let work: () -> Void

    static let run: dispatch_function_t = { context in
        guard let waited = context?.assumingMemoryBound(to: WaitedFor.self) else { return }
        waited.pointee.caller.run(waited.pointee.work)
    }
}
#else
/// The C handle of a dispatch queue: only Linux has one; elsewhere boundaries hand over closures.
enum QueueHandle: Sendable, Hashable {
    init?(of queue: DispatchQueue) { return nil }
    func async(_ box: consuming WorkBox) {}
    func hand(_ how: HandOver, _ box: () -> WorkBox) -> Bool { false }
    func sync(as caller: CallersThread, _ work: () -> Void) {}
    func async(_ context: UnsafeMutableRawPointer, _ function: @convention(c) (UnsafeMutableRawPointer?) -> Void) {}
    func notify(of group: GroupHandle, _ box: consuming WorkBox) {}
}
#endif
