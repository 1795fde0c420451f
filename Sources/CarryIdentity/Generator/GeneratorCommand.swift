import Foundation

/// Writes the file of shadows for a target: `carry-identity OUTPUT [--warn] --product NAME… --source FILE…`.
///
/// With `--list` it prints the declarations that have to be the toolchain's.
package enum GeneratorCommand {
    package static func run(_ commandLine: [String]) throws {
        var arguments = commandLine.dropFirst()
        if arguments == ["--list"] {
            return ShadowedModule.all.flatMap(\.shadows).filter(\.hidesImported).forEach { print($0.declaration) }
        }
        guard let output = arguments.popFirst() else { return usage() }
        var (products, sources, warns) = (Set<String>(), [String](), false)
        while let option = arguments.popFirst() {
            switch (option, arguments.first) {
            case ("--warn", _): warns = true
            case ("--product", let name?):
                products.insert(name)
                arguments.removeFirst()
            case ("--source", let path?):
                sources.append(try String(contentsOfFile: path, encoding: .utf8))
                arguments.removeFirst()
            default: return usage()
            }
        }
        let file = GeneratedFile(
            imports: Set(sources.flatMap(modules(importedBy:))),
            products: products,
            overridden: Set(sources.flatMap(members(overriddenBy:))),
            warns: warns
        )
        for module in file.uncarried {
            print(
                "warning: hops of \(module.name) do not carry: let the target depend on the product \(module.product)."
            )
        }
        for member in Set(file.modules.flatMap(\.shadows).map { String($0.member) }).intersection(file.overridden)
            .sorted()
        {
            print(
                "warning: hops of \(member) do not carry, since the target overrides it: write .propagatingIdentity.\(member)."
            )
        }
        try file.text.write(toFile: output, atomically: true, encoding: .utf8)
    }

    /// Returns the names of the modules in import declarations, whatever their attributes; in comments too, which does no harm.
    static func modules(importedBy source: String) -> Set<String> {
        var modules: Set<String> = []
        for line in source.split(whereSeparator: \.isNewline) {
            let words = line.split { $0 == " " || $0 == "\t" || $0 == ";" }
            guard let place = words.firstIndex(of: "import"), place + 1 < words.count else { continue }
            // `import class Foundation.Thread` names a kind first.
            let kinds: Set<Substring> = ["class", "struct", "enum", "protocol", "func", "var", "let", "typealias"]
            let named =
                kinds.contains(words[place + 1]) && place + 2 < words.count ? words[place + 2] : words[place + 1]
            modules.insert(String(named.prefix { $0 != "." }))
        }
        return modules
    }

    /// Returns the names of the functions and properties that are overridden.
    static func members(overriddenBy source: String) -> Set<String> {
        var members: Set<String> = []
        for line in source.split(whereSeparator: \.isNewline) {
            let words = line.split { " \t(:<".contains($0) }
            guard words.contains("override"), let keyword = words.firstIndex(where: { $0 == "func" || $0 == "var" })
            else { continue }
            if keyword + 1 < words.count { members.insert(String(words[keyword + 1])) }
        }
        return members
    }

    private static func usage() {
        print("usage: carry-identity --list | OUTPUT [--warn] --product NAME… --source FILE…")
        exit(64)
    }
}
