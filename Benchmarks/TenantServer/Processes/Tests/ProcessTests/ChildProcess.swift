import Foundation
import Synchronization

/// A program that stands beside the tests, started by one of them to be stopped or killed by it.
final class ChildProcess: Sendable {
    private let process: Process
    /// Its output, line by line, without a last line that is not ended.
    let lines: AsyncStream<String>

    /// Starts a program that stands beside the test's.
    ///
    /// - Parameters:
    ///   - name: The program's name.
    ///   - arguments: Its arguments.
    ///   - environment: What its environment has besides this process's.
    ///   - stream: Which of its outputs is read; the other one is this process's.
    ///   - limit: After how many lines it is killed, on the thread that reads them: at once.
    /// - Throws: Where it cannot be started.
    init(
        _ name: String,
        _ arguments: [String],
        environment: [String: String] = [:],
        reading stream: Output = .standardOutput,
        killedAfter limit: Int? = nil
    ) throws {
        let process = Process()
        let pipe = Pipe()
        let folder = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        process.executableURL = folder.appending(path: name)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        switch stream {
        case .standardOutput: process.standardOutput = pipe
        case .standardError: process.standardError = pipe
        }
        self.process = process
        let (lines, continuation) = AsyncStream<String>.makeStream()
        self.lines = lines
        let (ended, end) = AsyncStream<Void>.makeStream()
        self.ended = ended
        process.terminationHandler = { _ in end.finish() }
        try process.run()
        let reading = pipe.fileHandleForReading
        Thread.detachNewThread {
            var (rest, number): ([UInt8], Int) = ([], 0)
            // Not read(upToCount:), which waits until there is as much.
            while case let data = reading.availableData, !data.isEmpty {
                rest += data
                while let newline = rest.firstIndex(of: UInt8(ascii: "\n")) {
                    continuation.yield(String(decoding: rest[..<newline], as: UTF8.self))
                    rest.removeSubrange(...newline)
                    number += 1
                    if number == limit { Foundation.kill(process.processIdentifier, SIGKILL) }
                }
            }
            continuation.finish()
        }
    }

    /// The stream that is read of a program.
    enum Output: Sendable { case standardOutput, standardError }

    private let ended: AsyncStream<Void>

    /// Sends it a signal.
    func send(_ signal: Int32) { _ = Foundation.kill(process.processIdentifier, signal) }

    /// Indicates whether it runs still.
    ///
    /// Asked of the system: Foundation (6.3.1) notices the end of a child only once those that were started after it have
    /// ended as well.
    var isRunning: Bool {
        let folder = "/proc/\(process.processIdentifier)"
        let status = try? String(contentsOfFile: "\(folder)/stat", encoding: .utf8)
        guard let state = status?.split(separator: ")").last?.first(where: { $0 != " " }) else { return false }
        // As long as one of its threads is there, so are its sockets.
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/task").count) ?? 0
        return state != "Z" && state != "X" || threads > 1
    }

    /// Kills it, and waits until it is gone.
    func kill() async throws {
        send(SIGKILL)
        while isRunning { try await Task.sleep(for: .milliseconds(1)) }
    }

    /// Waits for its end.
    /// - Returns: The signal that ended it, negative, or else its exit status.
    func end() async -> Int32 {
        for await _ in ended {}
        return process.terminationReason == .uncaughtSignal ? -process.terminationStatus : process.terminationStatus
    }
}
