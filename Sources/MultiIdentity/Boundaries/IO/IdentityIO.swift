public import Dispatch

/// A view of a dispatch I/O channel with handlers that run as the identity that passed them.
///
/// ```swift
/// let channel = DispatchIO.propagatingIdentity(type: .stream, fileDescriptor: file, queue: queue) { _ in close(file) }
/// channel.propagatingIdentity.read(offset: 0, length: .max, queue: queue) { isDone, data, error in
///     store(data)  // as the identity bound at the call of read, as often as there is data
/// }
/// ```
///
/// Data, errors, order and limits are the channel's. Like the channel it can be used from any thread.
public struct IdentityIO: Sendable {
    /// The channel itself, for what wants a plain one.
    ///
    /// What is handed to it directly carries nothing.
    public let base: DispatchIO

    // Spelled out, since Swift 6.3.1 wants the C library's module imported publicly for `off_t`, and warns if it is.
    #if canImport(Darwin)
    /// A place in a file: `off_t`.
    public typealias Offset = Int64
    #else
    /// A place in a file: `off_t`.
    public typealias Offset = Int
    #endif

    init(_ base: DispatchIO) { self.base = base }

    /// Captured when called: reads, and runs `ioHandler` as the identity bound at the call, as often as there is data.
    ///
    /// - Parameters:
    ///   - offset: Where to begin, counted from where the channel began; a stream's is where it stands.
    ///   - length: How many bytes to read; `.max` reads to the end.
    ///   - queue: The queue that runs the handler.
    ///   - ioHandler: What takes in the data; it gets whether this is the last call, data or `nil`, and an error number
    ///     or 0, and is released, with the identity, after the last call.
    ///   - fileID: Where the call stands, for explanations.
    ///   - line: Where the call stands, for explanations.
    public func read(
        offset: Offset,
        length: Int,
        queue: DispatchQueue,
        ioHandler: @escaping @Sendable (_ done: Bool, _ data: DispatchData?, _ error: Int32) -> Void,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        let captured = BoundaryCapture(at: .ioRead, onto: queue, fileID, line)
        base.read(offset: offset, length: length, queue: queue, ioHandler: captured.wrap(ioHandler))
    }

    /// Captured when called: writes, and runs `ioHandler` as the identity bound at the call, as often as there is news.
    ///
    /// - Parameters:
    ///   - offset: Where to begin, counted from where the channel began; a stream's is where it stands.
    ///   - data: What to write.
    ///   - queue: The queue that runs the handler.
    ///   - ioHandler: What takes in the news; it gets whether this is the last call, the data that is left to write or
    ///     `nil`, and an error number or 0, and is released, with the identity, after the last call.
    ///   - fileID: Where the call stands, for explanations.
    ///   - line: Where the call stands, for explanations.
    public func write(
        offset: Offset,
        data: DispatchData,
        queue: DispatchQueue,
        ioHandler: @escaping @Sendable (_ done: Bool, _ data: DispatchData?, _ error: Int32) -> Void,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        let captured = BoundaryCapture(at: .ioWrite, onto: queue, fileID, line)
        base.write(offset: offset, data: data, queue: queue, ioHandler: captured.wrap(ioHandler))
    }

    /// Captured when called: runs `work` as the identity bound at the call, after what was asked of the channel before
    /// and before what is asked of it later.
    ///
    /// - Parameters:
    ///   - work: The work; it is released, with the identity, as soon as it has run.
    ///   - fileID: Where the call stands, for explanations.
    ///   - line: Where the call stands, for explanations.
    public func barrier(
        execute work: @escaping @Sendable () -> Void,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        base.barrier(execute: BoundaryCapture(at: .ioBarrier, fileID, line).wrap(work))
    }
}

// What a channel has besides running work, passed on as it is.
extension IdentityIO {
    /// Closes the channel; its cleanup handler runs, as the channel's creator, once nothing uses it any more.
    ///
    /// - Parameter flags: Whether to stop what has not ended, which then gets the error `ECANCELED`.
    public func close(flags: DispatchIO.CloseFlags = []) { base.close(flags: flags) }
}
