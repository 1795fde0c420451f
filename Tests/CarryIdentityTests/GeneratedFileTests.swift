import Testing

@testable import CarriedHopsGenerator

@Suite("The file that the plugin generates") struct GeneratedFileTests {
    private static let products: Set<String> = ["MultiIdentity", "MultiIdentityFoundation", "MultiIdentityNetworking"]

    @Test(
        "has the hops of what the target imports, and imports nothing else",
        arguments: [
            ([], ["_Concurrency"]),
            (["Dispatch"], ["_Concurrency", "Dispatch"]),
            (["Foundation"], ["_Concurrency", "Dispatch", "Foundation"]),
            (
                ["Foundation", "FoundationNetworking"],
                ["_Concurrency", "Dispatch", "Foundation", "FoundationNetworking"]
            ),
            (["Observation", "Logging"], ["_Concurrency", "Observation"]),
        ] as [(Set<String>, Set<String>)]
    )
    func imports(imported: Set<String>, modules: Set<String>) {
        let file = file(imported.map { "import \($0)" })
        #expect(Set(file.modules.map(\.name)) == modules)
        #expect(file.uncarried.isEmpty)
        #expect(file.text.contains("import Foundation\n") == modules.contains("Foundation"))
    }

    @Test("names each type with its module, since the target can have types of the same names") func qualified() {
        #expect(
            QualifiedNames.qualifying("init(Timer: Timer) -> Task<Date?, Self.Date>") == """
                init(Timer: Foundation.Timer) -> _Concurrency.Task<Foundation.Date?, Self.Date>
                """
        )
    }

    @Test("leaves out, and names, what the target has no product for") func uncarried() {
        let file = file(["import Foundation"], products: ["MultiIdentity"])
        #expect(file.uncarried.map(\.product) == ["MultiIdentityFoundation"])
        #expect(!file.text.contains("OperationQueue"))
    }

    @Test("leaves out what the target overrides, which Swift would refuse") func overridden() {
        let source = "final class Own: OperationQueue { \("override") func addOperation(_ op: Operation) {} }"
        let file = file(["import Foundation", source])
        #expect(file.overridden == ["addOperation"])
        #expect(!file.text.contains("addOperation("))
        #expect(file.text.contains("addBarrierBlock("))
    }

    @Test(
        "can be used from inlinable code, if there is any, where the import's access level allows it",
        arguments: [
            ("import Dispatch", 0, 0), ("import Dispatch\n@inlinable func f() {}", 2, 1),
            ("public import Dispatch\n@inlinable func f() {}", 2, 0),
            ("internal import Dispatch\n@inlinable func f() {}", 1, 0),
        ]
    )
    func inlinable(source: String, usableModules: Int, conditionalModules: Int) {
        let counts = [ShadowedModule.concurrency, .dispatch].map(\.shadows.count)
        let lines = file([source]).text.split(separator: "\n")
        #expect(lines.count { $0.contains("@usableFromInline") } == counts.prefix(usableModules).reduce(0, +))
        #expect(lines.count { $0.contains("#if !hasFeature") } == conditionalModules * counts[1])
    }

    @Test("warns about each hop only if asked to, with what to write instead", arguments: [false, true])
    func warns(warns: Bool) {
        let file = file(["import Foundation"], warns: warns)
        let hops = file.shadows
        let warnings = file.text.split(separator: "\n").filter { $0.contains("@available(*, deprecated, message:") }
        #expect(warnings.count == (warns ? hops.count : 0))
        #expect(hops.allSatisfy { $0.instead.hasPrefix("`") })
    }

    @Test(
        "knows an import by its line, and repeats an access level",
        arguments: [
            ("import Foundation", "import Foundation"), ("@testable import Foundation;", "import Foundation"),
            ("  @preconcurrency import Foundation // why", "import Foundation"),
            ("public import class Foundation.Thread", "import Foundation"),
            ("internal import Foundation", "internal import Foundation"),
            ("private import struct Foundation.Date", "internal import Foundation"),
        ]
    )
    func reads(line: String, repeated: String) {
        #expect(file(["let a = 1\n\(line)\n"]).text.contains("\n\(repeated)\n"))
    }

    private func file(_ sources: [String], products: Set<String> = products, warns: Bool = false) -> GeneratedFile {
        GeneratedFile(sources: TargetSources(sources), products: products, warns: warns)
    }
}
