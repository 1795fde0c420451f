import Foundation
import PackagePlugin

/// Counts the hops of a package that carry no identity by themselves: `swift package plain-hops`.
@main struct CountPlainHops: CommandPlugin {
    func performCommand(context: PluginContext, arguments: [String]) throws {
        let folders = [
            "--package-path", context.package.directoryURL.path(percentEncoded: false),
            "--work-directory", context.pluginWorkDirectoryURL.path(percentEncoded: false),
        ]
        let process = try Process.run(context.tool(named: "plain-hops").url, arguments: folders + arguments)
        process.waitUntilExit()
        if process.terminationStatus != 0 { exit(process.terminationStatus) }
    }
}
