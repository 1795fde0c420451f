import CSystemCalls
import MultiIdentity
import MultiIdentityFiles

/// The state of a ``KeyFile``: what it has read last, and the keys that it has unwrapped since.
struct KeyFileState: Sendable {
    /// A key file as it was read.
    struct Loaded: Sendable {
        let contents: KeyFileContents
        let master: MasterKey
        /// `nil`: there is no file yet.
        let file: PinnedFile?

        var exists: Bool { file != nil }
    }

    /// The master keys that the file can be under, the newest first.
    var masters: [MasterKey]
    private var loaded: Loaded?
    private var keys: [IdentityKeyID: IdentityKey] = [:]
    /// The generation and tag that were read or written last, to recognize an older file.
    private var newest: (generation: UInt64, tag: ArraySlice<UInt8>)?
    /// The tag of what is known to survive a power cut.
    private var lasting: ArraySlice<UInt8>?

    init(masters: [MasterKey]) { self.masters = masters }

    /// Drops unwrapped keys, so that the file is read again when it is next needed.
    mutating func forget() {
        loaded = nil
        keys = [:]
    }

    /// Remembers what was written, so that older files are recognized even if this was never read.
    mutating func noteWritten(_ contents: KeyFileContents, _ bytes: [UInt8]) {
        newest = (contents.generation, bytes.suffix(KeyFileFormat.tagLength))
        lasting = newest?.tag
    }

    /// Returns the current content of the file: as read last, or read again if it was replaced since.
    mutating func latest(
        _ name: String,
        in directory: borrowing OpenFile,
        path: String
    ) throws(ProtectionError) -> Loaded {
        if let loaded, let file = loaded.file, let status = try? directory.status(of: name), file.isSame(as: status) {
            return loaded
        }
        forget()
        let found = try load(name, in: directory, path: path)
        try makeLasting(in: directory)
        loaded = found
        return found
    }

    /// The key of an entry of what was read, unwrapped at most once for as long as that is the latest.
    mutating func key(
        of entry: KeyFileEntry,
        in found: Loaded,
        path: String
    ) throws(ProtectionError) -> IdentityKey {
        let isLatest = loaded.map { $0.file === found.file } ?? false
        if isLatest, let key = keys[entry.id] { return key }
        guard let key = try entry.unwrapped(with: found.master) else {
            throw .damaged(path, "the key \(entry.id) is not the one that was wrapped for \(entry.owner)")
        }
        if isLatest { keys[entry.id] = key }
        return key
    }

    /// Ensures that what was read survives a power cut, so that no data are protected with a key that is then lost.
    ///
    /// The writer may have ended, or failed, between renaming and synchronizing.
    private mutating func makeLasting(in directory: borrowing OpenFile) throws(ProtectionError) {
        guard let tag = newest?.tag, tag != lasting else { return }
        do { try directory.synchronize() } catch {
            // A read-only file system does not support the call, and loses nothing.
            guard error.code == EINVAL || error.code == EROFS else { throw ProtectionError(error) }
        }
        lasting = tag
    }

    private mutating func load(
        _ name: String,
        in directory: borrowing OpenFile,
        path: String
    ) throws(ProtectionError) -> Loaded {
        guard let (bytes, file) = try KeyFileAccess.read(name, in: directory, limit: Int(UInt32.max)) else {
            guard newest == nil, let master = masters.first else { throw .rolledBack(path, "is gone") }
            return Loaded(contents: KeyFileContents(), master: master, file: nil)
        }
        return try bytes.withBytes { (bytes) throws(ProtectionError) in
            guard let master = try KeyFileFormat.master(of: bytes, among: masters, path: path) else {
                throw .wrongMasterKey(path)
            }
            let contents = try KeyFileFormat.contents(of: bytes, with: master, path: path)
            let tag = Array(bytes.suffix(KeyFileFormat.tagLength))[...]
            if let newest {
                guard contents.generation >= newest.generation else {
                    throw .rolledBack(path, "was replaced by an older one")
                }
                guard contents.generation > newest.generation || tag == newest.tag else {
                    throw .rolledBack(path, "was replaced by another one of the same age")
                }
            }
            newest = (contents.generation, tag)
            return Loaded(contents: contents, master: master, file: file)
        }
    }
}

extension KeyFileState.Loaded {
    /// Returns the next content, with one more key.
    func adding(_ key: IdentityKey, of owner: Identity) throws(ProtectionError) -> KeyFileContents {
        contents.adding(try wrapped(key, for: owner))
    }

    func wrapped(_ key: IdentityKey, for owner: Identity) throws(ProtectionError) -> KeyFileEntry {
        try KeyFileEntry(key, of: owner, with: master)
    }

    /// Returns the next content, with each key under another master key.
    func rewrapped(with new: MasterKey, path: String) throws(ProtectionError) -> KeyFileContents {
        try contents.rewrapped { (entry) throws(ProtectionError) in
            guard let key = try entry.unwrapped(with: master) else {
                throw .damaged(path, "the key \(entry.id) is not the one that was wrapped for \(entry.owner)")
            }
            return try KeyFileEntry(key, of: entry.owner, with: new)
        }
    }
}
