import ArgumentParser

/// The program.
@main
struct Program: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "multi-identity",
        abstract: "Whose files are these, who may read them, and what goes when somebody leaves.",
        discussion: """
            EXIT STATUS: 0 done, or yes; 1 the answer is no; 64 wrong usage; 65 the data or the policies are not in \
            order; 66 a file is missing or cannot be read; 70 a bug; 73 a file cannot be written; 74 the system failed; \
            75 in use, try later; 77 no permission, or not the right key; 78 keys are missing or not in order.
            """,
        version: "1.0.0",
        subcommands: [PolicyCommand.self]
    )
}
