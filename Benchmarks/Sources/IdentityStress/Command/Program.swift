import ArgumentParser

/// The program: a run, unless another of its commands is named.
@main
struct Program: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "identity-stress",
        abstract: "Checks at every boundary whose work it is: under load, or one step at a time.",
        subcommands: [IdentityStress.self, Explore.self],
        defaultSubcommand: IdentityStress.self
    )
}
