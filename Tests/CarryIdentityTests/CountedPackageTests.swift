import Foundation
import Testing

@testable import PlainHopsCount

/// Builds small packages, so it takes some seconds.
@Suite("The count of a package", .serialized) struct CountedPackageTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "counted-\(UUID())")
    private var app: URL { folder.appending(path: "app") }

    private func write(_ path: String, _ text: String) throws {
        let file = folder.appending(path: path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try text.write(to: file, atomically: true, encoding: .utf8)
    }

    private func read(_ path: String) throws -> String {
        try String(contentsOf: app.appending(path: path), encoding: .utf8)
    }

    private func object(_ path: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(read(path).utf8)) as? [String: Any])
    }

    private let manifest = "// swift-tools-version: 6.0\nimport PackageDescription\nlet package = Package("

    private func run(_ arguments: String...) -> Int32 { CountCommand.run(["--package-path", app.path] + arguments) }

    @Test("changes the queues that compile changed, leaves the others, and keeps hops from growing")
    func fixed() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        // A stand-in beside the package, which builds in a second.
        try write(
            "swift-multi-identity/Package.swift",
            """
            \(manifest)name: "swift-multi-identity", products: [.library(name: "MultiIdentity", targets: ["MultiIdentity"])], \
            targets: [.target(name: "MultiIdentity")])
            """
        )
        try write(
            "swift-multi-identity/Sources/MultiIdentity/IdentityQueue.swift",
            """
            public struct IdentityQueue: Sendable {
                public init(label: String) {}
                public func async(execute work: @escaping @Sendable () -> Void) {}
            }
            """
        )
        try write(
            "app/Package.swift",
            """
            \(manifest)name: "app", dependencies: [.package(path: "../swift-multi-identity")], targets: [
                .target(name: "App", dependencies: [.product(name: "MultiIdentity", package: "swift-multi-identity")],
                    swiftSettings: [.unsafeFlags(["-warnings-as-errors"])]),
                .target(name: "One", path: "One", sources: ["one.swift"]),
                .target(name: "AppOdd"),
            ])
            """
        )
        try write(
            "app/Sources/App/App.swift",
            """
            import Dispatch

            final class App {
                let queue: DispatchQueue
                let plain: DispatchQueue
                init() {
                    queue = DispatchQueue(label: "queue")
                    plain = DispatchQueue(label: "plain")
                }
                func run() {
                    queue.async {}
                    plain.async {}
                    DispatchGroup().notify(queue: plain) {}
                    plain.async {}  // plain: only flushes
                }
            }
            """
        )
        try write("app/One/one.swift", "import Dispatch\nfunc one() { DispatchQueue.main.async {} }")
        try write(
            "app/Sources/AppOdd/odd.swift",
            "import Dispatch\nfunc odd() { DispatchQueue.main.async {}; _ = DispatchQueue.main.async(execute:) }"
        )
        try write("app/given.swift", "import Dispatch\nlet given = DispatchQueue(label: \"given\")")
        let link = app.appending(path: "Sources/App/given.swift").path
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "../../given.swift")
        let (source, given) = (try read("Sources/App/App.swift"), try read("given.swift"))
        #expect(run("--errors", "--format", "json", "--output", "o.json") == 1)
        #expect(
            try object("o.json")["files"] as? [String: Int] == [
                "Sources/App/App.swift": 3, "Sources/AppOdd/odd.swift": 1,
            ]
        )
        #expect(try read("Sources/App/App.swift") == source)

        var copy = try CountedCopy(CountOptions(["--package-path", app.path, "--target", "App"]))
        try copy.count()
        let fix = try copy.fix { _ in }
        try write("app/given.swift", given + "// edited meanwhile")
        #expect(throws: PackageCopy.Failure.self) { try copy.write(fix) }
        #expect(try read("given.swift") == given + "// edited meanwhile" && read("Sources/App/App.swift") == source)
        try write("app/given.swift", given)

        #expect(run("--fix", "--baseline", "b.json", "--write-baseline", "--format", "json", "--output", "o.json") == 0)
        let changed = source.replacing("let queue: DispatchQueue", with: "let queue: IdentityQueue")
            .replacing("queue = DispatchQueue(", with: "queue = IdentityQueue(")
            .replacing("import Dispatch\n", with: "import Dispatch\nimport MultiIdentity\n")
        #expect(try read("Sources/App/App.swift") == changed && read("given.swift").contains("IdentityQueue"))
        let json = try object("o.json")
        #expect(json["files"] as? [String: Int] == ["Sources/App/App.swift": 2, "Sources/AppOdd/odd.swift": 1])
        #expect(json["excused"] as? Int == 1)
        let uncounted = try #require(json["uncounted"] as? [String: String])
        #expect(uncounted.keys.sorted() == ["AppOdd", "One"])
        #expect(uncounted["AppOdd"]?.contains("ambiguous use") == true)
        #expect(
            try !FileManager.default.contentsOfDirectory(atPath: app.path + "/Sources/App").contains(
                "CountedHops.swift"
            )
        )
        #expect(run("--target", "App", "--baseline", "b.json", "--output", "o.txt") == 0)
        let said = try read("o.txt")
        #expect(said.hasSuffix("No hop is new.\n"), "\(said)")
    }

    @Test("does not take silence for nothing, where warnings are suppressed") func suppressed() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let settings = "swiftSettings: [.unsafeFlags([\"-suppress-warnings\"])]"
        try write(
            "app/Package.swift",
            "\(manifest)name: \"app\", targets: [.target(name: \"Quiet\", \(settings)), .testTarget(name: \"Asks\")])"
        )
        for file in ["Sources/Quiet/quiet.swift", "Tests/Asks/asks.swift"] {
            try write("app/\(file)", "import Dispatch\nfunc quiet() { DispatchQueue.main.async {} }")
        }
        #expect(run("--output", "o.txt", "--baseline", "b.json", "--write-baseline") == 0)
        let gone = try read("b.json").replacing("\"hops\" : {", with: "\"hops\" : { \"gone\": { \"async\": 1 }")
        try write("app/b.json", gone)
        #expect(run("--output", "o.txt", "--baseline", "b.json", "--work-directory", "w") == 0)
        #expect(try read("o.txt").contains("fewer: gone: 0 × async"))
        #expect(run("--output", "o.txt", "--errors") == 1)
        #expect(try read("o.txt").contains("Quiet: the compiler does not print its warnings"))
        #expect(try !read("o.txt").contains("Asks"))
    }
}
