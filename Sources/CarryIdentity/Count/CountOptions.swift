import Foundation

/// What the command line asks for.
struct CountOptions {
    enum Format: String { case text, json, sarif }

    /// The command line is wrong.
    struct Mistake: Error { let reason: String }

    private(set) var package = URL(filePath: FileManager.default.currentDirectoryPath, directoryHint: .isDirectory)
    private var workDirectory: String?
    private(set) var targets: Set<String> = []
    private(set) var tests = false
    private(set) var format = Format.text
    private(set) var list = false
    private(set) var output: String?
    private(set) var baseline: String?
    private(set) var writesBaseline = false
    private(set) var errors = false
    private(set) var fixes = false
    private(set) var help = false
    /// Options of the nested `swift build`.
    private(set) var buildArguments: [String] = []

    init(_ commandLine: [String]) throws {
        var arguments = commandLine[...]
        while let option = arguments.popFirst() {
            func value() throws -> String {
                guard let value = arguments.popFirst(), !value.hasPrefix("--") else {
                    throw Mistake(reason: "\(option) needs a value")
                }
                return value
            }
            switch option {
            case "--package-path": package = URL(filePath: try value(), directoryHint: .isDirectory).standardizedFileURL
            case "--work-directory": workDirectory = try value()
            case "--target": targets.insert(try value())
            case "--tests": tests = true
            case "--format":
                let name = try value()
                guard let format = Format(rawValue: name) else { throw Mistake(reason: "no format is named \(name)") }
                self.format = format
            case "--list": list = true
            case "--output": output = try value()
            case "--baseline": baseline = try value()
            case "--write-baseline": writesBaseline = true
            case "--errors": errors = true
            case "--fix": fixes = true
            case "--help", "-h": help = true
            case "--":
                buildArguments = Array(arguments)
                arguments = []
            default: throw Mistake(reason: "unknown option \(option)")
            }
        }
        if writesBaseline, baseline == nil { throw Mistake(reason: "--write-baseline needs --baseline FILE") }
        if writesBaseline, !targets.isEmpty { throw Mistake(reason: "a baseline is written for all targets") }
    }

    /// The folder for the copy and its build.
    var work: URL { workDirectory.map(file) ?? file(".build/plain-hops") }

    /// A file by a path below the package's folder, or an absolute one.
    func file(_ path: String) -> URL { URL(filePath: path, relativeTo: package).absoluteURL }

    static let usage = """
        usage: swift package plain-hops [OPTION…] [-- OPTION-OF-SWIFT-BUILD…]

        Counts the calls in a package that hand work over and carry no identity by themselves. It builds a copy below .build;
        only --fix changes sources. Paths are relative to the package. A call that needs no identity says why on its line, and does
        not count: `queue.async {  // plain: flushes a cache`.

          --target NAME       only this target; repeat it for more
          --tests             test targets too
          --format FORMAT     text (default), json, or sarif
          --list              each hop with its line, in text
          --output FILE       write there instead of printing
          --errors            exit with 1 if there is a hop, or a target that cannot be counted
          --baseline FILE     compare with this file, and exit with 1 if there are more hops at a boundary of a file
          --write-baseline    write that file
          --fix               make queues that the package creates an IdentityQueue or IdentityOperationQueue, where it compiles
          --package-path DIR  another package, for `swift run plain-hops` in a checkout of swift-multi-identity

        It counts what is compiled here: no inactive `#if`. On macOS, where it was not tried, sandboxes may refuse the nested build:
        `swift package --disable-sandbox plain-hops`.

        examples:
          swift package plain-hops --list --target Server
          swift package plain-hops --baseline .plain-hops.json --write-baseline
          swift package plain-hops --baseline .plain-hops.json
          swift package plain-hops --format sarif --output plain-hops.sarif
          swift run --package-path ../swift-multi-identity plain-hops --package-path "$PWD"

        """
}
