import Foundation
import MultiIdentityFiles

/// Finds the files that are named on the command line below the folders of files with owners.
///
/// Names are paths of the process, as with any other command: so a shell can complete them.
final class Locations {
    private let options: StorageOptions
    /// The root that was named, and as the system calls it; else of the last file.
    private var opened: (path: String, files: IdentityFileSystem)?

    init(_ options: StorageOptions) { self.options = options }

    /// A file below a folder of files with owners.
    struct Location {
        let files: IdentityFileSystem
        /// Below the root.
        let path: String
        /// As it was given.
        let name: String
    }

    /// Finds a file, which need not exist; the folder that it is in does.
    func location(of name: String) throws -> Location {
        let (folder, last) = try Self.split(name)
        let resolved = try Self.resolved(folder, of: name)
        guard let root = options.namedRoot else {
            return Location(files: try files(resolved, as: folder), path: last, name: name)
        }
        let resolvedRoot = try Self.resolved(root, of: root)
        if resolved == resolvedRoot {
            return Location(files: try files(resolvedRoot, as: root), path: last, name: name)
        }
        let start = resolvedRoot == "/" ? "/" : resolvedRoot + "/"
        guard resolved.utf8.starts(with: start.utf8) else {
            throw CommandFailure(
                .usage,
                "outsideRoot",
                "It is not below the root \(root). Name a file that is, or give another --root, or --no-root.",
                about: name
            )
        }
        let below = String(decoding: resolved.utf8.dropFirst(start.utf8.count), as: UTF8.self)
        return Location(files: try files(resolvedRoot, as: root), path: "\(below)/\(last)", name: name)
    }

    private func files(_ resolved: String, as given: String) throws -> IdentityFileSystem {
        if let opened, opened.path == resolved { return opened.files }
        // An index is locked while it is open.
        opened = nil
        let files = try options.files(in: given)
        opened = (resolved, files)
        return files
    }

    private static func split(_ name: String) throws(CommandFailure) -> (folder: String, last: String) {
        let bytes = name.utf8
        guard let last = bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).last,
            !bytes.isEmpty
        else { throw CommandFailure(.usage, "invalidPath", "An empty name is no file's.", about: name) }
        if last.isEmpty || last.elementsEqual(".".utf8) || last.elementsEqual("..".utf8) {
            throw CommandFailure(
                .noInput,
                "notAFile",
                "It names a folder; name a file, with no slash behind it.",
                about: name
            )
        }
        let folder = bytes.dropLast(last.count)
        return (folder.isEmpty ? "." : String(Substring(folder)), String(Substring(last)))
    }

    /// The folder without symbolic links.
    private static func resolved(_ folder: String, of name: String) throws(CommandFailure) -> String {
        guard let found = realpath(folder, nil) else {
            let (code, reason) = (errno, String(cString: strerror(errno)))
            throw CommandFailure(
                code == EACCES || code == EPERM ? .noPermission : .noInput,
                code == EACCES || code == EPERM ? "notPermitted" : "notFound",
                "The folder \(folder) cannot be reached: \(reason).",
                about: name
            )
        }
        defer { free(found) }
        guard let path = String(validatingCString: found) else {
            throw CommandFailure(
                .noInput,
                "invalidPath",
                "The folder \(folder) has a name that is not UTF-8.",
                about: name
            )
        }
        return path
    }
}
