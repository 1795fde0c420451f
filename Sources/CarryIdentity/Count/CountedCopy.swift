import CarriedHopsGenerator
import Foundation

/// A copy of a package whose targets have a file by which the compiler lists the plain hops.
struct CountedCopy {
    let copy: PackageCopy
    let description: PackageCopy.Description
    /// The targets with the file.
    private(set) var counted: [PackageCopy.Target] = []
    /// The others that were asked for, and the reason.
    private(set) var uncounted: [String: String] = [:]
    /// Those of them that have hops nevertheless, as far as is known.
    private(set) var incomplete: Set<String> = []
    private(set) var hops: [PlainHop] = []
    /// How many hops are plain on purpose, and say why.
    private(set) var excused = 0
    /// What the compiler listed, also for targets that were left out since.
    private var found: [PlainHop] = []
    private let options: CountOptions

    private static let fileName = "CountedHops.swift"

    init(_ options: CountOptions) throws {
        self.options = options
        copy = try PackageCopy(of: options.package, in: options.work, buildArguments: options.buildArguments)
        description = try copy.described()
        let known = Set(description.targets.filter { $0.moduleType == "SwiftTarget" }.map(\.name))
        if let unknown = options.targets.subtracting(known).min() {
            throw PackageCopy.Failure(reason: "there is no Swift target \(unknown)")
        }
        let tools = description.buildTools
        for target in description.targets where isWanted(target) {
            if tools.contains(target.name) {
                uncounted[target.name] = "the build runs it, and counted code cannot run"
            } else if let plugin = target.dependencies.first(where: ["CarryIdentity", "WarnPlainHops"].contains) {
                uncounted[target.name] = "its hops carry by the plugin \(plugin)"
            } else {
                try addFile(to: target)
            }
        }
        // The manifest can name a target's sources one by one.
        let compiled = Set(try copy.described().targets.flatMap(\.files))
        for target in counted where !compiled.contains(file(of: target)) {
            try leaveOut(target, because: "its manifest names each source file")
        }
    }

    private func isWanted(_ target: PackageCopy.Target) -> Bool {
        if !options.targets.isEmpty { return options.targets.contains(target.name) }
        let isTest = target.type == "test"
        return target.moduleType == "SwiftTarget" && target.type != "snippet" && (!isTest || options.tests)
            && !target.sources.isEmpty
    }

    private func file(of target: PackageCopy.Target) -> String {
        let folder = (target.files.first ?? target.path).split(separator: "/", omittingEmptySubsequences: false)
            .dropLast()
        return (folder + [Self.fileName[...]]).joined(separator: "/")
    }

    private mutating func addFile(to target: PackageCopy.Target) throws {
        let sources = try target.files.map {
            try String(contentsOf: copy.folder.appending(path: $0), encoding: .utf8)
        }
        let place = copy.folder.appending(path: file(of: target))
        try GeneratedFile.counting(sources).write(to: place, atomically: true, encoding: .utf8)
        counted.append(target)
    }

    private mutating func leaveOut(_ target: PackageCopy.Target, because reason: String) throws {
        try FileManager.default.removeItem(at: copy.folder.appending(path: file(of: target)))
        counted.removeAll { $0.name == target.name }
        uncounted[target.name] = reason
        incomplete.insert(target.name)
    }

    /// Builds the copy, and reads the hops from what the compiler says.
    ///
    /// A target that does not compile with the file is built without it, and the hops that were seen by then count.
    ///
    /// - Throws: `PackageCopy.Failure` if the package does not compile as it is.
    mutating func count() throws {
        let targets = Dictionary(
            counted.flatMap { target in (target.files + [file(of: target)]).map { ($0, target.name) } },
            uniquingKeysWith: { first, _ in first }
        )
        let folder = copy.folder.resolvingSymlinksInPath().path(percentEncoded: false)
        var fresh = Array(targets.keys)
        found.removeAll { hop in counted.contains { $0.name == hop.target } }
        while true {
            let (log, ok) = try build(fresh: fresh)
            found += PlainHop.read(log, in: folder.hasSuffix("/") ? folder : folder + "/", targets: targets)
            if ok { break }
            let errors = log.split(separator: "\n").filter { $0.contains(": error: ") || $0.hasPrefix("error: ") }
            let failed = counted.compactMap { target in
                errors.first { error in (target.files + [file(of: target)]).contains { error.contains("/\($0):") } }
                    .map { (target, $0) }
            }
            if failed.isEmpty {
                let reasons = Set(errors).sorted().joined(separator: "\n")
                throw PackageCopy.Failure(
                    reason: "the package does not compile (`--target` can leave code out):\n\(reasons)"
                )
            }
            for (target, error) in failed {
                try leaveOut(target, because: "it does not compile with the declarations that count: \(error)")
            }
            fresh = []
        }
        // Each file that lists the hops has one itself: a target without it has its warnings suppressed.
        let listed = Set(found.filter { $0.file.hasSuffix("/" + Self.fileName) }.map(\.target))
        for target in counted where !listed.contains(target.name) {
            try leaveOut(target, because: "the compiler does not print its warnings")
        }
        let all = Set(found).filter { !$0.file.hasSuffix("/" + Self.fileName) }
        (hops, excused) = ([], 0)
        for (file, all) in Dictionary(grouping: all, by: \.file) {
            let text = try String(contentsOf: copy.folder.appending(path: file), encoding: .utf8)
            let listed = PlainHop.listed(all, in: text)
            (hops, excused) = (hops + listed.hops, excused + listed.excused)
        }
        hops.sort { ($0.file, $0.line, $0.column) < ($1.file, $1.line, $1.column) }
    }

    /// Whether the copy compiles as it is now.
    func compiles() throws -> Bool { try build().ok }

    private func build(fresh: [String] = []) throws -> (log: String, ok: Bool) {
        try copy.build(options.targets.sorted(), tests: options.tests, fresh: fresh)
    }

    /// Whether a file belongs to the targets that were counted; a file that no target has any more counts if all were.
    func isCounted(_ path: String) -> Bool {
        options.targets.isEmpty || counted.contains { path.hasPrefix($0.path + "/") }
    }
}

extension PackageCopy.Target {
    var dependencies: [String] { (targetDependencies ?? []) + (productDependencies ?? []) }
}

extension PackageCopy.Description {
    /// What a build runs: plugins and macros, and the targets that they depend on.
    var buildTools: Set<String> {
        var (tools, open) = (Set<String>(), targets.filter { ["plugin", "macro"].contains($0.type) })
        while let target = open.popLast() {
            for name in target.targetDependencies ?? [] where tools.insert(name).inserted {
                open += targets.filter { $0.name == name }
            }
        }
        return tools.union(targets.filter { $0.type == "macro" }.map(\.name))
    }
}
