import PackagePlugin

/// Generates a file into a target that makes every hop of its module carry the identity bound at the call.
@main struct CarryIdentity: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        try target.hopsCommand(context)
    }
}
