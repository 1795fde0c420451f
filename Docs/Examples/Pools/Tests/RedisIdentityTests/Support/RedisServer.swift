import Foundation
import RedisIdentity
import Synchronization

/// A Redis server of a test's own: on loopback, with a port and a folder of its own, and gone when the test is, whatever ends it.
final class RedisServer: Sendable {
    struct Unusable: Error, CustomStringConvertible { let description: String }

    let port: UInt16
    let tenants: [String]
    private let folder: URL
    private let running = Mutex<ChildProcess?>(nil)

    static let (path, keys) = ("/usr/bin/redis-server", 20)

    /// A server that runs, with some keys for each tenant, and a user that sees all of them.
    init(tenants: Int) async throws {
        guard FileManager.default.isExecutableFile(atPath: Self.path) else {
            throw Unusable(description: "There is no \(Self.path): .ci/install redis-server")
        }
        self.tenants = (0..<tenants).map { "tenant-\($0)@contoso.com" }
        folder = FileManager.default.temporaryDirectory.appending(path: "redis-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        port = try Self.freePort()
        try configuration.write(to: folder.appending(path: "redis.conf"), atomically: true, encoding: .utf8)
        try await start()
        try await fill()
    }

    deinit { stop() }

    private var configuration: String {
        let users = tenants.map { "user \($0) on >of-\($0) ~\($0):* resetchannels +@all -@admin -@dangerous" }
        return """
            port \(port)
            bind 127.0.0.1
            dir \(folder.path)
            save ""
            appendonly no
            user default on nopass resetkeys resetchannels -@all +acl|whoami
            user everything on >everything ~* &* +@all
            \(users.joined(separator: "\n"))

            """
    }

    static func value(of key: String) -> String { "the value of \(key)" }

    func user(_ name: String) -> RedisUser { RedisUser(name: name, password: "of-\(name)") }

    /// A connection as the user that sees all keys.
    func everything() async throws -> RedisConnection {
        let connection = try await RedisConnection.open(port: port)
        try await connection.bind(RedisUser(name: "everything", password: "everything"))
        return connection
    }

    private func fill() async throws {
        let connection = try await everything()
        defer { connection.close() }
        let keys = tenants.flatMap { tenant in (0..<Self.keys).map { "\(tenant):\($0)" } }
        _ = try await connection.send(all: keys.map { ["SET", $0, Self.value(of: $0)] } + [["SAVE"]])
    }

    /// Starts it, again as well, with the keys that it had; returns once it answers.
    func start() async throws {
        let process = try ChildProcess(
            [Self.path, folder.appending(path: "redis.conf").path],
            log: folder.appending(path: "log").path
        )
        running.withLock { $0 = process }
        let end = ContinuousClock.now + .seconds(60)
        while true {
            do {
                let connection = try await RedisConnection.open(port: port)
                defer { connection.close() }
                // Refused until the keys are loaded.
                if case .bytes = try await connection.send("ACL", "WHOAMI") { return }
            } catch {
                if ContinuousClock.now > end { throw error }
            }
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    /// Ends it as a crash would.
    func kill() {
        let old = running.withLock { running in
            defer { running = nil }
            return running
        }
        old?.kill()
    }

    func stop() {
        kill()
        try? FileManager.default.removeItem(at: folder)
    }

    private static func freePort() throws -> UInt16 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { general in
                bind(descriptor, general, size) == 0 && getsockname(descriptor, general, &size) == 0
            }
        }
        guard isBound else { throw Unusable(description: "No port is free.") }
        return UInt16(bigEndian: address.sin_port)
    }
}
