public import Dispatch

/// A view of a dispatch I/O channel with handlers that run as the identity that passed them.
///
/// ```swift
/// let channel = DispatchIO.propagatingIdentity(type: .stream, fileDescriptor: file, queue: queue) { _ in close(file) }
/// channel.propagatingIdentity.read(offset: 0, length: .max, queue: queue) { isDone, data, error in
///     store(data)  // as the identity bound at the call of read, each time
/// }
/// ```
///
/// Data, errors, order and limits are those of the channel. Like the channel, it can be used from any thread.
public struct IdentityIO: Sendable {
    /// The plain channel, for APIs that need one.
    ///
    /// Handlers that are passed to it directly carry no identity.
    public let base: DispatchIO

    // Spelled out, since Swift 6.3.1 requires a public import of the C library's module for `off_t`, and warns about that import.
    #if canImport(Darwin)
    /// An offset in a file: `off_t`.
    public typealias Offset = Int64
    #else
    /// An offset in a file: `off_t`.
    public typealias Offset = Int
    #endif

    init(_ base: DispatchIO) { self.base = base }

    /// Captured when called: reads, and runs `ioHandler` as the identity bound at the call, whenever there is data.
    ///
    /// - Parameters:
    ///   - offset: The offset to begin at, relative to where the channel began; a stream ignores it.
    ///   - length: The number of bytes to read; `.max` reads to the end.
    ///   - queue: The queue that runs the handler.
    ///   - ioHandler: The handler of the data; it gets whether this is the last call, data or `nil`, and an error number or 0,
    ///     and is released together with the identity after the last call.
    ///   - fileID: The file of the call, for explanations.
    ///   - line: The line of the call, for explanations.
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

    /// Captured when called: writes, and runs `ioHandler` as the identity bound at the call, whenever there is progress.
    ///
    /// - Parameters:
    ///   - offset: The offset to begin at, relative to where the channel began; a stream ignores it.
    ///   - data: The data to write.
    ///   - queue: The queue that runs the handler.
    ///   - ioHandler: The handler of the progress; it gets whether this is the last call, the data that is left to write or
    ///     `nil`, and an error number or 0, and is released together with the identity after the last call.
    ///   - fileID: The file of the call, for explanations.
    ///   - line: The line of the call, for explanations.
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

    /// Captured when called: runs `work` as the identity bound at the call, after all earlier operations of the channel and
    /// before all later ones.
    ///
    /// - Parameters:
    ///   - work: The work; it is released together with the identity as soon as it has run.
    ///   - fileID: The file of the call, for explanations.
    ///   - line: The line of the call, for explanations.
    public func barrier(
        execute work: @escaping @Sendable () -> Void,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        base.barrier(execute: BoundaryCapture(at: .ioBarrier, fileID, line).wrap(work))
    }
}

// The channel's other operations, forwarded unchanged.
extension IdentityIO {
    /// Closes the channel; once it is no longer used, its cleanup handler runs as the channel's creator.
    ///
    /// - Parameter flags: Whether to stop pending operations, which then get the error `ECANCELED`.
    public func close(flags: DispatchIO.CloseFlags = []) { base.close(flags: flags) }
}
