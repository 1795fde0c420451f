/// Goes through all that is below a directory, with no lock held.
///
/// Symbolic links are not followed; every other name is told of once, unless it is given or taken meanwhile.
struct TreeWalk {
    /// Who is told.
    protocol Visitor {
        /// A regular file; `name` is good until this returns.
        func file(_ name: UnsafePointer<CChar>, in folder: borrowing OpenFile, _ path: FolderPath)

        /// All in a directory was told of, what is below it included.
        func left(_ folder: borrowing OpenFile, _ path: FolderPath)

        /// Something could not be looked at.
        func failed(_ path: String, _ error: IdentityFileError)

        /// An entry was passed, whatever it is.
        func passed()
    }

    static func walk(_ folder: borrowing OpenFile, _ path: FolderPath, _ visitor: some Visitor) {
        do throws(SystemCallError) {
            try folder.forEachRawName(
                { (name, kind) throws(SystemCallError) in
                    entry(name, kind, in: folder, path, visitor)
                    visitor.passed()
                },
                failing: { $0 }
            )
        } catch { visitor.failed(path.text, IdentityFileError(error, path.text)) }
        visitor.left(folder, path)
    }

    private static func entry(
        _ name: UnsafePointer<CChar>,
        _ kind: FileKind,
        in folder: borrowing OpenFile,
        _ path: FolderPath,
        _ visitor: some Visitor
    ) {
        do throws(SystemCallError) {
            switch kind == .unknown ? try folder.status(of: name).kind : kind {
            case .file: visitor.file(name, in: folder, path)
            case .directory: walk(try folder.open(name, .directory), path.appending(name), visitor)
            case .symbolicLink, .other, .unknown: break
            }
        } catch {
            // What is gone by now was not to be looked at.
            if error.isNotFound { return }
            visitor.failed(path.text(of: name), IdentityFileError(error, path.text(of: name)))
        }
    }
}
