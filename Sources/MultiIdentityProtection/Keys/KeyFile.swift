public import MultiIdentity
import MultiIdentityFiles

/// The keys of identities in one file, wrapped with a master key: the provider that a program has without a service.
///
/// ```swift
/// let keys = try KeyFile(at: "/var/lib/app/keys", masterKey: .fromEnvironment("MULTI_IDENTITY_MASTER_KEY"))
/// let protection = DataProtection(keys: keys, accounts: accounts)
/// ```
///
/// The file has mode 600 and belongs to the process's user, or it is refused. Each change writes it anew and swaps it in,
/// so that a crash leaves the old file or the new one; each use looks, by one system call, whether another process has
/// changed it. A key is unwrapped when it is first asked for. Making a key takes time in proportion to all keys.
public final class KeyFile: IdentityKeyProvider {
    let directory: OpenFile
    let name: String
    /// Locked while this process changes the file, whatever else it reads.
    let changing = Locked<Void>(())
    let state: Locked<KeyFileState>
    let lockLimit: Int

    /// Opens a key file, or begins one with no keys, which is written with the first.
    ///
    /// - Parameters:
    ///   - path: The file; its folder exists, and holds a file `.lock` beside it.
    ///   - masterKey: What the keys are wrapped with.
    ///   - formerMasterKey: The master key before a rotation: a file under it is read too, and stays under it until
    ///     ``rotateMasterKey(to:)``.
    /// - Throws: ``ProtectionError`` where the file cannot be read, is not ours alone, was altered or is under another
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

    /// The key to protect an identity's data with, made if there is none.
    public func currentKey(for identity: Identity) throws(ProtectionError) -> IdentityKey {
        try Self.admit(identity)
        let latest = try latest()
        if let entry = latest.contents.current(of: identity) { return try key(of: entry, in: latest) }
        var made: IdentityKey?
        try change { (latest) throws(ProtectionError) in
            // Asked again under the lock, which destroying takes too: no key is made behind a wipe's back.
            try Self.admit(identity)
            // Another thread or process can have been faster.
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

    /// The key that data were protected with: the current one, or one before a rotation.
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

    /// The id of an identity's first key: a number of its enrolment, for what must not outlive the account.
    ///
    /// It stays through rotations and restarts, and goes with ``destroyKeys(of:)``; an account that is made anew under the
    /// same name has another.
    ///
    /// - Parameter identity: The identity, revoked or not.
    /// - Returns: The id; `nil` where there is no key, which ``currentKey(for:)`` makes.
    /// - Throws: ``ProtectionError`` where the file cannot be read.
    /// - Complexity: O(1), and one system call.
    public func firstKeyID(of identity: Identity) throws(ProtectionError) -> IdentityKeyID? {
        try latest().contents.first(of: identity)?.id
    }

    /// Returns the number of keys that an identity has, those before a rotation included.
    ///
    /// - Complexity: O(*n*) in the keys of the file.
    public func keyCount(of identity: Identity) throws(ProtectionError) -> Int? {
        try latest().contents.entries.count { $0.owner == identity }
    }

    /// Has new data protected with a new key, the first where there is none; the old ones stay, for reading.
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

    /// Destroys all keys of an identity, and with them whatever they protect; does nothing where it has none.
    ///
    /// The file is written anew without them, and without the identity's name, and leftovers of interrupted changes go
    /// too. The ids stay, so that data say why they cannot be read. Copies of the file keep the keys: see the threat model.
    public func destroyKeys(of identity: Identity) throws(ProtectionError) {
        try change { latest in latest.contents.has(identity) ? latest.contents.destroying(identity) : nil }
        try sweep()
    }

    /// Lists the ids of each identity's keys that are not destroyed, the current one last; none is unwrapped.
    ///
    /// - Returns: The ids, in the order that the keys were made in.
    /// - Throws: ``ProtectionError`` where the file cannot be read.
    /// - Complexity: O(*n*) in the number of keys.
    public func keyIDs() throws(ProtectionError) -> [Identity: [IdentityKeyID]] {
        try Dictionary(grouping: latest().contents.entries, by: \.owner).mapValues { $0.map(\.id) }
    }

    /// Wraps all keys with another master key; data stay as they are.
    ///
    /// Until it returns, the file can be under either: give both to ``init(at:masterKey:formerMasterKey:)`` then, and call
    /// it again. Other processes that have the file open read it again only if they were given both.
    ///
    /// - Parameter new: The master key from here on.
    /// - Throws: ``ProtectionError``.
    public func rotateMasterKey(to new: MasterKey) throws(ProtectionError) {
        try change(with: new) { (latest) throws(ProtectionError) in
            guard latest.exists, !latest.master.isSame(as: new) else { return nil }
            return try latest.rewrapped(with: new, path: path)
        }
        try sweep()
    }
}

extension KeyFile: CustomStringConvertible, CustomReflectable {
    /// The file's path.
    public var description: String { "KeyFile(\(path))" }

    /// The file's path, so that `dump` shows no more.
    public var customMirror: Mirror { Mirror(self, children: ["path": path]) }

    var path: String { "\(directory.path)/\(name)" }
}

extension KeyFile: NameHolder {
    package func holdings(of identity: Identity) throws -> String? {
        let count = try keyCount(of: identity) ?? 0
        return count == 0 ? nil : "keys of its own (\(count) in \(path))"
    }
}
