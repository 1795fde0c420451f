import Foundation

/// The built program, run by a test on real files.
struct Program {
    /// The outcome of one run.
    struct Outcome {
        /// The exit status, or the signal that ended it, negative.
        let status: Int32
        let data: Data
        let errors: String

        var output: String { String(decoding: data, as: UTF8.self) }

        /// The document that `--json` writes.
        var document: [String: Any] {
            get throws {
                let value = try JSONSerialization.jsonObject(with: Data(output.utf8))
                guard let document = value as? [String: Any] else { throw CocoaError(.coderReadCorrupt) }
                return document
            }
        }

        /// Its entries.
        var entries: [[String: Any]] {
            get throws { try document["entries"] as? [[String: Any]] ?? [] }
        }

        /// The codes of its problems.
        var problems: [String] {
            get throws { (try document["problems"] as? [[String: Any]] ?? []).compactMap { $0["code"] as? String } }
        }
    }

    static var url: URL {
        URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "multi-identity")
    }

    /// Runs it to its end.
    ///
    /// - Parameters:
    ///   - arguments: What it is given.
    ///   - environment: Variables besides those of the tests; none of the tests' own that it would read.
    ///   - input: What it reads.
    ///   - connected: What it reads from, instead.
    ///   - text: What it says on the standard error before `then` is called.
    ///   - then: Is called with the process, once.
    /// - Returns: How it ended.
    /// - Throws: Where it cannot be started.
    static func run(
        _ arguments: [String],
        environment: [String: String] = [:],
        input: Data? = nil,
        connected: Pipe? = nil,
        sees text: String = "",
        then: @escaping @Sendable (Process) -> Void = { _ in }
    ) throws -> Outcome {
        let (process, output, errors, pipe) = (Process(), Pipe(), Pipe(), connected ?? Pipe())
        process.executableURL = url
        process.arguments = arguments
        let outside = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("MULTI_IDENTITY_") }
        process.environment = outside.merging(environment) { $1 }
        process.standardInput = input == nil && connected == nil ? FileHandle.nullDevice : pipe
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        if text.isEmpty { then(process) }
        let reading = DispatchGroup()
        let (said, written) = (Collected(), Collected())
        DispatchQueue.global().async(group: reading) {
            while case let piece = errors.fileHandleForReading.availableData, !piece.isEmpty {
                let wasSeen = said.text.contains(text)
                said.data += piece
                if !wasSeen, said.text.contains(text) { then(process) }
            }
        }
        DispatchQueue.global().async(group: reading) {
            written.data = output.fileHandleForReading.readDataToEndOfFile()
        }
        if let input {
            // The program can have ended by then, which the signal would tell the tests.
            signal(SIGPIPE, SIG_IGN)
            try? pipe.fileHandleForWriting.write(contentsOf: input)
            try? pipe.fileHandleForWriting.close()
        }
        reading.wait()
        process.waitUntilExit()
        let status = process.terminationStatus
        return Outcome(
            status: process.terminationReason == .uncaughtSignal ? -status : status,
            data: written.data,
            errors: said.text
        )
    }

    /// Written by one queue, and read once that has ended.
    private final class Collected: @unchecked Sendable {
        var data = Data()
        var text: String { String(decoding: data, as: UTF8.self) }
    }
}
