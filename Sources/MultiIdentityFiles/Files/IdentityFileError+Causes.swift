internal import CSystemCalls
internal import MultiIdentity

extension IdentityFileError {
    package init(_ error: SystemCallError, _ path: String) {
        let (code, advice): (Code, String) =
            switch error.code {
            case ENOENT, ENOTDIR: (.notFound, "Create the file or its directory first.")
            case EEXIST, ENOTEMPTY: (.alreadyExists, "Remove it, or choose another name.")
            case ELOOP, EXDEV:
                (
                    .outsideRoot,
                    "The path leads out of the root or has a symbolic link loop. Name a file below the root."
                )
            case EISDIR, ENXIO: (.notAFile, "Only files have owners: name a file.")
            case ENAMETOOLONG: (.invalidPath, "Choose a shorter path.")
            case EACCES, EPERM, EROFS: (.notPermitted, "Grant the permission to the process's user.")
            case _ where error.isNoSpace: (.noSpace, "Free disk space; nothing has changed.")
            case _ where error.isNoAttributes:
                (.attributesUnsupported, "Keep owners in an index, or use a file system with extended attributes.")
            default: (.systemCall, "See the manual page of that call.")
            }
        self.init(code, path, "\(error) \(advice)", systemError: error)
    }

    init(_ fault: FileOwner.Fault, _ path: String) {
        switch fault {
        case .damaged(let what):
            let message = "The recorded owner of \(path) is damaged: \(what). Set the owner again."
            self.init(.damagedOwner, path, message)
        case .newer(let version):
            let message =
                "The owner of \(path) has version \(version), and this package supports version 1. Update the package."
            self.init(.newerOwner, path, message)
        }
    }

    init(uncertainOwner owner: FileOwner, of path: String) {
        let message = """
            The owner of \(path) is uncertain: it was \(owner), and a record of the index that came later is damaged. Repair the \
            index, which lists all such files, and set their owners.
            """
        self.init(.damagedOwner, path, message)
    }

    init(_ error: RecordLogError, _ path: String) {
        if let systemError = error.systemError {
            self.init(systemError, path)
        } else {
            self.init(error.code == .inUse ? .indexInUse : .invalidIndex, path, error.message)
        }
    }

    init(damagedIndex part: RecordLogDamage) {
        let message = """
            Bytes \(part.offset) to \(part.offset + part.length) of the index could not be understood: what they said is lost. Set the \
            owners of the files that were never seen, or are uncertain.
            """
        self.init(.invalidIndex, "", message)
    }

    init(_ owner: RevokedOwner, _ path: String) {
        let message = """
            \(path) would be of \(owner.identity), which \(owner.why). Nothing is made for it; \(owner.remedy).
            """
        self.init(.revoked, path, message, identity: owner.identity)
    }

    init(_ inference: IdentityInference, _ path: String) {
        let message = """
            \(path) would be owned by an identity that is only shown here: \(inference.remark). Nothing is made.
            """
        self.init(.inferredOwner, path, message)
    }

    init(movedMeanwhile path: String) {
        self.init(.changedMeanwhile, path, "The directory \(path) was moved while it was searched. Try again.")
    }

    init(notAFile path: String) {
        self.init(.notAFile, path, "\(path) is not a regular file, and only these have owners. Name a file.")
    }

    /// Runs a body that makes system calls, and converts its errors.
    static func from<Value: ~Copyable>(
        _ path: String,
        _ body: () throws(SystemCallError) -> Value
    ) throws(IdentityFileError) -> Value {
        do { return try body() } catch { throw IdentityFileError(error, path) }
    }
}
