public import Dispatch

/// A view of a dispatch source with handlers that run as the identity that set them.
///
/// It has the source's own methods, so a source can be declared through it and no call on the source changes:
///
/// ```swift
/// let timer = DispatchSource.makeTimerSource(queue: queue).propagatingIdentity
/// timer.setEventHandler { poll(mailbox) }  // runs as the identity bound here, each time
/// timer.schedule(deadline: .now(), repeating: .seconds(60))
/// timer.activate()
/// ```
///
/// Each handler is captured when it is set: who schedules a timer, merges data, sends a signal or
/// cancels does not matter. Like the source it can be used from any thread, and it keeps the source alive.
///
/// `@unchecked Sendable`: a source is a thread-safe object of libdispatch. Its protocols are made for one class;
/// on Linux they lack the word for it.
public struct IdentitySource<Base>: @unchecked Sendable {
    /// The source itself, for what wants a plain one.
    ///
    /// Handlers that are set on it directly carry nothing.
    public let base: Base

    /// The same object, by the protocol that all sources have.
    let source: any DispatchSourceProtocol

    init(_ base: Base, _ source: any DispatchSourceProtocol) {
        self.base = base
        self.source = source
    }
}

// What every source has besides handlers, passed on as it is.
extension IdentitySource {
    /// Starts the source: nothing happens before.
    public func activate() { source.activate() }

    /// Takes back one ``suspend()``; starts a source that was never activated.
    public func resume() { source.resume() }

    /// Keeps handlers that have not begun from beginning.
    public func suspend() { source.suspend() }

    /// Ends the source: no event comes any more, and the cancel handler runs, as the identity that set it.
    ///
    /// Its handlers, with the identities that they captured, are released as soon as none of them runs any more; those of
    /// a source that is suspended or was never activated, when it is resumed.
    ///
    /// The caller is the cancel handler's trigger (``IdentityTrigger``). A plain source's own `cancel()` leaves none.
    public func cancel() {
        if !source.isCancelled { SourceCancellation.note(of: source as AnyObject) }
        source.cancel()
    }

    /// Indicates whether the source was cancelled.
    public var isCancelled: Bool { source.isCancelled }

    /// The handle that the source watches, as a file descriptor or the number of a signal.
    public var handle: UInt { source.handle }

    /// The events that the source watches for, or how a timer is kept.
    public var mask: UInt { source.mask }

    /// The data that has come in, for the event handler: a number of bytes, signals or fires, or what was merged.
    public var data: UInt { source.data }
}

// What sources of a program's own data have besides, passed on as it is.
extension IdentitySource where Base == any DispatchSourceUserDataAdd {
    /// Adds to the data that the event handler gets next; who adds does not matter to it.
    ///
    /// - Parameter data: The number to add; 0 makes no event.
    public func add(data: UInt) { base.add(data: data) }
}

extension IdentitySource where Base == any DispatchSourceUserDataOr {
    /// Sets bits in the data that the event handler gets next; who sets them does not matter to it.
    ///
    /// - Parameter data: The bits to set; 0 makes no event.
    public func or(data: UInt) { base.or(data: data) }
}

extension IdentitySource where Base == any DispatchSourceUserDataReplace {
    /// Replaces the data that the event handler gets next; who replaces it does not matter to it.
    ///
    /// - Parameter data: The data; 0 makes no event.
    public func replace(data: UInt) { base.replace(data: data) }
}
