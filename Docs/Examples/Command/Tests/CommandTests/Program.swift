import Foundation

/// The built program, run by a test on real files.
struct Program {
    /// How one run ended.
    struct Outcome {
        /// The exit status, or the signal that ended it, negative.
        let status: Int32
        let output: String
        let errors: String

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
    static func run(
        _ arguments: [String],
        environment: [String: String] = [:],
        started: @escaping (Process) -> Void = { _ in }
    ) throws -> Outcome {
        let (process, output, errors) = (Process(), Pipe(), Pipe())
        process.executableURL = url
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        started(process)
        let errorsRead = DispatchGroup()
        let collected = Collected()
        DispatchQueue.global().async(group: errorsRead) {
            collected.data = errors.fileHandleForReading.readDataToEndOfFile()
        }
        let written = output.fileHandleForReading.readDataToEndOfFile()
        errorsRead.wait()
        process.waitUntilExit()
        let status = process.terminationStatus
        return Outcome(
            status: process.terminationReason == .uncaughtSignal ? -status : status,
            output: String(decoding: written, as: UTF8.self),
            errors: String(decoding: collected.data, as: UTF8.self)
        )
    }

    /// Written by one queue, and read once that has ended.
    private final class Collected: @unchecked Sendable {
        var data = Data()
    }
}
