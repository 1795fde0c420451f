internal import CSystemCalls
internal import Dispatch
internal import MultiIdentity

/// A Unix domain socket that answers each connection with a report, for `multi-identity diagnose`.
///
/// ```swift
/// let socket = try ReportSocket(at: "/run/app/report.sock") { try registry.report() }
/// ```
///
/// Only the process's user and root can connect: the socket has mode 0600, and the user of each connecting process is
/// checked. Each report is made in its own task, with no identity bound. A client that does not read its report is dropped
/// after ten seconds.
public final class ReportSocket: Sendable {
    /// The path of the socket.
    package let path: String

    /// The maximum number of concurrent connections, and the time limit from a connection to the end of its answer.
    struct Bounds: Sendable {
        var connections = 64
        var time = DispatchTimeInterval.seconds(10)
    }

    // Safe: a dispatch source may be used from any thread, and this one is only cancelled once it is active.
    nonisolated(unsafe) private let source: any DispatchSourceRead

    /// Listens until the object is released.
    ///
    /// - Parameters:
    ///   - path: The path, of at most 107 bytes, in a folder that others cannot write. A socket left by a process that
    ///     ended is replaced.
    ///   - report: Makes a scrubbed report. If it throws, the answer contains only the error's type and code.
    /// - Throws: ``ManagementError`` if another process listens there, or if a system call fails.
    public convenience init(
        at path: String,
        report: @escaping @Sendable () async throws -> ManagementReport
    ) throws(ManagementError) {
        try self.init(at: path, within: Bounds(), report: report)
    }

    init(
        at path: String,
        within bounds: Bounds,
        report: @escaping @Sendable () async throws -> ManagementReport
    ) throws(ManagementError) {
        let listener = try Self.listen(path)
        self.path = path
        var status = sys_status()
        let isKnown = sys_status_at(sys_here, path, &status) >= 0
        let queue = DispatchQueue(label: "multi-identity.report")
        source = DispatchSource.makeReadSource(fileDescriptor: listener, queue: queue)
        let connections = ReportConnections(at: listener, source, on: queue, within: bounds) {
            await Self.bytes(of: report)
        }
        source.setEventHandler { connections.accept() }
        source.setCancelHandler {
            sys_close(listener)
            // Unless another process listens at this path now.
            var now = sys_status()
            guard isKnown, sys_status_at(sys_here, path, &now) >= 0, now.inode == status.inode else { return }
            _ = sys_unlink(sys_here, path)
        }
        source.activate()
    }

    deinit { source.cancel() }

    private static func listen(_ path: String) throws(ManagementError) -> CInt {
        guard !path.utf8.contains(0) else { throw .system("bind", path, EINVAL) }
        var listener = sys_listen(path)
        if listener == -EADDRINUSE {
            let other = sys_connect(path)
            if other >= 0 {
                sys_close(other)
                throw ManagementError(
                    .inUse,
                    "\(path) is in use, by another process or elsewhere in this one. Name another path."
                )
            }
            // No one listens: a process that ended left it. Anything but a socket is kept.
            var status = sys_status()
            if other == -ECONNREFUSED, sys_status_at(sys_here, path, &status) >= 0, status.kind == sys_kind_socket {
                _ = sys_unlink(sys_here, path)
                listener = sys_listen(path)
            }
        }
        guard listener >= 0 else { throw .system("bind", path, -listener) }
        return listener
    }

    private static func bytes(of report: () async throws -> ManagementReport) async -> [UInt8] {
        do { return try await report().json } catch {
            let code = (error as? any CodedError).map { Self.code(of: $0) } ?? "failed"
            let row = ManagementReport.Row("\(type(of: error))", code)
            return ManagementReport([.init("the report could not be made", [row])], Scrubber(values: [], keys: [])).json
        }
    }

    private static func code(of error: some CodedError) -> String { "\(error.code)" }

    /// Returns whether the process at the other end belongs to this user or root.
    static func isOurs(_ connection: CInt) -> Bool {
        var user: UInt32 = 0
        return sys_user_of_peer(connection, &user) >= 0 && (user == geteuid() || user == 0)
    }
}

extension ManagementReport {
    /// The longest report that is read, in bytes.
    static let maximumByteCount = 1 << 26

    /// Requests a report from a running program.
    ///
    /// - Parameter path: The path of its ``ReportSocket``.
    /// - Throws: ``ManagementError`` if no program listens, if the socket is another user's, or if the answer is not a
    ///   report.
    public init(fromSocket path: String) throws(ManagementError) {
        guard !path.utf8.contains(0) else { throw .system("connect", path, EINVAL) }
        let connection = sys_connect(path)
        guard connection >= 0 else {
            if connection == -ECONNREFUSED || connection == -ENOENT {
                throw ManagementError(
                    .connectionRefused,
                    "No program listens at \(path). Start the program, or name the path that it uses."
                )
            }
            throw .system("connect", path, -connection)
        }
        defer { sys_close(connection) }
        guard ReportSocket.isOurs(connection) else {
            throw ManagementError(
                .notAllowed,
                "The process that listens at \(path) belongs to another user and cannot be trusted. Run this as that user."
            )
        }
        var bytes: [UInt8] = []
        let end = ContinuousClock.now + .seconds(30)
        while bytes.count <= Self.maximumByteCount {
            // Each read has its own limit too, but a single byte satisfies that.
            if ContinuousClock.now > end { throw .system("read", path, ETIMEDOUT) }
            var failure = 0
            let piece = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, filled in
                let count = sys_read(connection, buffer.baseAddress, buffer.count)
                (filled, failure) = (max(0, count), min(0, count))
            }
            if failure < 0 { throw .system("read", path, CInt(-failure)) }
            if piece.isEmpty { break }
            bytes += piece
        }
        if bytes.isEmpty {
            throw ManagementError(.notAllowed, "The program at \(path) did not answer. Run this as its user.")
        }
        try self.init(json: bytes)
    }
}
