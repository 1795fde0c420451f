public import Dispatch

/// A view of a dispatch source with handlers that run as the identity that set them.
///
/// It has the source's own methods. Declare a source through it, and leave the calls as they are:
///
/// ```swift
/// let timer = DispatchSource.makeTimerSource(queue: queue).propagatingIdentity
/// timer.setEventHandler { poll(mailbox) }  // runs as the identity bound here, each time
/// timer.schedule(deadline: .now(), repeating: .seconds(60))
/// timer.activate()
/// ```
///
/// Each handler is captured when it is set, regardless of who schedules a timer, merges data, sends a signal or cancels. Like
/// the source, the view can be used from any thread, and it keeps the source alive.
public struct IdentitySource<Base>: @unchecked Sendable {
    // `@unchecked Sendable`: a source is a thread-safe object of libdispatch. Its protocols have one class; on Linux they are
    // not marked `Sendable`.

    /// The plain source, for APIs that need one.
    ///
    /// Handlers that are set on it directly carry no identity.
    public let base: Base

    /// The same object, as the protocol of all sources.
    let source: any DispatchSourceProtocol

    init(_ base: Base, _ source: any DispatchSourceProtocol) {
        self.base = base
        self.source = source
    }
}

// The operations of every source besides handlers, forwarded unchanged.
extension IdentitySource {
    /// Starts the source; until then it delivers no events.
    public func activate() { source.activate() }

    /// Undoes one ``suspend()``; starts a source that was never activated.
    public func resume() { source.resume() }

    /// Keeps pending handlers from beginning.
    public func suspend() { source.suspend() }

    /// Cancels the source: no more events arrive, and the cancel handler runs as the identity that set it.
    ///
    /// Its handlers and their captured identities are released as soon as none of them runs; those of a suspended or inactive
    /// source, when it is resumed.
    ///
    /// The caller is the cancel handler's trigger (``IdentityTrigger``). A plain source's own `cancel()` leaves it unknown.
    public func cancel() {
        if !source.isCancelled { SourceCancellation.note(of: source as AnyObject) }
        source.cancel()
    }

    /// Indicates whether the source was cancelled.
    public var isCancelled: Bool { source.isCancelled }

    /// The handle that the source watches, such as a file descriptor or a signal number.
    public var handle: UInt { source.handle }

    /// The events that the source watches for, or the flags of a timer.
    public var mask: UInt { source.mask }

    /// The pending data for the event handler: a number of bytes, signals or timer events, or the merged data.
    public var data: UInt { source.data }
}

// The operations of sources with custom data, forwarded unchanged.
extension IdentitySource where Base == any DispatchSourceUserDataAdd {
    /// Adds to the data that the event handler gets next; the handler still runs as the identity that set it.
    ///
    /// - Parameter data: The number to add; 0 makes no event.
    public func add(data: UInt) { base.add(data: data) }
}

extension IdentitySource where Base == any DispatchSourceUserDataOr {
    /// Sets bits in the data that the event handler gets next; the handler still runs as the identity that set it.
    ///
    /// - Parameter data: The bits to set; 0 makes no event.
    public func or(data: UInt) { base.or(data: data) }
}

extension IdentitySource where Base == any DispatchSourceUserDataReplace {
    /// Replaces the data that the event handler gets next; the handler still runs as the identity that set it.
    ///
    /// - Parameter data: The data; 0 makes no event.
    public func replace(data: UInt) { base.replace(data: data) }
}
