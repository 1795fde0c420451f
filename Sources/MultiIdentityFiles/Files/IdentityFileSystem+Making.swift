internal import MultiIdentity
import MultiIdentityPolicy

/// All creation of files.
extension IdentityFileSystem {
    /// Returns the owner of a file made now.
    func creator(_ path: String) throws(IdentityFileError) -> FileOwner {
        let effective = EffectiveIdentity.current(for: .files)
        if let inference = IdentityInference.withheld { throw IdentityFileError(inference, path) }
        let owner = FileOwner(effective.identity)
        // Work of a revoked identity counts as nobody's, but may contain that identity's data.
        if let revoked = IdentityRevocation.refused(workOf: effective) { throw IdentityFileError(revoked, path) }
        if withoutOwner == .refused, owner.identity?.isNobody ?? true {
            throw IdentityFileError(
                .noOwner,
                path,
                "\(path) would be owned by \(owner), but files without an owner are refused here. Bind an identity."
            )
        }
        return owner
    }

    /// Throws if nothing may be created for an owner.
    func admit(_ owner: FileOwner?, _ path: String) throws(IdentityFileError) {
        if let revoked = IdentityRevocation.refused(owner?.identity) { throw IdentityFileError(revoked, path) }
    }

    /// Creates a file that has its owner before its content, and its content before its name.
    ///
    /// `fill` writes the content; its error ends the operation. With `expected`, the name must still refer to that very
    /// file when the new one replaces it. Returns the file, positioned after the last write.
    func make<Failure: Error>(
        _ place: borrowing DirectoryEntry,
        _ owner: FileOwner?,
        permissions: UInt32,
        _ commit: AtomicReplacement.Commit,
        expecting expected: FileStatus? = nil,
        _ fill: (borrowing OpenFile) throws(Failure) -> Void,
        failing: (IdentityFileError) -> Failure
    ) throws(Failure) -> OpenFile {
        var replacement: AtomicReplacement
        do {
            replacement = try AtomicReplacement.begin(place.name, in: place.folder, permissions: permissions)
        } catch { throw failing(IdentityFileError(error, place.path.text)) }
        let made: OpenFile
        var replaced: FileStatus?
        do throws(Failure) {
            do {
                if let owner { try store.put(owner, on: replacement.file, place.path) }
            } catch { throw failing(error) }
            try fill(replacement.file)
            do {
                made = try name(&replacement, place, owner, commit, expecting: expected, &replaced)
            } catch { throw failing(error) }
        } catch {
            // A wipe must find the file as long as it has a name.
            if (try? replacement.discard()) != nil { store.withdraw(replacement.file) }
            throw error
        }
        // The file has its name: later failures do not undo that.
        try? made.unlock()
        do { try replacement.synchronizeName() } catch { throw failing(IdentityFileError(error, place.path.text)) }
        // Only now: if a power cut restored the old file after its record is dropped, its owner would be unknown.
        if let replaced { store.nameIsGone(replaced, place.path) }
        return made
    }

    private func name(
        _ replacement: inout AtomicReplacement,
        _ place: borrowing DirectoryEntry,
        _ owner: FileOwner?,
        _ commit: AtomicReplacement.Commit,
        expecting expected: FileStatus?,
        _ replaced: inout FileStatus?
    ) throws(IdentityFileError) -> OpenFile {
        let path = place.path
        let made: OpenFile
        do {
            try replacement.synchronize()
            made = try replacement.file.duplicate()
        } catch { throw IdentityFileError(error, path.text) }
        replaced = try withNames(path.text) { (_) throws(IdentityFileError) -> FileStatus? in
            // Again, under the lock: nothing that a wipe has checked gets a new name.
            try admit(owner, path.text)
            if let owner { try store.putAgainIfForgotten(owner, on: replacement.file, path) }
            let old = try place.status()
            if let expected, old != expected {
                throw IdentityFileError(
                    .changedMeanwhile,
                    path.text,
                    "\(path.text) was changed or replaced while it was read. Try again."
                )
            }
            try IdentityFileError.from(path.text) { () throws(SystemCallError) in try replacement.rename(commit) }
            return old
        }
        return made
    }
}
