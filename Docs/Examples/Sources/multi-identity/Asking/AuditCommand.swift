import ArgumentParser
import MultiIdentityProtection

struct AuditCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Verify audit files.",
        subcommands: [AuditVerify.self]
    )
}

/// `audit verify FILE…`.
struct AuditVerify: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Verify that every line of an audit file is unchanged.",
        discussion: """
            Exits with 0 if the files are intact, and with 1 if a line is missing or changed.

            Whoever can write a file can rewrite it or cut off its end. Only an end kept elsewhere reveals that: keep the end \
            that this command prints, and pass it with --holds.
            """
    )

    @Argument(help: "The files.", completion: .file())
    var files: [String]

    @Option(
        help: ArgumentHelp("An end that was kept; repeat the option for more.", valueName: "number:chain"),
        transform: { text in
            guard let position = AuditFile.Position(text) else {
                throw ValidationError("An end is a number and a digest, as printed by audit verify: 12:9f86….")
            }
            return position
        }
    )
    var holds: [AuditFile.Position] = []

    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard holds.isEmpty || files.count == 1 else {
            throw ValidationError("--holds applies to one file; name only one.")
        }
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
