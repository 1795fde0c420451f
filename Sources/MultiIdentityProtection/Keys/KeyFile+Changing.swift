import CSystemCalls
import MultiIdentity
import MultiIdentityFiles

extension KeyFile {
    static func admit(_ identity: Identity) throws(ProtectionError) {
        guard !identity.isNobody else {
            throw ProtectionError(.nobody, "Nobody has no keys; data that are nobody's are not encrypted.")
        }
        if let revoked = IdentityRevocation.refused(identity) { throw ProtectionError(revoked) }
    }

    /// Returns the current content of the file.
    func latest() throws(ProtectionError) -> KeyFileState.Loaded {
        try state.withLock { (state) throws(ProtectionError) in try state.latest(name, in: directory, path: path) }
    }

    func key(
        of entry: KeyFileEntry,
        in latest: KeyFileState.Loaded
    ) throws(ProtectionError) -> IdentityKey {
        try state.withLock { (state) throws(ProtectionError) in try state.key(of: entry, in: latest, path: path) }
    }

    /// Rewrites the file, with no other process changing it meanwhile.
    ///
    /// - Parameters:
    ///   - master: The new master key; `nil` for the current one.
    ///   - next: The new content; `nil` to leave it as it is.
    /// - Throws: ``ProtectionError``.
    func change(
        with master: MasterKey? = nil,
        _ next: (KeyFileState.Loaded) throws(ProtectionError) -> KeyFileContents?
    ) throws(ProtectionError) {
        try changing.withLock { (_) throws(ProtectionError) in
            // If the lock file is removed, the key file can be replaced between taking both locks.
            while try !isChanged(with: master, next) {}
        }
    }

    /// - Returns: Whether it was rewritten; `false` if the locked file is no longer the key file.
    private func isChanged(
        with master: MasterKey?,
        _ next: (KeyFileState.Loaded) throws(ProtectionError) -> KeyFileContents?
    ) throws(ProtectionError) -> Bool {
        let lock = try KeyFileLock(besides: name, in: directory, limit: lockLimit)
        defer { withExtendedLifetime(lock) {} }
        let latest = try latest()
        guard lock.holds(latest.file) else { return false }
        guard latest.contents.generation < .max else {
            throw .damaged(path, "it has used the last generation number")
        }
        guard let contents = try next(latest) else {
            if let master { state.withLock { $0.masters = [master] } }
            return true
        }
        // Whatever the outcome, the file is read again, so that memory never differs from the disk.
        defer { state.withLock { $0.forget() } }
        if let master { state.withLock { $0.masters = [master] + $0.masters } }
        let bytes = try KeyFileFormat.bytes(of: contents, with: master ?? latest.master)
        do { try write(bytes, latest.exists ? .replacing : .creating) } catch {
            // Another process created the file, which must not be lost.
            if !latest.exists, error.isAlreadyThere { return false }
            throw ProtectionError(error)
        }
        state.withLock { state in
            state.noteWritten(contents, bytes)
            // Still under the lock: another thread may be about to rotate to yet another one.
            if let master { state.masters = [master] }
        }
        return true
    }

    private func write(_ bytes: [UInt8], _ commit: AtomicReplacement.Commit) throws(SystemCallError) {
        let replacement = try AtomicReplacement.begin(name, in: directory, permissions: 0o600)
        try bytes.span.bytes.withUnsafeBytes { (bytes) throws(SystemCallError) in
            try replacement.file.write(bytes)
        }
        _ = try replacement.commit(commit)
    }

    /// Removes what interrupted changes left, since it can contain destroyed keys, and makes that and all earlier
    /// renames survive a power cut, even of a change that failed in its last step.
    func sweep() throws(ProtectionError) {
        var left: [String] = []
        do {
            try directory.forEachName(
                { (name, _) throws(SystemCallError) in
                    if let name, AtomicReplacement.isTemporary(name) { left.append(name) }
                },
                failing: { $0 }
            )
            for name in left { try sweep(name) }
            try directory.synchronize()
        } catch { throw ProtectionError(error) }
    }

    private func sweep(_ name: String) throws(SystemCallError) {
        do {
            // In a folder like /tmp, leftovers of other users stay.
            guard try directory.status(of: name).user == geteuid() else { return }
            _ = try AtomicReplacement.sweep(name, in: directory)
        } catch {
            // Another process was faster.
            guard error.isNotFound else { throw error }
        }
    }
}
