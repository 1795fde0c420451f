import ArgumentParser
import Foundation

/// Writes what a command finds and does: a line for people as it comes, or one document of JSON at the end.
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

    /// The status that the program ends with.
    private(set) var status = ExitStatus.success

    /// Begins a report.
    ///
    /// - Parameters:
    ///   - command: The subcommand, such as `policy check`.
    ///   - options: How to write.
    ///   - isSilent: The standard output is for data: only problems are written.
    init(_ command: String, _ options: OutputOptions, isSilent: Bool = false) {
        document = Document(command: command)
        isJSON = options.json
        self.isSilent = isSilent
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

    /// Reports one thing that was found or done.
    func report(_ entry: Entry) throws(CommandFailure) {
        if isSilent { return }
        if isJSON { document.entries.append(entry) } else { try StandardOutput.write(Array("\(entry.line)\n".utf8)) }
    }

    /// Reports what went wrong; the first problem decides what the program ends with.
    func report(_ failure: CommandFailure, about subject: String? = nil) {
        let subject = subject ?? failure.subject ?? document.command
        StandardError.write("multi-identity: \(subject): \(failure.message)".shown)
        note(failure, about: subject)
    }

    /// As ``report(_:about:)``, where people know of it.
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

/// The standard output.
enum StandardOutput {
    /// Writes bytes.
    ///
    /// - Throws: ``CommandFailure`` where no one takes them, or the disk that they go to is full.
    static func write(_ bytes: [UInt8]) throws(CommandFailure) {
        if bytes.isEmpty { return }
        do { try FileHandle.standardOutput.write(contentsOf: bytes) } catch {
            throw CommandFailure(.systemFailure, "outputFailed", "The standard output cannot be written: \(error).")
        }
    }
}

/// The standard error.
enum StandardError {
    /// Writes a line, if anyone takes it.
    static func write(_ line: String) { try? FileHandle.standardError.write(contentsOf: Data("\(line)\n".utf8)) }
}
