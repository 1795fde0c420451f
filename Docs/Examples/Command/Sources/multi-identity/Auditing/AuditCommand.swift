import ArgumentParser

/// `audit`.
struct AuditCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Ask files of audit events.",
        subcommands: [AuditVerify.self]
    )
}
