import PackagePlugin

/// Makes every hop of a target carry, as `CarryIdentity` does, and has the compiler warn about each.
@main struct WarnPlainHops: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        try target.hopsCommand(context, options: ["--warn"])
    }
}
