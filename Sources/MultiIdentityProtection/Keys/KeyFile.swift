public import MultiIdentity
import MultiIdentityFiles

/// The keys of identities in one file, wrapped with a master key, for programs without a key service.
///
/// ```swift
/// let keys = try KeyFile(at: "/var/lib/app/keys", masterKey: .fromEnvironment("MULTI_IDENTITY_MASTER_KEY"))
/// let protection = DataProtection(keys: keys, accounts: accounts)
/// ```
///
/// The file must have mode 600 and belong to the process's user. Each change atomically replaces it, so a crash leaves
/// the old file or the new one. Each use checks with one system call whether another process has changed it. A key is
/// unwrapped at its first use. Creating a key takes O(*n*) time in the number of all keys.
public final class KeyFile: IdentityKeyProvider {
    let directory: OpenFile
    let name: String
    /// Locked while this process changes the file, whatever else it reads.
    let changing = Locked<Void>(())
    let state: Locked<KeyFileState>
    let lockLimit: Int

    /// Opens a key file; if it is missing, starts empty and writes it with the first key.
    ///
    /// - Parameters:
    ///   - path: The file; its folder must exist. A file with the suffix `.lock` is kept beside it.
    ///   - masterKey: The key that wraps the keys.
    ///   - formerMasterKey: The master key before a rotation. A file under that key is read too, and stays under it until
    ///     ``rotateMasterKey(to:)``.
    /// - Throws: ``ProtectionError`` if the file cannot be read, is not private, was altered, or is under another
    ///   master key.
    public convenience init(
        at path: String,
        masterKey: MasterKey,
        formerMasterKey: MasterKey? = nil
    ) throws(ProtectionError) {
        try self.init(at: path, masters: [masterKey] + (formerMasterKey.map { [$0] } ?? []), lockLimit: 10_000)
    }

    init(at path: String, masters: [MasterKey], lockLimit: Int) throws(ProtectionError) {
        directory = try KeyFileAccess.ownDirectory(of: path)
        name = AtomicReplacement.split(path).name
        self.lockLimit = lockLimit
        state = Locked(KeyFileState(masters: masters))
        _ = try latest()
        IdentityLevels.current.add(self)
    }

    /// Returns the key to protect an identity's data with, and creates it if there is none.
    public func currentKey(for identity: Identity) throws(ProtectionError) -> IdentityKey {
        try Self.admit(identity)
        let latest = try latest()
        if let entry = latest.contents.current(of: identity) { return try key(of: entry, in: latest) }
        var made: IdentityKey?
        try change { (latest) throws(ProtectionError) in
            // Again under the lock, which destroying takes too, so that no key is created during a wipe.
            try Self.admit(identity)
            // Another thread or process may have been faster.
            if let entry = latest.contents.current(of: identity) {
                made = try key(of: entry, in: latest)
                return nil
            }
            let key = try IdentityKey.random()
            made = key
            return try latest.adding(key, of: identity)
        }
        guard let made else { throw .damaged(path, "a key of \(identity) is missing") }
        return made
    }

    /// Returns the key that data were protected with: the current one, or one before a rotation.
    public func key(_ id: IdentityKeyID, of identity: Identity) throws(ProtectionError) -> IdentityKey {
        let latest = try latest()
        if let entry = latest.contents.entry(id, of: identity) { return try key(of: entry, in: latest) }
        throw latest.contents.destroyed.contains(id) ? .destroyed(id, of: identity) : .unknown(id, of: identity)
    }

    /// Returns whether an identity has keys.
    ///
    /// - Complexity: O(1), and one system call.
    public func hasKeys(of identity: Identity) throws(ProtectionError) -> Bool {
        try latest().contents.has(identity)
    }

    /// Returns the ID of an identity's first key, which identifies this enrolment for data that must not outlive the
    /// account.
    ///
    /// It stays the same through rotations and restarts, and is removed by ``destroyKeys(of:)``. An account that is
    /// created again under the same name has another one.
    ///
    /// - Parameter identity: The identity, revoked or not.
    /// - Returns: The ID; `nil` if there is no key, which ``currentKey(for:)`` creates.
    /// - Throws: ``ProtectionError`` if the file cannot be read.
    /// - Complexity: O(1), and one system call.
    public func firstKeyID(of identity: Identity) throws(ProtectionError) -> IdentityKeyID? {
        try latest().contents.first(of: identity)?.id
    }

    /// Returns the number of an identity's keys, including rotated ones.
    ///
    /// - Complexity: O(*n*) in the keys of the file.
    public func keyCount(of identity: Identity) throws(ProtectionError) -> Int? {
        try latest().contents.entries.count { $0.owner == identity }
    }

    /// Creates a new key for new data, even if there was none; old keys stay for reading.
    @discardableResult
    public func rotateKey(of identity: Identity) throws(ProtectionError) -> IdentityKeyID {
        try Self.admit(identity)
        let key = try IdentityKey.random()
        try change { (latest) throws(ProtectionError) in
            try Self.admit(identity)
            return try latest.adding(key, of: identity)
        }
        return key.id
    }

    /// Destroys all keys of an identity, and so all data that they protect; does nothing if there are none.
    ///
    /// The file is rewritten without them and without the identity's name; leftovers of interrupted changes are removed
    /// too. The IDs stay, so that data can say why they cannot be read. Copies of the file keep the keys: see the
    /// threat model.
    public func destroyKeys(of identity: Identity) throws(ProtectionError) {
        try change { latest in latest.contents.has(identity) ? latest.contents.destroying(identity) : nil }
        try sweep()
    }

    /// Returns the IDs of each identity's keys that are not destroyed, the current one last; no key is unwrapped.
    ///
    /// - Returns: The IDs, in the order of their creation.
    /// - Throws: ``ProtectionError`` if the file cannot be read.
    /// - Complexity: O(*n*) in the number of keys.
    public func keyIDs() throws(ProtectionError) -> [Identity: [IdentityKeyID]] {
        try Dictionary(grouping: latest().contents.entries, by: \.owner).mapValues { $0.map(\.id) }
    }

    /// Wraps all keys with another master key; the data stay as they are.
    ///
    /// Until it returns, the file can be under either master key: if it fails, pass both to
    /// ``init(at:masterKey:formerMasterKey:)`` and call it again. Other processes that have the file open can read it
    /// afterwards only if they were given both.
    ///
    /// - Parameter new: The new master key.
    /// - Throws: ``ProtectionError`` if the file cannot be read or replaced.
    public func rotateMasterKey(to new: MasterKey) throws(ProtectionError) {
        try change(with: new) { (latest) throws(ProtectionError) in
            guard latest.exists, !latest.master.isSame(as: new) else { return nil }
            return try latest.rewrapped(with: new, path: path)
        }
        try sweep()
    }
}

extension KeyFile: CustomStringConvertible, CustomReflectable {
    /// The path of the file.
    public var description: String { "KeyFile(\(path))" }

    /// The path of the file only, so that `dump` shows no more.
    public var customMirror: Mirror { Mirror(self, children: ["path": path]) }

    var path: String { "\(directory.path)/\(name)" }
}

extension KeyFile: NameHolder {
    package func holdings(of identity: Identity) throws -> String? {
        let count = try keyCount(of: identity) ?? 0
        return count == 0 ? nil : "its own keys (\(count) in \(path))"
    }
}
