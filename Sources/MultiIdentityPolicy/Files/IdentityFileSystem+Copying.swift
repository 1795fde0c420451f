/// What becomes of a file that has the name already.
public enum ExistingFile: Hashable, Sendable, CaseIterable {
    /// It stays, and the operation is refused.
    case kept
    /// It makes way, at once.
    case replaced
}

extension IdentityFileSystem {
    /// Copies a file with its owner: a copy launders nobody's name away.
    ///
    /// A file that was never seen has no owner to keep; its copy is the opener's. Permissions are copied, but for those to run as
    /// the file's user or group; times and other attributes are not.
    ///
    /// - Parameters:
    ///   - source: Below this root.
    ///   - target: Below the target's root.
    ///   - other: Where to; `nil` for below this root. Its records are told of the owner before any content is written, and
    ///     if they cannot be, it is refused.
    ///   - existing: What becomes of a file that has the name.
    /// - Throws: ``IdentityFileError``; all is as before.
    public func copy(
        _ source: String,
        to target: String,
        in other: IdentityFileSystem? = nil,
        existing: ExistingFile = .kept
    ) throws(IdentityFileError) {
        let there = other ?? self
        let path = try RootedPath(source)
        let file = try IdentityFileError.from(source) { () throws(SystemCallError) in
            try directory.openBeneath(path.text, .reading)
        }
        let status = try IdentityFileError.from(source) { () throws(SystemCallError) in try file.status() }
        guard status.isFile else { throw IdentityFileError(notAFile: source) }
        let known = try store.owner(of: file, path)
        let owner: FileOwner
        if let known {
            owner = known
            try there.admit(owner, target)
        } else {
            owner = try there.creator(target)
        }
        let place = try there.place(target)
        if let old = try place.status() {
            if existing == .kept {
                throw IdentityFileError(SystemCallError("open", target, code: SystemCallError.alreadyThere), target)
            }
            guard old.isFile else { throw IdentityFileError(notAFile: target) }
            // Else the copy would take the place of what it is a copy of.
            if old.inode == status.inode, old.device == status.device { return }
        }
        _ = try there.make(
            place,
            owner,
            // Not what would have it run as its user.
            permissions: status.permissions & 0o777,
            existing == .kept ? .creating : .replacing,
            { (new) throws(IdentityFileError) in
                try IdentityFileError.from(target) { () throws(SystemCallError) in try Self.copyBytes(of: file, to: new)
                }
                try checkUnchanged(known, of: file, path)
            },
            failing: { $0 }
        )
    }

    private static func copyBytes(
        of source: borrowing OpenFile,
        to target: borrowing OpenFile
    ) throws(SystemCallError) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
        defer { buffer.deallocate() }
        var offset: UInt64 = 0
        while case let count = try source.read(into: buffer, at: offset), count > 0 {
            try target.write(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            offset += UInt64(count)
        }
    }
}
