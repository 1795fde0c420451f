public import ArgumentParser
import MultiIdentity

/// The program.
///
/// Its default command is a run.
public struct Program: ParsableCommand {
    /// The name, the description and the commands.
    public static let configuration = CommandConfiguration(
        commandName: "identity-stress",
        abstract: "Checks at every boundary the identity of the work: under load, or one step at a time.",
        discussion: """
            Without the name of a command, the arguments are those of a run: identity-stress help run tells them.
            """,
        version: IdentityRuntime.version,
        subcommands: [IdentityStress.self, Doctor.self, ShownServer.self],
        defaultSubcommand: IdentityStress.self
    )

    /// Creates a program that has not parsed its arguments.
    public init() {}
}
