import ArgumentParser
import MultiIdentityProtection

/// `audit`.
struct AuditCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Ask files of audit events.",
        subcommands: [AuditVerify.self]
    )
}

/// `audit verify FILE…`.
struct AuditVerify: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Check that each line is there as it was written.",
        discussion: """
            Ends with 0 where all is whole, and with 1 where a line is missing or was changed.

            A writer of a file can rewrite it, or cut off its end. That shows only where an end of the file was kept elsewhere, \
            which this prints, and is given back with --holds.
            """
    )

    @Argument(help: "The files.", completion: .file())
    var files: [String]

    @Option(
        help: ArgumentHelp("An end that was kept; may be given again.", valueName: "number:chain"),
        transform: { text in
            guard let position = AuditFile.Position(text) else {
                throw ValidationError("An end is a number and a digest, as audit verify prints it: 12:9f86….")
            }
            return position
        }
    )
    var holds: [AuditFile.Position] = []

    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard holds.isEmpty || files.count == 1 else { throw ValidationError("--holds is of one file: name one.") }
    }

    func run() async throws {
        try await Reporter.run("audit verify", output) { reporter in
            for file in files {
                try reporter.each(file) {
                    let found = try AuditFile.verify(file, holding: holds)
                    try reporter.report(Entry(path: file, reason: Self.words(found), end: "\(found.end)"))
                    if !found.isWhole { reporter.answerNo() }
                }
            }
        }
    }

    private static func words(_ found: AuditVerification) -> String {
        if found.isWhole { return "whole, \(found.end.number) events, end \(found.end)" }
        let more = found.faultCount > found.faults.count ? ["and \(found.faultCount - found.faults.count) more"] : []
        let count = found.faultCount == 1 ? "1 fault" : "\(found.faultCount) faults"
        return "\(count): \((found.faults + more).joined(separator: "; "))"
    }
}
