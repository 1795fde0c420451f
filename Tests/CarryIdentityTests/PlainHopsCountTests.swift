import Foundation
import Testing

@testable import PlainHopsCount

@Suite("The count of plain hops") struct PlainHopsCountTests {
    private static func hop(_ file: String, _ line: Int, _ boundary: String = "DispatchQueue.async") -> PlainHop {
        PlainHop(file: file, line: line, column: 9, target: "App", boundary: boundary, instead: "`x`")
    }

    @Test("reads what the compiler says of each hop, once, and of nothing else") func diagnostics() {
        let log = """
            [3/4] Compiling App a.swift
            /copy/Sources/App/a.swift:12:9: warning: 'async(execute:)' is deprecated: `DispatchQueue.async` carries no identity by \
            itself: write `queue.x { }`, or else. [#DeprecatedDeclaration]
            11 | 
            12 | queue.async { }
               |       `- warning: 'async(execute:)' is deprecated: `DispatchQueue.async` carries no identity by itself: write `x`.
            /copy/Sources/App/a.swift:12:9: error: 'async(execute:)' is deprecated: `DispatchQueue.async` carries no identity by \
            itself: write `queue.x { }`, or else.
            /copy/Sources/App/a.swift:2:30: warning: setter for 'onTermination' is deprecated: `AsyncStream.Continuation.onTermination` \
            carries no identity by itself: write `y`. [#DeprecatedDeclaration]
            /copy/Sources/App/a.swift:4:9: warning: 'old()' is deprecated: write `new`. [#DeprecatedDeclaration]
            /copy/.build/checkouts/b/b.swift:5:9: warning: 'init(block:)' is deprecated: `Thread.init` carries no identity by itself: write `x`.
            """
        let hops = PlainHop.read(log, in: "/copy/", targets: ["Sources/App/a.swift": "App"])
        #expect(hops.map(\.line) == [2, 12])
        #expect(hops.map(\.boundary) == ["AsyncStream.Continuation.onTermination", "DispatchQueue.async"])
        #expect(hops.last?.instead == "`queue.x { }`, or else")
        #expect(hops.last?.column == 9 && hops.last?.target == "App")
    }

    @Test("compares with a baseline by file and boundary, wherever the lines are") func baseline() throws {
        let before = HopBaseline([Self.hop("a", 1), Self.hop("a", 2), Self.hop("b", 1), Self.hop("gone", 1)])
        #expect(before.changes(to: HopBaseline([7, 8].map { Self.hop("a", $0) }), where: { $0 == "a" }) == [])
        let now = HopBaseline([Self.hop("a", 1), Self.hop("b", 5), Self.hop("b", 9), Self.hop("b", 7, "Task.detached")])
        let changes = before.changes(to: now)
        #expect(changes.map(\.file) == ["a", "b", "b", "gone"])
        #expect(changes.map(\.allowed) == [2, 1, 0, 1])
        #expect(changes.map(\.found) == [1, 2, 1, 0])
        let file = FileManager.default.temporaryDirectory.appending(path: "baseline-\(UUID()).json")
        defer { try? FileManager.default.removeItem(at: file) }
        try now.write(to: file)
        #expect(try HopBaseline(contentsOf: file) == now)
    }

    private static func report(_ changes: [HopBaseline.Change]? = nil) -> HopReport {
        HopReport(
            package: "app",
            hops: [
                hop("Sources/App/a b.swift", 3), hop("Sources/App/c.swift", 1),
                hop("Sources/App/c.swift", 2, "Timer.init"),
            ],
            targets: ["App", "Quiet"],
            uncounted: ["Gen": "the build runs it"],
            seconds: 1.6,
            changes: changes
        )
    }

    @Test("is written as text, with what a baseline allows") func text() throws {
        let text = try Self.report().written(as: .text, listing: false)
        #expect(
            text == """
                plain hops in app: 3 (targets: 2, seconds: 2)

                by target
                      3  App

                by boundary
                      2  DispatchQueue.async
                      1  Timer.init

                by file
                      2  Sources/App/c.swift
                      1  Sources/App/a b.swift

                not counted, or not fully
                  Gen: the build runs it

                """
        )
        let listed = try Self.report([]).written(as: .text, listing: true)
        #expect(listed.hasPrefix("Sources/App/a b.swift:3:9: DispatchQueue.async: write `x`\n"))
        #expect(listed.hasSuffix("No hop is new.\n"))
        let more = HopBaseline.Change(file: "c", boundary: "Timer.init", allowed: 0, found: 1)
        let fewer = HopBaseline.Change(file: "d", boundary: "Timer.init", allowed: 2, found: 1)
        #expect(Self.report([more, fewer]).excess == 1)
        let changed = try Self.report([more, fewer]).written(as: .text, listing: false)
        #expect(
            changed.hasSuffix(
                "more: c: 1 × Timer.init, and the baseline has 0\nfewer: d: 1 × Timer.init, and the baseline has 2\n"
            )
        )
        #expect(try Self.report([fewer]).written(as: .text, listing: false).hasSuffix("so that none returns.\n"))
    }

    @Test("is written as JSON and as SARIF 2.1.0, with what code scanning requires") func machines() throws {
        func object(_ format: CountOptions.Format) throws -> [String: Any] {
            let text = try Self.report().written(as: format, listing: false)
            return try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        }
        let json = try object(.json)
        #expect(json["total"] as? Int == 3)
        #expect(json["targets"] as? [String: Int] == ["App": 3, "Quiet": 0])
        #expect(json["boundaries"] as? [String: Int] == ["DispatchQueue.async": 2, "Timer.init": 1])
        #expect(json["files"] as? [String: Int] == ["Sources/App/a b.swift": 1, "Sources/App/c.swift": 2])
        #expect((json["hops"] as? [[String: Any]])?.count == 3)
        let sarif = try object(.sarif)
        #expect(sarif["version"] as? String == "2.1.0")
        #expect((sarif["$schema"] as? String)?.hasSuffix("sarif-2.1.0.json") == true)
        let run = try #require((sarif["runs"] as? [[String: Any]])?.first)
        let driver = try #require((run["tool"] as? [String: Any])?["driver"] as? [String: Any])
        let rules = try #require(driver["rules"] as? [[String: Any]]).compactMap { $0["id"] as? String }
        #expect(driver["name"] as? String == "plain-hops" && rules == ["DispatchQueue.async", "Timer.init"])
        for result in try #require(run["results"] as? [[String: Any]]) {
            #expect(rules[try #require(result["ruleIndex"] as? Int)] == result["ruleId"] as? String)
            #expect((result["message"] as? [String: Any])?["text"] is String)
            let location = (result["locations"] as? [[String: Any]])?.first?["physicalLocation"] as? [String: Any]
            let uri = try #require((location?["artifactLocation"] as? [String: Any])?["uri"] as? String)
            #expect(["Sources/App/a%20b.swift", "Sources/App/c.swift"].contains(uri))
            let region = try #require(location?["region"] as? [String: Int])
            #expect(try #require(region["startLine"]) <= 3 && region["startColumn"] == 9)
        }
    }

    @Test(
        "refuses a command line that it does not know",
        arguments: [
            ["--formats", "json"], ["--format", "xml"], ["--target"], ["--target", "--tests"], ["--write-baseline"],
            ["App"],
            ["--baseline", "f", "--write-baseline", "--target", "App"],
        ]
    )
    func mistakes(arguments: [String]) {
        #expect(throws: CountOptions.Mistake.self) { try CountOptions(arguments) }
        #expect(CountCommand.run(arguments) == 64)
    }

    @Test("takes paths below the package, and options of the build after two hyphens") func options() throws {
        let options = try CountOptions(["--package-path", "/p/app", "--output", "o", "--errors", "--", "--traits", "A"])
        #expect(options.file("o").path == "/p/app/o" && options.file("/o").path == "/o")
        #expect(options.work.path == "/p/app/.build/plain-hops")
        #expect(options.buildArguments == ["--traits", "A"] && options.errors && !options.fixes)
    }

    @Test("leaves out what its line excuses, or wraps if it is kept") func excused() throws {
        let text = "queue.async {  // plain: flushes\n\nqueue.async {}  // plain:\r\nqueue.async {}  // is plain"
        let hops = [1, 3, 4, 9].map { Self.hop("f", $0) }
        #expect(PlainHop.listed(hops, in: text).hops.map(\.line) == [3, 4, 9])
        let kept = [Self.hop("f", 1, "kept closure"), Self.hop("f", 2, "kept closure"), Self.hop("f", 1)]
        #expect(PlainHop.listed(kept, in: "list.append(all.wrap(work))\nlist.append(x)") == ([kept[1], kept[2]], 0))
        var report = Self.report()
        report.excused = 1
        #expect(try report.written(as: .text, listing: false).contains("seconds: 2)\nplain on purpose: 1\n"))
    }

    private static let source = """
        // DispatchQueue(label: "none")
        @preconcurrency import Dispatch
        #if os(Linux)
        #endif
        final class Worker {
            let queue: DispatchQueue, other = DispatchQueue(label: "other")
            var given: DispatchQueue
            lazy var operations: OperationQueue? = OperationQueue()
            init(given: DispatchQueue) {
                self.given = given
                queue = DispatchQueue(label: "queue")
                run(on: DispatchQueue(label: "argument"))
                MyDispatchQueue(label: "own"); Dispatch.DispatchQueue(label: "qualified")
            }
            struct Other { let queue: DispatchQueueKind }
        }
        """

    @Test("finds the queues that a file creates, each with its annotations") func declarations() {
        let found = QueueDeclaration.all(in: Self.source, file: "w")
        #expect(found.map(\.kind.plain) == ["DispatchQueue", "DispatchQueue", "DispatchQueue", "OperationQueue"])
        #expect(found.map(\.offsets.count) == [1, 2, 1, 2] && found.map(\.line) == [6, 11, 12, 8])
        let text = QueueDeclaration.changing([found[1], found[3]], in: Self.source)
        #expect(text.contains("Dispatch\nimport MultiIdentity\nimport MultiIdentityFoundation\n#if os"))
        #expect(text.contains("let queue: IdentityQueue, other = DispatchQueue("))
        #expect(text.contains("        queue = IdentityQueue(label: \"queue\")"))
        #expect(text.contains("operations: IdentityOperationQueue? = IdentityOperationQueue()"))
        #expect(QueueDeclaration.changing([], in: Self.source) == Self.source)
        let again = QueueDeclaration.changing(QueueDeclaration.all(in: text, file: "w"), in: text)
        #expect(again.split(separator: "\n").count { $0.hasPrefix("import ") } == 2)
    }

    @Test("finds all that compile together, by halves", arguments: [[], [0], [3], [0, 7, 8], Array(0..<9)])
    func halves(bad: [Int]) {
        var builds = 0
        let good = QueueDeclaration.compiling(Array(0..<9)[...]) { candidates in
            builds += 1
            return Set(bad).isDisjoint(with: candidates)
        }
        #expect(good == Array(0..<9).filter { !bad.contains($0) })
        #expect(builds <= (bad.isEmpty ? 1 : 17))
    }

    @Test("leaves out what a build runs: what plugins and macros depend on, and macros") func buildTools() {
        func target(_ name: String, _ type: String, _ needs: String...) -> PackageCopy.Target {
            .init(name: name, type: type, moduleType: "", path: "", sources: [], targetDependencies: needs)
        }
        let targets = [
            target("Lib", "library"), target("tool", "executable", "Lib"), target("Plugin", "plugin", "tool"),
            target("Syntax", "library"), target("Macro", "macro", "Syntax"), target("App", "library", "Macro"),
        ]
        let description = PackageCopy.Description(name: "app", targets: targets)
        #expect(description.buildTools == ["Lib", "tool", "Syntax", "Macro"])
    }
}
