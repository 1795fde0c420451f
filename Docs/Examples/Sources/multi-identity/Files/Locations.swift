import Foundation
import MultiIdentityFiles
import MultiIdentityProtection

/// A file below a folder of files with owners.
struct Location {
    let files: IdentityFileSystem
    /// The path below the root.
    let path: String
    /// The name on the command line.
    let name: String

    /// Reads the file's header, if it was ever protected.
    func info(_ protection: DataProtection) throws -> ProtectionInfo? {
        try protection.protectionInfo(files.open(path, for: .reading).read(upTo: Pump.headerSize))
    }
}

/// Finds the files that the command line names, below the folders of files with owners.
///
/// Names are paths of the process, as in any other command, so that a shell can complete them.
final class Locations {
    private let options: StorageOptions
    /// The last opened root, by its resolved path.
    private var opened: (path: String, files: IdentityFileSystem)?

    init(_ options: StorageOptions) { self.options = options }

    /// Finds a regular file that is not reached through a link.
    func location(of name: String) throws -> Location {
        let (folder, last) = try Self.split(name)
        let resolved = try Self.resolved(folder, of: name)
        try Self.checkRegularFile(name)
        let root = options.namedRoot ?? folder
        let resolvedRoot = try Self.resolved(root, of: root)
        func inside(_ folder: String) -> String { folder == "/" ? folder : folder + "/" }
        guard inside(resolved).utf8.starts(with: inside(resolvedRoot).utf8) else {
            throw CommandFailure(
                .usage,
                "outsideRoot",
                "The file is not below the root \(root). Name one that is, or pass another --root or --no-root.",
                about: name
            )
        }
        let below = (inside(resolved) + last).utf8.dropFirst(inside(resolvedRoot).utf8.count)
        return Location(files: try files(resolvedRoot, as: root), path: String(Substring(below)), name: name)
    }

    /// Throws if a path is not a regular file.
    static func checkRegularFile(_ path: String) throws(CommandFailure) {
        var found = stat()
        guard lstat(path, &found) == 0 else { throw CommandFailure(systemCall: "find", path) }
        guard found.st_mode & S_IFMT == S_IFREG else {
            throw CommandFailure(.noInput, "notAFile", "It is not a regular file. Name a file.", about: path)
        }
    }

    private func files(_ resolved: String, as given: String) throws -> IdentityFileSystem {
        if let opened, opened.path == resolved { return opened.files }
        // An open index is locked.
        opened = nil
        let files = try options.files(in: given)
        opened = (resolved, files)
        return files
    }

    private static func split(_ name: String) throws(CommandFailure) -> (folder: String, last: String) {
        guard let last = name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).last,
            !name.isEmpty
        else { throw CommandFailure(.usage, "invalidPath", "The name is empty. Name a file.", about: name) }
        if last.isEmpty || last.elementsEqual(".".utf8) || last.elementsEqual("..".utf8) {
            throw CommandFailure(
                .noInput,
                "notAFile",
                "The name is a folder's. Name a file, without a slash at the end.",
                about: name
            )
        }
        let folder = name.utf8.dropLast(last.count)
        return (folder.isEmpty ? "." : String(Substring(folder)), String(Substring(last)))
    }

    /// The folder without symbolic links.
    private static func resolved(_ folder: String, of name: String) throws(CommandFailure) -> String {
        guard let found = realpath(folder, nil) else { throw CommandFailure(systemCall: "find the folder of", name) }
        defer { free(found) }
        guard let path = String(validatingCString: found) else {
            throw CommandFailure(.noInput, "invalidPath", "The name of its folder is not UTF-8.", about: name)
        }
        return path
    }
}
