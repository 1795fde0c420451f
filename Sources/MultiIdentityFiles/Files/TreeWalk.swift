/// Walks everything below a directory, of any depth, outside any lock.
///
/// Symbolic links are not followed. Every other name is passed once, unless it is added or removed meanwhile. Neither
/// the stack nor the number of open descriptors grows with the depth, which anyone who may create directories controls.
struct TreeWalk {
    /// The visitor of a walk.
    protocol Visitor {
        /// Returns whether to walk into a directory.
        func begins(_ directory: FileStatus) -> Bool

        /// Visits a regular file; `name` is valid until this returns.
        func file(_ name: UnsafePointer<CChar>, in folder: borrowing OpenFile, _ path: FolderPath)

        /// Called when all files in a directory were visited, before its subdirectories.
        func left(_ folder: borrowing OpenFile, _ path: FolderPath)

        /// Something could not be checked.
        func failed(_ path: String, _ error: IdentityFileError)

        /// An entry was passed, whatever it is.
        func passed()
    }

    /// The maximum number of open parent directories; the others are found again by "..".
    private static let openLevels = 64

    private final class Folder {
        let file: OpenFile
        init(_ file: consuming OpenFile) { self.file = file }
    }

    /// A visited directory, and its remaining subdirectories.
    private struct Level {
        /// `nil` if it was closed.
        let folder: Folder?
        let device: UInt64
        let inode: UInt64
        let path: FolderPath.Length
        var rest: [[CChar]]
    }

    private var folder: Folder
    private var path: FolderPath
    private var levels: [Level] = []

    private init(_ folder: Folder, _ path: FolderPath) {
        self.folder = folder
        self.path = path
    }

    static func walk(_ folder: borrowing OpenFile, _ path: FolderPath, _ visitor: some Visitor) {
        do {
            var walk = TreeWalk(Folder(try folder.duplicate()), path)
            try walk.goThrough(visitor)
            while !walk.levels.isEmpty { walk.goOn(visitor) }
        } catch { visitor.failed(path.text, IdentityFileError(error, path.text)) }
    }

    /// Reports the entries of the walk's current directory.
    private mutating func goThrough(_ visitor: some Visitor) throws(SystemCallError) {
        let (file, path) = (folder, path)
        let status = try file.file.status()
        var rest: [[CChar]] = []
        if visitor.begins(status) {
            do {
                try file.file.forEachRawName(
                    { (name, kind) throws(SystemCallError) in
                        Self.entry(name, kind, in: file.file, path, visitor, &rest)
                        visitor.passed()
                    },
                    failing: { $0 }
                )
            } catch { visitor.failed(path.text, IdentityFileError(error, path.text)) }
            visitor.left(file.file, path)
        }
        let isKept = levels.count < Self.openLevels
        levels.append(
            Level(
                folder: isKept ? file : nil,
                device: status.device,
                inode: status.inode,
                path: path.length,
                rest: rest
            )
        )
    }

    private static func entry(
        _ name: UnsafePointer<CChar>,
        _ kind: FileKind,
        in folder: borrowing OpenFile,
        _ path: FolderPath,
        _ visitor: some Visitor,
        _ rest: inout [[CChar]]
    ) {
        do {
            switch kind == .unknown ? try folder.status(of: name).kind : kind {
            case .file: visitor.file(name, in: folder, path)
            case .directory: rest.append(FolderPath.bytes(of: name))
            case .symbolicLink, .other, .unknown: break
            }
        } catch { notify(error, path.text(of: name), visitor) }
    }

    /// Enters the next directory, or returns to the parent if there is none.
    private mutating func goOn(_ visitor: some Visitor) {
        guard let name = levels[levels.count - 1].rest.popLast() else { return goUp(visitor) }
        let above = (folder, path)
        do {
            let below = Folder(try folder.file.open(name, .directory))
            (folder, path) = (below, path.appending(name))
            try goThrough(visitor)
        } catch {
            (folder, path) = above
            Self.notify(error, path.text(of: name), visitor)
        }
    }

    private mutating func goUp(_ visitor: some Visitor) {
        levels.removeLast()
        guard let level = levels.last else { return }
        path = path.prefix(level.path)
        if let above = level.folder { return folder = above }
        if let above = parent(level) { return folder = above }
        // It was moved away: report the unvisited part.
        while let level = levels.last, level.folder == nil {
            path = path.prefix(level.path)
            if !level.rest.isEmpty { visitor.failed(path.text, IdentityFileError(movedMeanwhile: path.text)) }
            levels.removeLast()
        }
        guard let level = levels.last, let above = level.folder else { return }
        (folder, path) = (above, path.prefix(level.path))
    }

    /// The parent directory, if the walk came from it.
    private func parent(_ level: Level) -> Folder? {
        guard let above = try? folder.file.parent(called: path.text), let status = try? above.status(),
            status.device == level.device, status.inode == level.inode
        else { return nil }
        return Folder(above)
    }

    private static func notify(_ error: SystemCallError, _ path: String, _ visitor: some Visitor) {
        // An entry that is gone by now needs no visit.
        if !error.isNotFound { visitor.failed(path, IdentityFileError(error, path)) }
    }
}

extension TreeWalk.Visitor {
    func begins(_ directory: FileStatus) -> Bool { true }
}
