public import Dispatch

/// Reads and writes of a whole file descriptor, without a channel, with handlers that run as the identity at the call.
///
/// ```swift
/// DispatchIO.propagatingIdentity.read(fromFileDescriptor: socket, maxLength: 512, runningHandlerOn: queue) { data, error in
///     answer(data)  // as the identity bound at the call of read
/// }
/// ```
public struct IdentityDescriptorIO: Sendable {
    init() {}

    /// Captured when called: reads what there is, and runs `handler` once as the identity bound at the call.
    ///
    /// - Parameters:
    ///   - fromFileDescriptor: The file descriptor; the system's until the handler runs.
    ///   - maxLength: How many bytes to read at most.
    ///   - queue: The queue that runs the handler.
    ///   - handler: What takes in the data; it gets the data and an error number or 0, and is released, with the
    ///     identity, as soon as it has run.
    ///   - fileID: Where the call stands, for explanations.
    ///   - line: Where the call stands, for explanations.
    public func read(
        fromFileDescriptor: Int32,
        maxLength: Int,
        runningHandlerOn queue: DispatchQueue,
        handler: @escaping @Sendable (_ data: DispatchData, _ error: Int32) -> Void,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        DispatchIO.read(
            fromFileDescriptor: fromFileDescriptor,
            maxLength: maxLength,
            runningHandlerOn: queue,
            handler: BoundaryCapture(at: .ioRead, onto: queue, fileID, line).wrap(handler)
        )
    }

    /// Captured when called: writes, and runs `handler` once as the identity bound at the call.
    ///
    /// - Parameters:
    ///   - toFileDescriptor: The file descriptor; the system's until the handler runs.
    ///   - data: What to write.
    ///   - queue: The queue that runs the handler.
    ///   - handler: What takes in the end; it gets the data that could not be written or `nil`, and an error number or 0,
    ///     and is released, with the identity, as soon as it has run.
    ///   - fileID: Where the call stands, for explanations.
    ///   - line: Where the call stands, for explanations.
    public func write(
        toFileDescriptor: Int32,
        data: DispatchData,
        runningHandlerOn queue: DispatchQueue,
        handler: @escaping @Sendable (_ data: DispatchData?, _ error: Int32) -> Void,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        DispatchIO.write(
            toFileDescriptor: toFileDescriptor,
            data: data,
            runningHandlerOn: queue,
            handler: BoundaryCapture(at: .ioWrite, onto: queue, fileID, line).wrap(handler)
        )
    }
}
