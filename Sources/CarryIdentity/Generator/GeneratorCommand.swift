import Foundation

/// Writes the file of shadows for a target: `carry-identity OUTPUT [--warn] --product NAME… --source FILE…`.
///
/// With `--list` it prints the declarations that have to be the toolchain's; with `--list --nio`, swift-nio's.
package enum GeneratorCommand {
    package static func run(_ commandLine: [String]) throws {
        var arguments = commandLine.dropFirst()
        if arguments.first == "--list" {
            let listed = ShadowedModule.all.filter { ($0.product == "NIOIdentity") == (arguments.last == "--nio") }
            let shadows = listed.flatMap(\.shadows).filter { [.signature, .call].contains($0.preference) }
            return shadows.forEach { print($0.declaration) }
        }
        guard let output = arguments.popFirst() else { return usage() }
        var (products, sources, purpose) = (Set<String>(), [String](), ShadowPurpose.carrying)
        while let option = arguments.popFirst() {
            switch (option, arguments.first) {
            case ("--warn", _): purpose = .warning
            case ("--product", let name?):
                products.insert(name)
                arguments.removeFirst()
            case ("--source", let path?):
                sources.append(try String(contentsOfFile: path, encoding: .utf8))
                arguments.removeFirst()
            default: return usage()
            }
        }
        let file = GeneratedFile(sources: TargetSources(sources), products: products, purpose: purpose)
        for module in file.uncarried {
            print("warning: hops of \(module.name) do not carry: let the target depend on \(module.product).")
        }
        for member in file.overridden {
            print("warning: hops of \(member) do not carry, since the target overrides it: use .propagatingIdentity.")
        }
        // Written again, it would be compiled again.
        let (text, old) = (file.text, try? String(contentsOfFile: output, encoding: .utf8))
        if text != old { try text.write(toFile: output, atomically: true, encoding: .utf8) }
    }

    private static func usage() {
        print("usage: carry-identity --list [--nio] | OUTPUT [--warn] --product NAME… --source FILE…")
        exit(64)
    }
}
