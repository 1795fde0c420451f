import ArgumentParser

/// Runs a command, and writes what it found.
enum Reporting {
    /// Runs `body`, writes the end of its report, and ends with its exit status.
    ///
    /// - Parameters:
    ///   - command: The subcommand, as reports name it.
    ///   - options: How to write.
    ///   - isSilent: The standard output is for data.
    ///   - body: Tells the reporter; what it throws is a problem of the command as a whole.
    /// - Throws: The exit status, where it is not 0.
    nonisolated(nonsending) static func run(
        _ command: String,
        _ options: OutputOptions,
        isSilent: Bool = false,
        _ body: nonisolated(nonsending) (Reporter) async throws -> Void
    ) async throws {
        do throws(CommandFailure) {
            let reporter = try Reporter(command, options, isSilent: isSilent)
            do { try await body(reporter) } catch { reporter.tell(CommandFailure(error)) }
            try reporter.finish()
            if reporter.status != .success { throw CommandFailure(reporter.status) }
        } catch {
            if !error.message.isEmpty { CommandFailure.tellDirectly(error, about: command) }
            Interruption.endIfWanted()
            throw ExitCode(error.status.number)
        }
    }
}
