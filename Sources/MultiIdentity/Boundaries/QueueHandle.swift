import Dispatch

#if os(Linux)
import CDispatch
import CMultiIdentity

/// The C handle of a dispatch queue, which lets a boundary hand over one box where a closure would take two.
///
/// A Swift `DispatchQueue` on Linux is an object around its handle, and keeps the handle to itself. It is read here only
/// where the runtime reports exactly the layout that is expected, and a trial on a queue with a label of its own has
/// shown that what is read is that queue; else there is none, and boundaries take the way of closures.
///
/// `@unchecked Sendable`: the handle is a thread-safe object of libdispatch, and whoever holds it holds the
/// `DispatchQueue` that keeps it alive.
struct QueueHandle: @unchecked Sendable, Hashable {
    private let queue: OpaquePointer

    init?(of queue: DispatchQueue) {
        guard let offset = Self.verifiedOffset else { return nil }
        self.queue = Self.read(from: queue, at: offset)
    }

    /// Hands `box` over; it runs once on the queue.
    func async(_ box: HandedOver) {
        dispatch_async_f(queue, Unmanaged.passRetained(box).toOpaque(), runHandedOver)
    }

    /// Hands `box` over; it runs once, and alone, on the queue.
    func barrierAsync(_ box: HandedOver) {
        dispatch_barrier_async_f(queue, Unmanaged.passRetained(box).toOpaque(), runHandedOver)
    }

    private static let verifiedOffset: Int? = {
        let offset = mi_offset_of_only_field(unsafeBitCast(DispatchQueue.self, to: UnsafeRawPointer.self), "__wrapped")
        guard offset == 2 * UInt(MemoryLayout<UnsafeRawPointer>.size) else { return nil }
        let label = "multi-identity.trial"
        let trial = DispatchQueue(label: label)
        let read = String(cString: dispatch_queue_get_label(Self.read(from: trial, at: Int(offset))))
        return read == label ? Int(offset) : nil
    }()

    /// Sound where `offset` is verified: the object is alive, and the field is constant from its initialiser on.
    private static func read(from queue: DispatchQueue, at offset: Int) -> OpaquePointer {
        withExtendedLifetime(queue) {
            Unmanaged.passUnretained(queue).toOpaque().load(fromByteOffset: offset, as: OpaquePointer.self)
        }
    }
}

/// What libdispatch calls with the box that was handed over: takes back its reference, so that the box, and with it the
/// closure and the identity, go as soon as the work has run, outside its scope.
private func runHandedOver(_ context: UnsafeMutableRawPointer?) {
    guard let context else { return }
    Unmanaged<HandedOver>.fromOpaque(context).takeRetainedValue().run()
}
#else
/// The C handle of a dispatch queue: on other systems than Linux work goes the way of closures.
struct QueueHandle: Sendable, Hashable {
    init?(of queue: DispatchQueue) { return nil }
    func async(_ box: HandedOver) {}
    func barrierAsync(_ box: HandedOver) {}
}
#endif
