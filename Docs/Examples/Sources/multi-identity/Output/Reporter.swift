import ArgumentParser
import Foundation

/// Writes what a command finds and does, as it comes: lines for people, or one document of JSON.
///
/// The document is written piece by piece, so that a million files take no memory.
final class Reporter {
    /// Something that went wrong, as `--json` writes it.
    private struct Problem: Encodable {
        let subject: String
        let code: String
        let message: String
        let exitStatus: Int32
    }

    private let command: String
    private let json: JSONEncoder?
    private let isSilent: Bool
    private var pending: [UInt8] = []
    private var entryCount = 0
    private var problems: [Problem] = []

    /// The status that the program ends with.
    private(set) var status = ExitStatus.success

    /// Begins a report.
    ///
    /// - Parameters:
    ///   - command: The subcommand, such as `policy check`.
    ///   - options: How to write.
    ///   - isSilent: The standard output is for data: only problems are written.
    /// - Throws: ``CommandFailure`` where no one reads the output.
    init(_ command: String, _ options: OutputOptions, isSilent: Bool = false) throws(CommandFailure) {
        self.command = command
        self.isSilent = isSilent
        guard options.json else {
            json = nil
            return
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        json = encoder
        try put(#"{"version": 1, "command": "\#(command)", "entries": ["#)
    }

    /// Runs `body`, writes the end of its report, and ends with its exit status.
    ///
    /// - Parameters:
    ///   - command: The subcommand.
    ///   - options: How to write.
    ///   - isSilent: The standard output is for data.
    ///   - body: Uses the reporter; what it throws is a problem of the command as a whole.
    /// - Throws: The exit status, where it is not 0.
    nonisolated(nonsending) static func run(
        _ command: String,
        _ options: OutputOptions,
        isSilent: Bool = false,
        _ body: nonisolated(nonsending) (Reporter) async throws -> Void
    ) async throws {
        let status: ExitStatus
        do throws(CommandFailure) {
            let reporter = try Reporter(command, options, isSilent: isSilent)
            do { try await body(reporter) } catch { reporter.report(CommandFailure(error)) }
            try reporter.finish()
            status = reporter.status
        } catch {
            StandardError.write("multi-identity: \(command): \(error.message)".shown)
            status = error.status
        }
        if status != .success { throw ExitCode(status.number) }
    }

    /// Reports one thing that was found or done.
    func report(_ entry: Entry) throws(CommandFailure) {
        if isSilent { return }
        if let json {
            try put(entryCount == 0 ? "\n" : ",\n")
            try put(encoded(entry, json))
        } else {
            try put(entry.line + "\n")
        }
        entryCount += 1
    }

    /// Reports what went wrong; the first problem decides what the program ends with.
    func report(_ failure: CommandFailure, about subject: String? = nil) {
        // In order with the lines of what went well.
        try? flush()
        let subject = subject ?? failure.subject ?? command
        StandardError.write("multi-identity: \(subject): \(failure.message)".shown)
        note(failure, about: subject)
    }

    /// As ``report(_:about:)``, where people know of it.
    func note(_ failure: CommandFailure, about subject: String? = nil) {
        if status == .success || status == .no { status = failure.status }
        guard json != nil else { return }
        problems.append(
            Problem(
                subject: subject ?? failure.subject ?? command,
                code: failure.code,
                message: failure.message,
                exitStatus: failure.status.number
            )
        )
    }

    /// Notes that the answer is no, unless something went wrong.
    func answerNo() {
        if status == .success { status = .no }
    }

    /// Runs something for one of several; its failure is a problem and ends nothing else.
    ///
    /// - Throws: ``CommandFailure`` where no one reads the output.
    func each(_ subject: String, _ body: () throws -> Void) throws(CommandFailure) {
        do {
            try body()
        } catch {
            let failure = CommandFailure(error)
            if failure.endsAll { throw failure }
            report(failure, about: subject)
        }
    }

    /// Writes the end.
    func finish() throws(CommandFailure) {
        if let json {
            try put(entryCount == 0 ? "], \"problems\": [" : "\n], \"problems\": [")
            for (index, problem) in problems.enumerated() {
                try put(index == 0 ? "\n" : ",\n")
                try put(encoded(problem, json))
            }
            try put(problems.isEmpty ? "]" : "\n]")
            try put(", \"exitStatus\": \(status.number)}\n")
        }
        try flush()
    }

    private func encoded(_ value: some Encodable, _ encoder: JSONEncoder) throws(CommandFailure) -> String {
        do { return String(decoding: try encoder.encode(value), as: UTF8.self) } catch {
            throw CommandFailure(.software, "unexpected", "A result cannot be written as JSON: \(error).")
        }
    }

    private func put(_ text: String) throws(CommandFailure) {
        pending += text.utf8
        if pending.count >= 1 << 15 || isatty(STDOUT_FILENO) != 0 { try flush() }
    }

    private func flush() throws(CommandFailure) {
        defer { pending = [] }
        try StandardOutput.write(pending)
    }
}

/// The standard output.
enum StandardOutput {
    /// Writes bytes.
    ///
    /// - Throws: ``CommandFailure`` where no one takes them, or the disk that they go to is full.
    static func write(_ bytes: [UInt8]) throws(CommandFailure) {
        if bytes.isEmpty { return }
        do { try FileHandle.standardOutput.write(contentsOf: bytes) } catch {
            throw CommandFailure(.systemFailure, "outputFailed", "The standard output takes no more: \(error).")
        }
    }
}

/// The standard error.
enum StandardError {
    /// Writes a line, if anyone takes it.
    static func write(_ line: String) { try? FileHandle.standardError.write(contentsOf: Data("\(line)\n".utf8)) }
}
