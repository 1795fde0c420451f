import Foundation
import Testing

@testable import CarriedHopsGenerator

@Suite("The file that the plugin generates") struct GeneratedFileTests {
    private static let products: Set<String> = ["MultiIdentity", "MultiIdentityFoundation", "MultiIdentityNetworking"]

    private func file(_ sources: String..., products: Set<String> = products, warns: Bool = false) -> GeneratedFile {
        GeneratedFile(sources: TargetSources(sources), products: products, purpose: warns ? .warning : .carrying)
    }

    @Test(
        "has Dispatch's hops, which many modules export, and those of other modules that the target imports",
        arguments: [
            ("", []), ("import Logging", []), ("import Observation", ["Observation"]),
            ("import XCTest", ["Foundation"]),
            ("import Dispatch; import Foundation", ["Foundation"]), ("@testable import Foundation", ["Foundation"]),
            ("public import class Foundation.Thread", ["Foundation"]),
            ("/* import Foundation */ // import Foundation", []),
            ("let all = \"Sources/*\"\nimport Foundation", ["Foundation"]),
            ("  @preconcurrency import FoundationNetworking // why", ["Foundation", "FoundationNetworking"]),
        ] as [(String, Set<String>)]
    )
    func imports(source: String, modules: Set<String>) {
        let file = file(source)
        #expect(Set(file.modules.map(\.name)) == modules.union(["_Concurrency", "Dispatch"]))
        #expect(file.uncarried.isEmpty)
        #expect(file.text.contains("public import Foundation\n") == modules.contains("Foundation"))
    }

    @Test("repeats an access level at the import of a product, without which Swift refuses it") func accessLevel() {
        #expect(file("import MultiIdentity").text.contains("@_spi(CarryIdentity) import MultiIdentity\n"))
        for level in ["internal", "private", "package", "fileprivate"] {
            let text = file("\(level) import MultiIdentity", "import Dispatch").text
            #expect(text.contains("@_spi(CarryIdentity) internal import MultiIdentity\n"))
        }
    }

    @Test("names each type with its module, since the target can have types of the same names") func qualified() {
        let qualified = QualifiedNames.qualifying("init(Timer: Timer) -> Task<Date?, Self.Date>")
        #expect(qualified == "init(Timer: Foundation.Timer) -> _Concurrency.Task<Foundation.Date?, Self.Date>")
    }

    @Test("leaves out, and names, what the target has no product for") func uncarried() {
        let file = file("import Foundation", products: ["MultiIdentity"])
        #expect(file.uncarried.map(\.product) == ["MultiIdentityFoundation"])
        #expect(!file.text.contains("OperationQueue"))
    }

    @Test("has swift-nio's hops if the target depends on their adapter, with properties for a protocol's requirements")
    func eventLoops() {
        let (without, with) = (
            file("\u{69}mport NIOCore"), file("@inlinable execute", products: ["MultiIdentity", "NIOIdentity"])
        )
        #expect(without.uncarried.map(\.product) == ["NIOIdentity"] && with.uncarried.isEmpty)
        // The compiler would not prefer a property whose call is disfavored.
        #expect(with.text.contains("{\n    @usableFromInline\n    nonisolated var execute: CarriedExecute {"))
        #expect(with.text.contains("{\n    @usableFromInline\n    @preconcurrency nonisolated func callAsFunction("))
        #expect(with.text.contains("base.propagatingIdentity.scheduleTask(in: `in`, task)"))
    }

    @Test(
        "leaves out what the target overrides, which Swift would refuse, and nothing for a comment or for a name of Dispatch's",
        arguments: [
            ("\u{6F}verride \u{66}unc addOperation(_ op: Operation) {}", ["addOperation"]),
            ("\u{6F}verride\n  public \u{66}unc `addOperation`(_ op: Operation) {}", ["addOperation"]),
            ("// Subclasses \u{6F}verride \u{66}unc addOperation in tests.", []), ("\u{6F}verride func async() {}", []),
        ]
    )
    func overridden(source: String, names: [String]) {
        let file = file("import Foundation", source)
        #expect(file.overridden == names)
        #expect(file.text.contains("addOperation(") == names.isEmpty)
        #expect(file.text.contains("addBarrierBlock(") && file.text.contains("asyncAfter("))
    }

    @Test("adds no overload beside the target's own") func ownOverload() {
        let added = file("").shadows.filter { $0.preference == .overload }.map(\.member)
        #expect(added == ["async"])
        #expect(file("func async(_ work: () -> Void) {}").shadows.filter { $0.preference == .overload }.isEmpty)
        // It may call the operation queue's, and must not be preferred to it.
        let yielding = ["", "func addBarrierBlock() {}"].map { own in
            file("import Foundation", own).text.split(separator: "\n").count { $0.contains("@_disfavoredOverload") }
        }
        #expect(yielding[1] == yielding[0] - 1)
    }

    @Test(
        "can be used from the target's inlinable code, and is seen by no other module else",
        arguments: [
            ("@inlinable public func f(_ queue: DispatchQueue) { queue.asyncAfter }", 2),  // two clocks
            ("public func f(_ work: (DispatchQueue) -> Void = { $0.asyncAfter }) {}", 2),
            ("public func f(g: F = { queue.asyncAfter })", 2),
            ("@inlinable public func f() { Thread {} }", 1),
        ]
    )
    func inlinable(source: String, count: Int) {
        let file = file("import Foundation\n" + source)
        let marks = file.text.split(separator: "\n").filter { $0.contains("@usableFromInline") }
        let hidden = file.text.split(separator: "\n").filter { $0.contains("@_spi(CarriedHops)") }
        #expect(marks.count == count)
        #expect(marks.count + hidden.count == file.shadows.count)
    }

    @Test("is written only if it changes, since it would be compiled again") func unchanged() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        func number(_ options: String...) throws -> Int? {
            try GeneratorCommand.run(["carry-identity", path, "--product", "MultiIdentity"] + options)
            return try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int
        }
        let first = try number()
        #expect(try number() == first)
        #expect(try number("--warn") != first)
    }

    @Test("warns about each hop only if asked to, with what to write instead", arguments: [false, true])
    func warns(warns: Bool) {
        let file = file("import Foundation", warns: warns)
        let hops = file.shadows
        let warnings = file.text.split(separator: "\n").filter { $0.contains("@available(*, deprecated, message:") }
        #expect(warnings.count { !$0.contains(KeptClosures.boundary) } == (warns ? hops.count : 0))
        #expect(warnings.contains { $0.contains(KeptClosures.boundary) } == warns)
        #expect(hops.allSatisfy { $0.instead.hasPrefix("`") })
    }
}
