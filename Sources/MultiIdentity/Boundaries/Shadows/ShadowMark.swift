public import Dispatch

/// The first argument of initializers that carry, for the file that the plugin `CarryIdentity` generates.
///
/// An initializer of that file shadows the imported one of the same signature, and cannot name it. So it delegates to one of
/// these. The argument has no label, so that a trailing closure never selects one of these by itself.
@_spi(CarryIdentity) public struct ShadowMark: Sendable {
    /// Creates a mark.
    public init() {}
}

/// Work that an imported declaration takes without requiring it to be sendable, for the file of the plugin.
///
/// Not of a block: Swift's runtime on Linux has no metadata of such a type, and crashes (6.3.1).
///
/// `@unchecked Sendable`: the imported declaration hands the same closure to the same threads, and does not require more.
@_spi(CarryIdentity) public struct ShadowedWork<Work>: @unchecked Sendable {
    /// The work.
    public let run: Work

    /// Creates a box of the work.
    public init(_ work: Work) { run = work }
}

@_spi(CarryIdentity) extension DispatchWorkItem {
    /// Captured when created: a work item that runs as the identity bound here.
    public convenience init(
        _ mark: ShadowMark,
        qos: DispatchQoS,
        flags: DispatchWorkItemFlags,
        block: @escaping @Sendable () -> Void
    ) {
        self.init(qos: qos, flags: flags, block: WorkBlock.make(block, BoundaryCapture(at: .workItem)))
    }
}

@_spi(CarryIdentity) extension DispatchIO {
    /// Captured when created: a channel of a file descriptor whose cleanup handler runs as the identity bound here.
    public convenience init(
        _ mark: ShadowMark,
        type: StreamType,
        fileDescriptor: Int32,
        queue: DispatchQueue,
        cleanupHandler: @escaping @Sendable (Int32) -> Void
    ) {
        let captured = BoundaryCapture(at: .ioCleanup, onto: queue, "", 0)
        self.init(
            type: type,
            fileDescriptor: fileDescriptor,
            queue: queue,
            cleanupHandler: captured.wrap(cleanupHandler)
        )
    }

    /// Captured when created: a channel of another's file whose cleanup handler runs as the identity bound here.
    public convenience init(
        _ mark: ShadowMark,
        type: StreamType,
        io: DispatchIO,
        queue: DispatchQueue,
        cleanupHandler: @escaping @Sendable (Int32) -> Void
    ) {
        let captured = BoundaryCapture(at: .ioCleanup, onto: queue, "", 0)
        self.init(type: type, io: io, queue: queue, cleanupHandler: captured.wrap(cleanupHandler))
    }

    /// Captured when called: reads from a file descriptor, and runs `handler` as the identity bound at the call.
    public static func read(
        _ mark: ShadowMark,
        _ fileDescriptor: Int32,
        _ length: Int,
        _ queue: DispatchQueue,
        _ handler: @escaping @Sendable (DispatchData, Int32) -> Void
    ) {
        let work = IdentitySnapshot.capture().wrap(handler)
        read(fromFileDescriptor: fileDescriptor, maxLength: length, runningHandlerOn: queue, handler: work)
    }

    /// Captured when called: writes to a file descriptor, and runs `handler` as the identity bound at the call.
    public static func write(
        _ mark: ShadowMark,
        _ fileDescriptor: Int32,
        _ data: DispatchData,
        _ queue: DispatchQueue,
        _ handler: @escaping @Sendable (DispatchData?, Int32) -> Void
    ) {
        let work = IdentitySnapshot.capture().wrap(handler)
        write(toFileDescriptor: fileDescriptor, data: data, runningHandlerOn: queue, handler: work)
    }
}
