import DatabaseServers
import Foundation
import Synchronization

/// Another process of this program, with lines in both directions.
final class ChildProcess: Sendable {
    private let process = Process()
    private let input = Pipe()
    private let lines: Mutex<Lines>

    /// Starts it; ``line()`` reads its standard output.
    init(_ arguments: [String]) throws {
        let output = Pipe()
        lines = Mutex(Lines(output.fileHandleForReading))
        process.executableURL = Bundle.main.executableURL
        process.arguments = arguments
        process.standardInput = input
        process.standardOutput = output
        try process.run()
    }

    var isRunning: Bool { process.isRunning }

    func tell(_ line: String) { try? input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8)) }

    /// Waits for the next line; `nil` at the end.
    func line() -> String? { lines.withLock { $0.next() } }

    /// Closes its input, after which it exits, and returns its status.
    func end() -> Int32 {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
        return process.terminationStatus
    }

    /// Kills it, and returns once it has exited.
    ///
    /// Not with Foundation, which reports a child's exit only after that of all children started later.
    func kill() {
        let number = process.processIdentifier
        Foundation.kill(number, SIGKILL)
        while let state = try? String(contentsOfFile: "/proc/\(number)/stat", encoding: .utf8),
            !state.contains(") Z"), !state.contains(") X")
        { usleep(200) }
    }
}
