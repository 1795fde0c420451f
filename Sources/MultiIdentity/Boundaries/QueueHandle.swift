import Dispatch

#if os(Linux)
import CDispatch

/// The C handle of a dispatch queue, which lets a boundary hand over one box where a closure would take two.
///
/// Where a layout is not what it is expected to be (``DispatchHandle``) there is none, and boundaries hand over closures.
///
/// `@unchecked Sendable`: the handle is a thread-safe object of libdispatch, and whoever holds it holds the
/// `DispatchQueue` that keeps it alive.
struct QueueHandle: @unchecked Sendable, Hashable {
    private let queue: OpaquePointer

    init?(of queue: DispatchQueue) {
        guard let handle = Self.handle else { return nil }
        self.queue = handle.read(from: queue)
    }

    /// Hands `box` over; it runs once on the queue.
    func async(_ box: HandedOver) {
        dispatch_async_f(queue, box.retained(), HandedOver.runRetained)
    }

    /// Hands `box` over; it runs once on the queue, and counts for the group until then.
    func async(_ group: GroupHandle, _ box: HandedOver) {
        dispatch_group_async_f(group.group, queue, box.retained(), HandedOver.runRetained)
    }

    /// Hands `box` over; it runs once, and alone, on the queue.
    func barrierAsync(_ box: HandedOver) {
        dispatch_barrier_async_f(queue, box.retained(), HandedOver.runRetained)
    }

    /// Hands `box` over; it runs once on the queue, at `time` or later.
    ///
    /// At the end of time libdispatch drops what it is given; so does this.
    func async(after time: UInt64, _ box: HandedOver) {
        if time != dispatch_time_t.max { dispatch_after_f(time, queue, box.retained(), HandedOver.runRetained) }
    }

    /// Hands `box` over; it runs once on the queue, when the group is empty.
    func notify(of group: GroupHandle, _ box: HandedOver) {
        dispatch_group_notify_f(group.group, queue, box.retained(), HandedOver.runRetained)
    }

    private static let handle = DispatchHandle(in: DispatchQueue.self) { handle in
        let label = "multi-identity.trial"
        let trial = DispatchQueue(label: label)
        return withExtendedLifetime(trial) {
            String(cString: dispatch_queue_get_label(handle.read(from: trial))) == label
        }
    }
}

extension HandedOver {
    fileprivate func retained() -> UnsafeMutableRawPointer { Unmanaged.passRetained(self).toOpaque() }

    /// What libdispatch calls with a box that was handed over.
    ///
    /// It takes back the box's reference, so that the box, and with it the closure and the identity, go as soon as the
    /// work has run, outside its scope.
    fileprivate static let runRetained: dispatch_function_t = { context in
        guard let context else { return }
        Unmanaged<HandedOver>.fromOpaque(context).takeRetainedValue().run()
    }
}
#else
/// The C handle of a dispatch queue: on other systems than Linux there is none, and boundaries hand over closures.
enum QueueHandle: Sendable, Hashable {
    init?(of queue: DispatchQueue) { return nil }
    func async(_ box: HandedOver) {}
    func async(_ group: GroupHandle, _ box: HandedOver) {}
    func barrierAsync(_ box: HandedOver) {}
    func async(after time: UInt64, _ box: HandedOver) {}
    func notify(of group: GroupHandle, _ box: HandedOver) {}
}
#endif
