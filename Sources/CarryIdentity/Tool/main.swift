import CarriedHopsGenerator

/// Writes the file of hops for a target; the plugins `CarryIdentity` and `WarnPlainHops` run it.
try GeneratorCommand.run(CommandLine.arguments)
