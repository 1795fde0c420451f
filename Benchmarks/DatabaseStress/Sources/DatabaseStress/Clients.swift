import DatabaseServers
import Foundation
import Synchronization

/// Client processes, one after another, and the killing of them and of the servers.
struct Clients {
    let servers: DatabaseServers
    let arguments: [String]
    /// After how many queries something is killed: database, pooler and client in turn.
    let kills: [Int]

    /// Runs clients until so many queries were answered.
    func run(_ queries: Int, _ dice: inout SeededGenerator) async throws -> Tally {
        let tally = Mutex(Tally())
        var killed = 0
        while case let done = tally.withLock({ $0.queries }), done < queries {
            let client = try ClientProcess(
                ["--url", servers.url(), "--queries", "\(queries - done)", "--seed", "\(dice.next())"] + arguments
            ) { line in tally.withLock { $0.take(line) } }
            var isKilled = false
            while !isKilled, client.isRunning {
                if killed < kills.count, tally.withLock({ $0.queries }) >= kills[killed] {
                    isKilled = try kill(killed, client, dice.below(200))
                    let name = ["database", "pooler", "client"][killed % 3]
                    tally.withLock { $0.kills[name, default: 0] += 1 }
                    killed += 1
                }
                try await Task.sleep(for: .milliseconds(2))
            }
            let status = client.end()
            // Killed by us, or done.
            if !isKilled, status != 0 { tally.withLock { $0.odd.append("a client ended with status \(status)") } }
        }
        return tally.withLock { $0 }
    }

    /// Kills what is next, and starts a server again after some milliseconds.
    private func kill(_ number: Int, _ client: ClientProcess, _ pause: Int) throws -> Bool {
        guard number % 3 < 2 else {
            client.kill()
            return true
        }
        let server: DatabaseServers.Server = number % 3 == 0 ? .database : .pooler
        try servers.kill(server)
        Thread.sleep(forTimeInterval: Double(pause) / 1_000)
        try servers.start(server)
        return false
    }
}

/// A client in a process of its own, by this same program.
private final class ClientProcess {
    private let process = Process()
    private let ended = DispatchSemaphore(value: 0)

    init(_ arguments: [String], _ take: @escaping @Sendable (String) -> Void) throws {
        let output = Pipe()
        process.executableURL = Bundle.main.executableURL
        process.arguments = ["client"] + arguments
        process.standardOutput = output
        try process.run()
        let (handle, ended) = (output.fileHandleForReading, ended)
        Thread.detachNewThread {
            var rest: [UInt8] = []
            while case let more = handle.availableData, !more.isEmpty {
                rest += more
                // What a killed client wrote by half is no line.
                var start = rest.startIndex
                while let end = rest[start...].firstIndex(of: 10) {
                    take(String(decoding: rest[start..<end], as: UTF8.self))
                    start = end + 1
                }
                rest.removeFirst(start)
            }
            ended.signal()
        }
    }

    var isRunning: Bool { process.isRunning }

    func kill() { Foundation.kill(process.processIdentifier, SIGKILL) }

    /// Waits until it has ended and all that it said was taken.
    func end() -> Int32 {
        process.waitUntilExit()
        ended.wait()
        return process.terminationStatus
    }
}
