import Foundation
import PackagePlugin

extension Target {
    /// The command that generates the target's file of hops.
    func hopsCommand(_ context: PluginContext, options: [String] = []) throws -> [Command] {
        guard let module = self as? SwiftSourceModuleTarget else { return [] }
        let sources = module.sourceFiles(withSuffix: ".swift").map(\.url)
        let output = context.pluginWorkDirectoryURL.appending(path: "CarriedHops.swift")
        // The products of this package are libraries of one target each, of the same name.
        let products = Set(recursiveTargetDependencies.map(\.name))
            .filter { $0.hasPrefix("MultiIdentity") || $0 == "NIOIdentity" }.sorted()
        if !products.contains("MultiIdentity") {
            Diagnostics.error("\(name) needs the product MultiIdentity of swift-multi-identity for its hops to carry.")
        }
        return [
            .buildCommand(
                displayName: "Generating the hops of \(name)",
                executable: try context.tool(named: "carry-identity").url,
                arguments: [output.path(percentEncoded: false)] + options + products.flatMap { ["--product", $0] }
                    + sources.flatMap { ["--source", $0.path(percentEncoded: false)] },
                inputFiles: sources,
                outputFiles: [output]
            )
        ]
    }
}
