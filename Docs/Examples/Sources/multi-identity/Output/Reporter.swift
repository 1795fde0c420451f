import ArgumentParser
import Foundation

/// Writes a command's results: each line at once, or one JSON document at the end.
final class Reporter {
    private struct Document: Encodable {
        let version = 1
        let command: String
        var entries: [Entry] = []
        var problems: [Problem] = []
        var exitStatus: Int32 = 0
    }

    private struct Problem: Encodable {
        let subject: String
        let code: String
        let message: String
        let exitStatus: Int32
    }

    private var document: Document
    private let isJSON: Bool
    private let isSilent: Bool

    /// The program's exit status.
    private(set) var status = ExitStatus.success

    /// Begins the report of a subcommand; a silent one writes only problems, since the standard output is for data.
    init(_ command: String, _ options: OutputOptions, isSilent: Bool = false) {
        document = Document(command: command)
        isJSON = options.json
        self.isSilent = isSilent
    }

    /// Runs `body`, whose error is a problem of the whole command, writes the end of its report, and throws its exit status
    /// if that is not 0.
    nonisolated(nonsending) static func run(
        _ command: String,
        _ options: OutputOptions,
        isSilent: Bool = false,
        _ body: nonisolated(nonsending) (Reporter) async throws -> Void
    ) async throws {
        let status: ExitStatus
        do throws(CommandFailure) {
            let reporter = Reporter(command, options, isSilent: isSilent)
            do { try await body(reporter) } catch { reporter.report(CommandFailure(error)) }
            try reporter.finish()
            status = reporter.status
        } catch {
            StandardError.write("multi-identity: \(command): \(error.message)".shown)
            status = error.status
        }
        if status != .success { throw ExitCode(status.number) }
    }

    /// Reports one result.
    func report(_ entry: Entry) throws(CommandFailure) {
        if isSilent { return }
        if isJSON { document.entries.append(entry) } else { try StandardOutput.write(Array("\(entry.line)\n".utf8)) }
    }

    /// Reports a problem; the first one decides the exit status.
    func report(_ failure: CommandFailure, about subject: String? = nil) {
        let subject = subject ?? failure.subject ?? document.command
        StandardError.write("multi-identity: \(subject): \(failure.message)".shown)
        note(failure, about: subject)
    }

    /// Reports a problem like ``report(_:about:)``, if the user knows about it.
    func note(_ failure: CommandFailure, about subject: String? = nil) {
        if status == .success || status == .no { status = failure.status }
        document.problems.append(
            Problem(
                subject: subject ?? failure.subject ?? document.command,
                code: failure.code,
                message: failure.message,
                exitStatus: failure.status.number
            )
        )
    }

    /// Records that the answer is no, unless there was a problem.
    func answerNo() {
        if status == .success { status = .no }
    }

    /// Runs a closure for one of several subjects; its failure is a problem and does not end the others.
    ///
    /// - Throws: ``CommandFailure`` if no one reads the output.
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
        guard isJSON else { return }
        document.exitStatus = status.number
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let bytes = try? encoder.encode(document) else {
            throw CommandFailure(.software, "unexpected", "A result cannot be written as JSON.")
        }
        try StandardOutput.write(Array(bytes) + [10])
    }
}

enum StandardOutput {
    /// Writes bytes.
    ///
    /// - Throws: ``CommandFailure`` if no one reads them, or the disk is full.
    static func write(_ bytes: [UInt8]) throws(CommandFailure) {
        if bytes.isEmpty { return }
        do { try FileHandle.standardOutput.write(contentsOf: bytes) } catch {
            throw CommandFailure(.systemFailure, "outputFailed", "The standard output cannot be written: \(error).")
        }
    }
}

enum StandardError {
    /// Writes a line, if possible.
    static func write(_ line: String) { try? FileHandle.standardError.write(contentsOf: Data("\(line)\n".utf8)) }
}
