import ArgumentParser
@_spi(Command) import MultiIdentityManagement

/// The subcommand that a mistyped one was meant to be.
enum Suggestion {
    /// Finds what was mistyped, and the name that is nearest to it.
    ///
    /// - Parameter arguments: As they were given, without the program.
    /// - Returns: A line for people; `nil` where subcommands are in order or nothing is near.
    static func line(for arguments: some Sequence<String>) -> String? {
        var command: any ParsableCommand.Type = Program.self
        for argument in arguments {
            // Behind an option, a word can be its value.
            if argument.hasPrefix("-") { return nil }
            let subcommands = command.configuration.subcommands
            if let next = subcommands.first(where: { $0.configuration.commandName == argument }) {
                command = next
                continue
            }
            // Without a subcommand, the word is another argument.
            if subcommands.isEmpty || command.configuration.defaultSubcommand != nil { return nil }
            let names = subcommands.compactMap { $0.configuration.commandName }
            return NearestWord.nearest(to: argument, among: names).map { "Did you mean '\($0)'?" }
        }
        return nil
    }
}
