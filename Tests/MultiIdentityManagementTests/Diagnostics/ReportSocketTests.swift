import CSystemCalls
import Foundation
import MultiIdentity
import MultiIdentityPolicy
@_spi(Checks) import MultiIdentityTesting
import Testing

@testable import MultiIdentityManagement

@Suite("A report socket", .rule("18.5")) struct ReportSocketTests {
    /// In a folder that other users can write, unlike perhaps the one for temporary files.
    private let path = "/tmp/multi-identity-report-\(UUID().uuidString.prefix(8)).sock"

    private static func report(_ value: String = "1") -> ManagementReport {
        ManagementReport(
            [.init("runtime", [.init("a\"\n\u{7}", value)]), .init("none", [])],
            Scrubber(values: ["hunter22"])
        )
    }

    private func code(_ body: () throws -> Void) -> ManagementError.Code? {
        do { try body() } catch { return (error as? ManagementError)?.code }
        return nil
    }

    @Test("gives each client the report of that moment, without an identity, as long as it exists")
    func givesEachTheReport() async throws {
        let asked = Locked(0)
        do {
            let socket = try withIdentity(try Identity("ada@contoso.com")) { () throws(ManagementError) in
                try ReportSocket(at: path) {
                    let bound = Identity.current.map { "\($0)" } ?? "unset"
                    return Self.report("\(asked.withLock { $0 += 1; return $0 }) hunter22 \(bound)")
                }
            }
            for number in 1...3 {
                let report = try ManagementReport(fromSocket: path)
                #expect(report == Self.report("\(number) hunter22 unset"))
                #expect(!"\(report)".contains("hunter22"))
            }
            #expect(code { _ = try ReportSocket(at: path) { Self.report() } } == .inUse)
            #expect(socket.path == path)
            #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
        }
        await eventually { !FileManager.default.fileExists(atPath: path) }
        #expect(code { _ = try ManagementReport(fromSocket: path) } == .connectionRefused)
    }

    @Test("replaces a socket that another process left behind, and nothing else")
    func takesThePlaceOfOneThatWasLeftBehind() async throws {
        defer { unlink(path) }
        let left = sys_listen(path)
        #expect(left >= 0)
        sys_close(left)
        #expect(FileManager.default.fileExists(atPath: path))
        do {
            let socket = try ReportSocket(at: path) { Self.report() }
            #expect(try ManagementReport(fromSocket: socket.path) == Self.report())
        }
        await eventually { !FileManager.default.fileExists(atPath: path) }
        #expect(FileManager.default.createFile(atPath: path, contents: Data("mine".utf8)))
        #expect(code { _ = try ReportSocket(at: path) { Self.report() } } == .systemCall)
        #expect(FileManager.default.contents(atPath: path) == Data("mine".utf8))
        unlink(path)
        #expect(mkfifo(path, 0o600) == 0)
        #expect(code { _ = try ReportSocket(at: path) { Self.report() } } == .systemCall)
        let long = "/tmp/" + String(repeating: "x", count: 120)
        #expect(code { _ = try ReportSocket(at: long) { Self.report() } } == .systemCall)
        #expect(code { _ = try ReportSocket(at: "a\0b") { Self.report() } } == .systemCall)
        #expect(code { _ = try ManagementReport(fromSocket: "a\0b") } == .systemCall)
    }

    @Test("answers the next client at once while others read nothing") func answersWhileOthersReadNothing() throws {
        // More than a connection can buffer.
        let long = Self.report(String(repeating: "1", count: 1 << 18))
        let socket = try ReportSocket(at: path, within: .init(time: .seconds(60))) { long }
        let others = (0..<3).map { _ in sys_connect(path) }
        defer { for other in others { sys_close(other) } }
        #expect(others.allSatisfy { $0 >= 0 })
        #expect(try ManagementReport(fromSocket: socket.path) == long)
    }

    @Test("makes a limited number of reports at once, and drops clients that are not answered in time")
    func makesSoManyAtOnce() async throws {
        let (gates, asked) = ((0..<8).map { _ in Promise<Void>() }, Locked(0))
        let waits: @Sendable () async -> ManagementReport = {
            let number = asked.next()
            await gates[number - 1].wait()
            return Self.report()
        }
        let socket = try ReportSocket(at: path, within: .init(connections: 2, time: .seconds(30)), report: waits)
        let waiting = (0..<4).map { _ in sys_connect(path) }
        await eventually { asked.withLock { $0 == 2 } }
        for gate in gates[..<4] { gate.give(()) }
        #expect(waiting.map(Self.byteCount) == waiting.map { _ in Self.report().json.count })
        #expect(asked.withLock { $0 == 4 } && socket.path == path)
        unlink(path)
        let late = try ReportSocket(at: path, within: .init(connections: 2, time: .milliseconds(1)), report: waits)
        for _ in 0..<4 { #expect(code { _ = try ManagementReport(fromSocket: late.path) } == .notAllowed) }
        for gate in gates[4...] { gate.give(()) }
    }

    /// Returns the number of bytes until the other end closes the connection.
    private static func byteCount(of connection: CInt) -> Int {
        defer { sys_close(connection) }
        var (buffer, whole) = ([UInt8](repeating: 0, count: 1 << 12), 0)
        while case let count = sys_read(connection, &buffer, buffer.count), count > 0 { whole += count }
        return whole
    }

    #if compiler(>=6.3)  // an exit test that captures
    @Test("uses no processor time while there are no descriptors, and answers when there are")
    func waitsForDescriptors() async {
        await #expect(processExitsWith: .exitCode(7)) { [path = path as String] in
            let socket = try ReportSocket(at: path) { Self.report() }
            _ = try ManagementReport(fromSocket: socket.path)
            var limit = rlimit()
            let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
            getrlimit(kind, &limit)
            let next = dup(0)
            close(next)
            // One descriptor for this end of the connection, and none for the other.
            var few = rlimit(rlim_cur: rlim_t(next) + 1, rlim_max: limit.rlim_max)
            setrlimit(kind, &few)
            let connection = sys_connect(path)
            let before = clock()
            // An answer would be an error, and ends the wait.
            var answer = pollfd(fd: connection, events: Int16(POLLIN), revents: 0)
            let isAnswered = poll(&answer, 1, 500) != 0
            let spent = clock() - before
            setrlimit(kind, &limit)
            exit(
                connection >= 0 && !isAnswered && spent < CLOCKS_PER_SEC / 10 && Self.byteCount(of: connection) > 0
                    ? 7 : 1
            )
        }
    }
    #endif

    @Test("reveals only the error's code of a report that fails") func saysNoMoreOfAReportThatFails() throws {
        let socket = try ReportSocket(at: path) { throw ManagementError(.malformedText, "hunter22") }
        let report = try ManagementReport(fromSocket: socket.path)
        #expect(report.sections.map(\.title) == ["the report could not be made"])
        #expect(report.sections.first?.rows == [.init("ManagementError", "malformedText")])
        struct Plain: Error { let secret = "hunter22" }
        unlink(path)
        let other = try ReportSocket(at: path) { throw Plain() }
        #expect(try ManagementReport(fromSocket: other.path).sections.first?.rows == [.init("Plain", "failed")])
    }

    #if compiler(>=6.3)  // an exit test that captures
    @Test(
        "serves only the process's user and root: others can neither connect nor be believed",
        .enabled(if: geteuid() == 0, "takes root, to be another user")
    )
    func isForTheProcesssUserAlone() async throws {
        do {
            let socket = try ReportSocket(at: path) { Self.report() }
            // Access does not depend on the mode alone.
            #expect(chmod(path, 0o666) == 0)
            await #expect(processExitsWith: .exitCode(7)) { [path = path as String] in
                #expect(seteuid(65_534) == 0)
                do throws(ManagementError) { _ = try ManagementReport(fromSocket: path) } catch {
                    exit(error.code == .notAllowed ? 7 : 1)
                }
            }
            #expect(try ManagementReport(fromSocket: socket.path) == Self.report())
        }
        await eventually { !FileManager.default.fileExists(atPath: path) }
        async let other = #expect(processExitsWith: .exitCode(7)) { [path = path as String] in
            #expect(seteuid(65_534) == 0)
            let socket = try ReportSocket(at: path) { Self.report() }
            // Another process reads it; no test waits for it in this process.
            while !FileManager.default.fileExists(atPath: "\(path).asked") { usleep(1_000) }
            exit(socket.path == path ? 7 : 1)
        }
        // The file exists a moment before the socket listens.
        await eventually { code { _ = try ManagementReport(fromSocket: path) } != .connectionRefused }
        #expect(code { _ = try ManagementReport(fromSocket: path) } == .notAllowed)
        _ = FileManager.default.createFile(atPath: "\(path).asked", contents: nil)
        _ = await other
        for name in [path, "\(path).asked"] { unlink(name) }
    }
    #endif

    @Test("is read as it was written, and an error names the invalid line") func isReadAsItWasWritten() throws {
        let report = Self.report()
        #expect(try ManagementReport(json: report.json) == report)
        for text in ["", "{}", #"{"version": 2, "sections": []}"#, #"{"version": 1, "sections": [{"title": "a"}]}"#] {
            #expect(code { _ = try ManagementReport(json: text.utf8) } == .malformed, "\(text)")
        }
        let seed = UInt64.random(in: 0...(.max))
        var random = SeededGenerator(seed: seed)
        for _ in 0..<1_500 {
            var bytes = report.json
            for _ in 0...random.below(3) { bytes[random.below(bytes.count)] = UInt8(truncatingIfNeeded: random.next()) }
            guard let read = try? ManagementReport(json: bytes) else { continue }
            #expect(try ManagementReport(json: read.json) == read, "seed \(seed)")
        }
    }
}
