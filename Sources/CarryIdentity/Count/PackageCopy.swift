import Foundation

/// A copy of a package, which can be changed and built.
struct PackageCopy {
    let original: URL
    let folder: URL
    private let scratch: URL
    private let buildArguments: [String]

    /// Copies a package without its build folders and its repository.
    ///
    /// - Parameters:
    ///   - original: The package's folder.
    ///   - work: The folder for the copy and its build, which later copies use again.
    ///   - buildArguments: Options of `swift build`.
    /// - Throws: If a file cannot be read or written.
    init(of original: URL, in work: URL, buildArguments: [String] = []) throws {
        (self.original, self.buildArguments) = (original, buildArguments)
        // The folder's name is the package's identity.
        folder = work.appending(path: "copy/\(original.lastPathComponent)", directoryHint: .isDirectory)
        scratch = work.appending(path: "build", directoryHint: .isDirectory)
        let files = FileManager.default
        if files.fileExists(atPath: folder.path) { try files.removeItem(at: folder) }
        try copy(original, to: folder, except: work.standardizedFileURL.path)
        // The manifest's neighbours are the original's.
        for name in try files.contentsOfDirectory(atPath: folder.path)
        where name.hasPrefix("Package") && name.hasSuffix(".swift") {
            let manifest = folder.appending(path: name)
            let text = try String(contentsOf: manifest, encoding: .utf8)
            let path = original.path(percentEncoded: false)
            let changed = text.replacing(
                #/path:\s*"\.\.\//#,
                with: "path: \"\(path.hasSuffix("/") ? path : path + "/")../"
            )
            if changed != text { try changed.write(to: manifest, atomically: true, encoding: .utf8) }
        }
    }

    private func copy(_ from: URL, to: URL, except work: String) throws {
        let files = FileManager.default
        try files.createDirectory(at: to, withIntermediateDirectories: true)
        for name in try files.contentsOfDirectory(atPath: from.path) where ![".build", ".git"].contains(name) {
            let (item, place) = (from.appending(path: name), to.appending(path: name))
            if item.standardizedFileURL.path == work { continue }
            let kind = try files.attributesOfItem(atPath: item.path)[.type] as? FileAttributeType
            if kind == .typeDirectory {
                try copy(item, to: place, except: work)
            } else if kind == .typeRegular || kind == .typeSymbolicLink {
                try files.copyItem(at: item, to: place)
            }
        }
    }

    /// A target of the package, as SwiftPM describes it.
    struct Target: Decodable {
        let name: String
        let type: String
        let moduleType: String
        let path: String
        let sources: [String]
        var targetDependencies: [String]?
        var productDependencies: [String]?

        var files: [String] { sources.map { "\(path)/\($0)" } }
    }

    struct Description: Decodable {
        let name: String
        let targets: [Target]
    }

    /// Something went wrong that is not the package's code.
    struct Failure: Error { let reason: String }

    func described() throws -> Description {
        let run = try swift("package", ["describe", "--type", "json"], errors: false)
        // Notices can come first.
        guard run.status == 0, let start = run.output.firstIndex(of: "{") else {
            throw Failure(reason: "`swift package describe` failed: \(try swift("package", ["describe"]).output)")
        }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(Description.self, from: Data(run.output[start...].utf8))
    }

    /// Builds the package, or some of its targets.
    ///
    /// - Parameters:
    ///   - targets: The targets; none means all.
    ///   - tests: True to build the tests too.
    ///   - fresh: The files that are compiled again, since only the compiler prints what it warns about.
    /// - Throws: If a file cannot be written, or no `swift` can be run.
    /// - Returns: What was printed, and whether all compiled.
    func build(_ targets: [String] = [], tests: Bool = false, fresh: [String] = []) throws -> (log: String, ok: Bool) {
        try renew(fresh)
        // Another option could make them errors, after which nothing that depends on the target compiles.
        let warnings = ["-Xswiftc", "-Wwarning", "-Xswiftc", "DeprecatedDeclaration"]
        let selections = targets.isEmpty ? [tests ? ["--build-tests"] : []] : targets.map { ["--target", $0] }
        var (log, ok) = ("", true)
        for selection in selections {
            var run = try swift("build", selection + warnings + buildArguments)
            // Of a target that suppresses its warnings.
            if run.output.contains("conflicting options '-Wwarning'") {
                run = try swift("build", selection + buildArguments)
            }
            (log, ok) = (log + run.output, ok && run.status == 0)
        }
        return (log, ok)
    }

    /// Makes files newer by a second than all that earlier copies in this place made newer: the compiler takes a file of the same
    /// second for the one that it knows.
    ///
    /// - Parameters:
    ///   - files: The paths in the package.
    ///   - texts: The new contents of some of them.
    /// - Throws: If a file cannot be written.
    func renew(_ files: [String], with texts: [String: String] = [:]) throws {
        try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
        let mark = scratch.appending(path: "plain-hops-renewed").path(percentEncoded: false)
        let last = try? FileManager.default.attributesOfItem(atPath: mark)[.modificationDate] as? Date
        let now = max(Date(), (last ?? .distantPast) + 1)
        try Data().write(to: URL(filePath: mark))
        try FileManager.default.setAttributes([.modificationDate: now], ofItemAtPath: mark)
        for file in files {
            let place = folder.appending(path: file)
            if let text = texts[file] { try text.write(to: place, atomically: true, encoding: .utf8) }
            try FileManager.default.setAttributes(
                [.modificationDate: now],
                ofItemAtPath: place.path(percentEncoded: false)
            )
        }
    }

    private func swift(_ command: String, _ arguments: [String], errors: Bool = true) throws -> (
        output: String, status: Int32
    ) {
        let log = scratch.appending(path: "plain-hops-\(command).txt")
        try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
        try Data().write(to: log)
        let handle = try FileHandle(forWritingTo: log)
        defer { try? handle.close() }
        #if os(macOS) || os(Linux)
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        let folders = [
            "--package-path", folder.path(percentEncoded: false), "--scratch-path", scratch.path(percentEncoded: false),
        ]
        // Sandboxes do not nest.
        process.arguments = ["swift", command, "--disable-sandbox"] + folders + arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = handle
        process.standardError = errors ? handle : FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return (String(decoding: try Data(contentsOf: log), as: UTF8.self), process.terminationStatus)
        #else
        throw Failure(reason: "this system has no processes")
        #endif
    }
}
