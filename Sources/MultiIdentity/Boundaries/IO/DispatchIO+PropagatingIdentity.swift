public import Dispatch

// For `mode_t`.
#if canImport(Darwin)
public import Darwin
#elseif canImport(Glibc)
public import Glibc
#elseif canImport(Musl)
public import Musl
#endif

extension DispatchIO {
    /// A view of this channel with handlers that carry identity: each is captured when passed.
    public var propagatingIdentity: IdentityIO { IdentityIO(self) }

    /// Captured when created: opens a channel for a file descriptor; its cleanup handler runs as the identity bound here.
    ///
    /// To carry identity to the handlers of `read` and `write`, use ``propagatingIdentity-property``.
    ///
    /// - Parameters:
    ///   - type: Whether the channel is a stream, or has random access.
    ///   - fileDescriptor: The file descriptor; the system owns it until the cleanup handler runs.
    ///   - queue: The queue that runs the cleanup handler.
    ///   - cleanupHandler: The handler that runs once the channel is no longer used; it gets an error number or 0, and is
    ///     released together with the identity as soon as it has run.
    ///   - fileID: The file of the call, for explanations.
    ///   - line: The line of the call, for explanations.
    /// - Returns: The channel.
    public static func propagatingIdentity(
        type: StreamType,
        fileDescriptor: Int32,
        queue: DispatchQueue,
        cleanupHandler: @escaping @Sendable (_ error: Int32) -> Void,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> DispatchIO {
        let captured = BoundaryCapture(at: .ioCleanup, onto: queue, fileID, line)
        return DispatchIO(
            type: type,
            fileDescriptor: fileDescriptor,
            queue: queue,
            cleanupHandler: captured.wrap(cleanupHandler)
        )
    }

    /// Captured when created: opens a channel for the file at a path; its cleanup handler runs as the identity bound here.
    ///
    /// - Parameters:
    ///   - type: Whether the channel is a stream, or has random access.
    ///   - path: The absolute path. The file is opened when it is first needed.
    ///   - oflag: The flags for opening the file, as for `open`.
    ///   - mode: The permissions of a file that is created.
    ///   - queue: The queue that runs the cleanup handler.
    ///   - cleanupHandler: The handler that runs once the channel is no longer used; it gets an error number or 0, and is
    ///     released together with the identity as soon as it has run.
    ///   - fileID: The file of the call, for explanations.
    ///   - line: The line of the call, for explanations.
    /// - Returns: The channel, or `nil` if the path does not begin with a slash; then the handler never runs.
    public static func propagatingIdentity(
        type: StreamType,
        path: UnsafePointer<Int8>,
        oflag: Int32,
        mode: mode_t,
        queue: DispatchQueue,
        cleanupHandler: @escaping @Sendable (_ error: Int32) -> Void,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> DispatchIO? {
        #if os(Linux)
        // Checked here, since on Linux (6.3.1) the plain initializer stops the program; elsewhere it returns `nil`.
        guard path.pointee == Int8(UInt8(ascii: "/")) else { return nil }
        #endif
        let captured = BoundaryCapture(at: .ioCleanup, onto: queue, fileID, line)
        return DispatchIO(
            type: type,
            path: path,
            oflag: oflag,
            mode: mode,
            queue: queue,
            cleanupHandler: captured.wrap(cleanupHandler)
        )
    }

    /// Captured when created: opens another channel for the same file; its cleanup handler runs as the identity bound here.
    ///
    /// - Parameters:
    ///   - type: Whether the channel is a stream, or has random access.
    ///   - io: The other channel.
    ///   - queue: The queue that runs the cleanup handler.
    ///   - cleanupHandler: The handler that runs once the channel is no longer used; it gets an error number or 0, and is
    ///     released together with the identity as soon as it has run.
    ///   - fileID: The file of the call, for explanations.
    ///   - line: The line of the call, for explanations.
    /// - Returns: The channel.
    public static func propagatingIdentity(
        type: StreamType,
        io: DispatchIO,
        queue: DispatchQueue,
        cleanupHandler: @escaping @Sendable (_ error: Int32) -> Void,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> DispatchIO {
        let captured = BoundaryCapture(at: .ioCleanup, onto: queue, fileID, line)
        return DispatchIO(type: type, io: io, queue: queue, cleanupHandler: captured.wrap(cleanupHandler))
    }
}
