import ArgumentParser
import Foundation

/// Runs a command, and writes what it found: lines for people, or one document of JSON.
enum Reporting {
    /// Runs `body`, writes its report and ends with its exit status.
    ///
    /// - Parameters:
    ///   - command: The subcommand, as reports name it.
    ///   - options: How to write.
    ///   - body: Fills the report; what it throws is a problem of the command as a whole.
    /// - Throws: The exit status, where it is not 0.
    static func run(_ command: String, _ options: OutputOptions, _ body: (inout Report) throws -> Void) throws {
        var report = Report(command)
        do {
            try body(&report)
        } catch {
            report.add(CommandFailure(error), about: command)
        }
        if options.json {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            try write(encoder.encode(report) + [0x0a], to: .standardOutput)
        } else {
            try write(Data(report.entries.map { $0.line + "\n" }.joined().utf8), to: .standardOutput)
        }
        for problem in report.problems {
            let line = "multi-identity: \(problem.subject.shown): \(problem.message)\n"
            try? FileHandle.standardError.write(contentsOf: Data(line.utf8))
        }
        if report.exitStatus != 0 { throw ExitCode(report.exitStatus) }
    }

    private static func write(_ data: Data, to handle: FileHandle) throws {
        do {
            try handle.write(contentsOf: data)
        } catch {
            // Nobody reads what is found: nothing to be told to anybody, but no success.
            throw ExitStatus.systemFailure.exitCode
        }
    }
}
