public import ArgumentParser
import MultiIdentity

/// The program: a run, unless another of its commands is named.
public struct Program: ParsableCommand {
    /// Its name, what it says of itself, and its commands.
    public static let configuration = CommandConfiguration(
        commandName: "identity-stress",
        abstract: "Checks at every boundary the identity of the work: under load, or one step at a time.",
        discussion: """
            Without the name of a command, the arguments are those of a run: identity-stress help run tells them.
            """,
        version: IdentityRuntime.version,
        subcommands: [IdentityStress.self, Doctor.self, Incidents.self],
        defaultSubcommand: IdentityStress.self
    )

    /// A program that has not read its arguments.
    public init() {}
}
