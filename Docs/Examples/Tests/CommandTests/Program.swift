import Foundation

/// The built program, run by a test on real files.
struct Program {
    /// The outcome of one run.
    struct Outcome {
        /// The exit status, or the negative number of the signal that ended it.
        let status: Int32
        let data: Data
        let errors: String

        var output: String { String(decoding: data, as: UTF8.self) }

        /// The document that `--json` writes.
        var document: [String: Any] {
            get throws { try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:] }
        }

        /// Its entries.
        var entries: [[String: Any]] {
            get throws { try document["entries"] as? [[String: Any]] ?? [] }
        }

        /// The codes of its problems.
        var problems: [String] {
            get throws { (try document["problems"] as? [[String: Any]] ?? []).compactMap { $0["code"] as? String } }
        }
    }

    static var url: URL {
        URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "multi-identity")
    }

    /// Runs it until it exits.
    ///
    /// - Parameters:
    ///   - arguments: Its arguments.
    ///   - environment: Variables in addition to the tests' defaults; the tests' own variables are removed.
    ///   - input: Its standard input.
    ///   - shell: A line of bash that runs it as `"$0" "$@"`, if it is not run directly.
    /// - Returns: Its outcome.
    /// - Throws: An error if it cannot be started.
    static func run(
        _ arguments: [String],
        environment: [String: String] = [:],
        input: Data? = nil,
        shell: String? = nil
    ) throws -> Outcome {
        let (process, folder) = (Process(), try Folder())
        process.executableURL = shell == nil ? url : URL(filePath: "/bin/bash")
        process.arguments = (shell.map { ["-c", $0, url.path] } ?? []) + arguments
        let outside = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("MULTI_IDENTITY_") }
        process.environment = outside.merging(environment) { $1 }
        for name in ["in", "out", "errors"] { try folder.write(name, "") }
        try input?.write(to: folder.url.appending(path: "in"))
        process.standardInput = try FileHandle(forReadingFrom: folder.url.appending(path: "in"))
        process.standardOutput = try FileHandle(forWritingTo: folder.url.appending(path: "out"))
        process.standardError = try FileHandle(forWritingTo: folder.url.appending(path: "errors"))
        try process.run()
        process.waitUntilExit()
        let status = process.terminationStatus
        return Outcome(
            status: process.terminationReason == .uncaughtSignal ? -status : status,
            data: try folder.read("out"),
            errors: String(decoding: try folder.read("errors"), as: UTF8.self)
        )
    }
}

/// A test's temporary folder.
final class Folder {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "multi-identity-command-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// Returns the path of a file in it.
    func path(_ name: String) -> String { url.appending(path: name).path }

    /// Writes a file.
    @discardableResult
    func write(_ name: String, _ text: String) throws -> String {
        try Data(text.utf8).write(to: url.appending(path: name))
        return path(name)
    }

    func read(_ name: String) throws -> Data { try Data(contentsOf: url.appending(path: name)) }

    /// The names of its files.
    var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() }
    }

    func permissions(of name: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path(name))[.posixPermissions] as? Int
    }

    func setPermissions(_ permissions: Int, of name: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: path(name))
    }

    /// Returns the variables that name a key file in it, and a new master key.
    func keys(named name: String = "keys") -> [String: String] {
        let key = Data((0..<32).map { _ in UInt8.random(in: .min ... .max) })
        return ["MULTI_IDENTITY_KEYS": path(name), "MULTI_IDENTITY_MASTER_KEY": key.base64EncodedString()]
    }
}
