import ArgumentParser

/// `policy`.
struct PolicyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "policy",
        abstract: "Ask policies.",
        subcommands: [PolicyCheck.self]
    )
}
