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
    /// A view of this channel with handlers that carry identity: each is captured when it is handed over.
    public var propagatingIdentity: IdentityIO { IdentityIO(self) }

    /// Captured when created: a channel of a file descriptor; its cleanup handler runs as the identity bound here.
    ///
    /// What is read and written through the channel is captured by its own calls: ``propagatingIdentity-property``.
    ///
    /// - Parameters:
    ///   - type: Whether bytes come in order, or from wherever is said.
    ///   - fileDescriptor: The file descriptor; the system's until the cleanup handler runs.
    ///   - queue: The queue that runs the cleanup handler.
    ///   - cleanupHandler: What runs once nothing uses the channel any more; it gets an error number or 0, and is
    ///     released, with the identity, as soon as it has run.
    ///   - fileID: Where the call stands, for explanations.
    ///   - line: Where the call stands, for explanations.
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

    /// Captured when created: a channel of the file at a path; its cleanup handler runs as the identity bound here.
    ///
    /// - Parameters:
    ///   - type: Whether bytes come in order, or from wherever is said.
    ///   - path: The path, from the root. The file is opened when it is first needed.
    ///   - oflag: How the file is opened, as `open` has it.
    ///   - mode: The permissions of a file that is created.
    ///   - queue: The queue that runs the cleanup handler.
    ///   - cleanupHandler: What runs once nothing uses the channel any more; it gets an error number or 0, and is
    ///     released, with the identity, as soon as it has run.
    ///   - fileID: Where the call stands, for explanations.
    ///   - line: Where the call stands, for explanations.
    /// - Returns: The channel, or `nil` where the path does not begin with a slash; then nothing ever runs.
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
        // Said here, since the plain initialiser stops the program on Linux (6.3.1) where elsewhere it gives `nil`.
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

    /// Captured when created: a channel of another one's file; its cleanup handler runs as the identity bound here.
    ///
    /// - Parameters:
    ///   - type: Whether bytes come in order, or from wherever is said.
    ///   - io: The other channel.
    ///   - queue: The queue that runs the cleanup handler.
    ///   - cleanupHandler: What runs once nothing uses the channel any more; it gets an error number or 0, and is
    ///     released, with the identity, as soon as it has run.
    ///   - fileID: Where the call stands, for explanations.
    ///   - line: Where the call stands, for explanations.
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
