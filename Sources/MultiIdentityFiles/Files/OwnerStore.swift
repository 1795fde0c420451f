internal import MultiIdentity

/// The owners of a root's files, wherever they are kept.
///
/// Records are written before the name that they are for, and removed if the name is not given. A crash in between leaves a
/// record of a file that does not exist, which is harmless.
final class OwnerStore: Sendable {
    enum Keeping: Sendable {
        case attributes
        case index(OwnerIndex)
        /// An index whose files are being moved to attributes; a file without a record in it has its owner there.
        case moving(OwnerIndex)

        var index: OwnerIndex? {
            switch self {
            case .attributes: nil
            case .index(let index), .moving(let index): index
            }
        }

        var hasAttributes: Bool {
            if case .index = self { false } else { true }
        }
    }

    private let keepingNow: Locked<Keeping>
    /// The root's device.
    let device: UInt64
    /// Indicates whether files are distinguished from others that had their inode.
    let hasBirthTimes: Bool
    /// For tests in which a disk was restored.
    private let restored: [FileKey: FileKey]

    var keeping: Keeping { keepingNow.withLock { $0 } }
    var index: OwnerIndex? { keeping.index }

    init(_ keeping: Keeping, root: FileStatus) {
        keepingNow = Locked(keeping)
        device = root.device
        hasBirthTimes = root.birthTime != nil && !StorageFaults.lacksBirthTimes
        restored = StorageFaults.restored
    }

    func key(_ status: FileStatus) -> FileKey {
        let key = FileKey(status, root: device, hasBirthTimes: hasBirthTimes)
        return restored.isEmpty ? key : restored[key] ?? key
    }

    /// Switches to attributes only, once the index is empty and removed.
    func endMoving() { keepingNow.withLock { $0 = .attributes } }

    /// Returns the owner of an open file; `nil` if it has no record.
    func owner(of file: borrowing OpenFile, _ path: RootedPath) throws(IdentityFileError) -> FileOwner? {
        let keeping = keeping
        if let index = keeping.index {
            let status = try statusOf(file, path)
            if let owner = try index.owner(key(status), at: path) { return owner }
        }
        return keeping.hasAttributes ? try attribute(of: file, path) : nil
    }

    private func statusOf(_ file: borrowing OpenFile, _ path: RootedPath) throws(IdentityFileError) -> FileStatus {
        do { return try file.status() } catch { throw IdentityFileError(error, path.text) }
    }

    /// Returns the owner in the file's attribute.
    func attribute(of file: borrowing OpenFile, _ path: RootedPath) throws(IdentityFileError) -> FileOwner? {
        try Self.decoded(path.text) { () throws(SystemCallError) in
            try file.attribute(FileOwner.attribute, limit: FileOwner.maximumByteCount)
        }
    }

    /// Returns the owner in the attribute of a name in a directory.
    func attribute(
        of name: UnsafePointer<CChar>,
        in folder: borrowing OpenFile,
        _ path: FolderPath
    ) throws(IdentityFileError) -> FileOwner? {
        try Self.decoded(path.text(of: name)) { () throws(SystemCallError) in
            try folder.attribute(FileOwner.attribute, of: name, limit: FileOwner.maximumByteCount)
        }
    }

    private static func decoded(
        _ path: @autoclosure () -> String,
        _ read: () throws(SystemCallError) -> [UInt8]?
    ) throws(IdentityFileError) -> FileOwner? {
        let bytes: [UInt8]?
        do { bytes = try read() } catch {
            // A file system mounted below the root without attributes: nothing there can have an owner.
            if error.isNoAttributes { return nil }
            if error.isTooLong { throw IdentityFileError(FileOwner.Fault.damaged("it is too long"), path()) }
            throw IdentityFileError(error, path())
        }
        guard let bytes else { return nil }
        do { return try FileOwner(bytes: bytes) } catch { throw IdentityFileError(error, path()) }
    }

    /// Records the owner of a file that has, or is about to have, this name.
    func put(_ owner: FileOwner, on file: borrowing OpenFile, _ path: RootedPath) throws(IdentityFileError) {
        let keeping = keeping
        if keeping.hasAttributes {
            do {
                try file.setAttribute(FileOwner.attribute, to: owner.bytes)
            } catch { throw IdentityFileError(error, path.text) }
        }
        guard let index = keeping.index else { return }
        let key = key(try statusOf(file, path))
        if !keeping.hasAttributes {
            try record(.put(key, owner, path), path)
            index.compactIfLarge()
        } else if try index.entry(key) != nil {
            // The index is authoritative for its entries: synchronize the attribute before removing the entry.
            do { try file.synchronize() } catch { throw IdentityFileError(error, path.text) }
            try record(.forget(key), path)
        }
    }

    /// Records the owner of a file without a name again, if a repair has dropped it because it found no such file.
    func putAgainIfForgotten(
        _ owner: FileOwner,
        on file: borrowing OpenFile,
        _ path: RootedPath
    ) throws(IdentityFileError) {
        guard case .index(let index) = keeping else { return }
        let key = key(try statusOf(file, path))
        if try index.entry(key) == nil { try record(.put(key, owner, path), path) }
    }

    /// Records a change in the index, if there is one.
    func record(_ record: OwnerRecord, _ path: RootedPath) throws(IdentityFileError) {
        do { try index?.record(record) } catch { throw IdentityFileError(error, path.text) }
    }

    /// A file has lost this name, and had this status before; with its last name it is gone.
    func nameIsGone(_ status: FileStatus, _ path: RootedPath) {
        guard let index else { return }
        let key = key(status)
        // If this cannot be determined, it cannot be recorded either.
        guard (try? index.entry(key)) != nil else { return }
        index.recordIfPossible(status.linkCount <= 1 ? .forget(key) : .unname(key, path))
    }

    /// Undoes ``put(_:on:_:)`` for a file that did not get its name.
    func withdraw(_ file: borrowing OpenFile) {
        guard let index, let status = try? file.status() else { return }
        let key = key(status)
        guard let entry = try? index.entry(key) else { return }
        index.recordIfPossible(.forget(key))
        // An identity that is being wiped must not stay in the log, not even for a refused file.
        if let identity = entry.owner.identity, IdentityRevocation.isRevoked(identity) { try? index.compact() }
    }
}
