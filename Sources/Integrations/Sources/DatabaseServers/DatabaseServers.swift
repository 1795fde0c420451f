public import Foundation
import Synchronization

/// A private PostgreSQL server and PgBouncer, with sockets in a temporary folder.
///
/// They end with this object, and with its program, however that ends.
public final class DatabaseServers: Sendable {
    /// A PgBouncer mode: how long a client keeps a connection to the server.
    public enum PoolMode: String, Sendable, CaseIterable {
        case session, transaction, statement
    }

    /// One of the two servers.
    public enum Server: String, Sendable, CaseIterable, CustomStringConvertible {
        case database, pooler

        /// The product's name.
        public var description: String { self == .database ? "PostgreSQL" : "PgBouncer" }
    }

    /// The folder with the sockets.
    public let folder: String
    private let process: Process
    private let input: FileHandle
    private let output: Mutex<Lines>
    private let copies = Atomic(0)

    /// Starts both, and blocks the thread until they accept connections.
    ///
    /// - Parameters:
    ///   - poolSize: The number of the pooler's connections to the server, for each role.
    ///   - schema: Statements that the superuser runs after those of `schema.sql`.
    /// - Throws: ``DatabaseServersError``, with the servers' output.
    public init(poolSize: Int = 8, schema: String = "") throws {
        let (commands, answers) = (Pipe(), Pipe())
        process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/bash")
        process.arguments = ["-c", String(decoding: PackageResources.serve_sh, as: UTF8.self)]
        let sql = String(decoding: PackageResources.schema_sql, as: UTF8.self)
        process.environment = ProcessInfo.processInfo.environment.merging(
            ["POOL_SIZE": String(poolSize), "SCHEMA": sql + schema]
        ) { $1 }
        process.standardInput = commands
        process.standardOutput = answers
        try process.run()
        input = commands.fileHandleForWriting
        var lines = Lines(answers.fileHandleForReading)
        guard let first = lines.next(), first.hasPrefix("ready ") else {
            throw DatabaseServersError(
                description:
                    "The servers did not start; standard error says why. They need Debian's postgresql and pgbouncer."
            )
        }
        folder = String(first.dropFirst("ready ".count))
        output = Mutex(lines)
    }

    deinit { stop() }

    /// The URL of the database.
    ///
    /// - Parameters:
    ///   - role: The role that connects.
    ///   - server: The database itself, or its pooler.
    ///   - socket: The folder of the socket, if it is not the server's own.
    ///   - database: The name of the database; the pooler knows only `app`.
    /// - Returns: The URL.
    public func url(
        _ role: String = "app",
        through server: Server = .pooler,
        in socket: String? = nil,
        database: String = "app"
    ) -> String {
        "postgresql://\(role)@/\(database)?host=\(socket ?? folder)&port=\(server == .pooler ? 6432 : 5432)"
    }

    /// The path of a server's socket.
    public func socket(of server: Server) -> String {
        "\(folder)/.s.PGSQL.\(server == .pooler ? 6432 : 5432)"
    }

    /// Kills every process of a server with SIGKILL, and blocks the thread until they are gone.
    public func kill(_ server: Server) throws { try tell("kill \(server.rawValue)") }

    /// Starts a server again on the same data, and blocks the thread until it accepts connections.
    public func start(_ server: Server) throws { try tell("start \(server.rawValue)") }

    /// Makes a database in the initial state of `app`, for a test, faster than servers start.
    ///
    /// - Returns: Its name.
    /// - Throws: ``DatabaseServersError``, for example if a client is connected to `app`.
    public func makeDatabase() throws -> String {
        let name = "copy\(copies.wrappingAdd(1, ordering: .relaxed).newValue)"
        try tell("copy \(name)")
        return name
    }

    /// Switches the pooler to another mode, which ends all connections to it.
    public func pool(_ mode: PoolMode) throws { try tell("pool \(mode.rawValue)") }

    /// Ends both, and waits for that.
    public func stop() {
        try? input.close()
        process.waitUntilExit()
    }

    private func tell(_ command: String) throws {
        let answer = try output.withLock { lines in
            try input.write(contentsOf: Data((command + "\n").utf8))
            return lines.next()
        }
        guard answer == "done" else {
            throw DatabaseServersError(description: "\"\(command)\" failed; standard error says why.")
        }
    }
}

/// A server command that failed.
public struct DatabaseServersError: Error, CustomStringConvertible {
    /// What went wrong.
    public let description: String
}

/// The lines from a pipe.
public struct Lines: Sendable {
    private let handle: FileHandle
    private var rest: [UInt8] = []

    /// Creates a reader for a pipe's end.
    public init(_ handle: FileHandle) { self.handle = handle }

    /// Waits for the next line; `nil` at the end.
    ///
    /// An incomplete last line is dropped.
    public mutating func next() -> String? {
        while true {
            if let end = rest.firstIndex(of: 10) {
                defer { rest.removeFirst(end + 1) }
                return String(decoding: rest[..<end], as: UTF8.self)
            }
            let more = handle.availableData
            if more.isEmpty { return nil }
            rest += more
        }
    }
}
