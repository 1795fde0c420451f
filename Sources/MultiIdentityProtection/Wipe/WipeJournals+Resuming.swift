import MultiIdentity
import MultiIdentityFiles

/// Operations on journals that stand for no wipe.
extension WipeJournals {
    /// Returns whether somebody has a journal open.
    func isInUse(_ digest: String) -> Bool {
        do throws(SystemCallError) {
            return try !OpenFile.open(path(digest, .journal), .reading).lock()
        } catch {
            return false
        }
    }

    /// Locks a journal, if it still is the one: by now another one may have its name, of a wipe that began since.
    private func isTaken(_ file: borrowing OpenFile, _ digest: String) throws(SystemCallError) -> Bool {
        try file.lock(as: Self.name(digest, .journal), in: OpenFile.open(folder, .directory)) == .taken
    }

    /// Removes a journal whose wipe never began, unless it is just about to.
    func removeEmpty(_ digest: String) {
        // Best effort: it stands for nothing, and is met again by the next resumption.
        do throws(SystemCallError) {
            let file = try OpenFile.open(path(digest, .journal), .reading)
            guard try isTaken(file, digest), case .empty = read(digest) else { return }
            try remove(digest, .journal)
            _ = consume file
        } catch {}
    }

    /// Puts a journal aside that tells of no identity, and says where it is, or why it is where it was.
    func setAside(_ digest: String, _ failure: WipeFailure) -> WipeFailure {
        do throws(SystemCallError) {
            let file = try OpenFile.open(path(digest, .journal), .reading)
            guard try isTaken(file, digest), case .unreadable(_, mayBeSetAside: true) = read(digest) else {
                return failure
            }
            try rename(digest, from: .journal, to: .setAside)
            _ = consume file
            return WipeFailure(path(digest, .setAside), because: failure.reason)
        } catch {
            return WipeFailure(failure.subject, because: "\(failure.reason) It could not be put aside: \(error).")
        }
    }
}
