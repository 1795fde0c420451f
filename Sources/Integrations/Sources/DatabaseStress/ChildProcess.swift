import DatabaseServers
import Foundation
import Synchronization

/// A process by this same program, with lines in both directions.
final class ChildProcess: Sendable {
    private let process = Process()
    private let input = Pipe()
    private let lines: Mutex<Lines>

    /// Starts it; its standard output is read by ``line()``.
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

    /// Has it end by itself, as it does where it is told nothing more, and returns its status.
    func end() -> Int32 {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
        return process.terminationStatus
    }

    /// Kills it, and returns once it does nothing any more.
    ///
    /// Not by Foundation, which hears of a child's end only after that of all that were started later.
    func kill() {
        let number = process.processIdentifier
        Foundation.kill(number, SIGKILL)
        while let state = try? String(contentsOfFile: "/proc/\(number)/stat", encoding: .utf8),
            !state.contains(") Z"), !state.contains(") X")
        { usleep(200) }
    }
}
