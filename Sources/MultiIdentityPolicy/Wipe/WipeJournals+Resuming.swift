import MultiIdentity

/// What becomes of journals that stand for no wipe.
extension WipeJournals {
    /// Whether somebody has a journal open.
    func isInUse(_ digest: String) -> Bool {
        do throws(SystemCallError) {
            return try !OpenFile.open(path(digest, .journal), .reading).lock()
        } catch {
            return false
        }
    }

    /// Removes a journal whose wipe never began, unless it is just about to.
    func removeEmpty(_ digest: String) {
        // Best effort: it stands for nothing, and is met again by whoever resumes next.
        do throws(SystemCallError) {
            let file = try OpenFile.open(path(digest, .journal), .reading)
            guard try file.lock(), case .empty = read(digest) else { return }
            try remove(digest, .journal)
            _ = consume file
        } catch {}
    }

    /// Puts a journal aside that tells of no identity, and says where it is, or why it is where it was.
    func setAside(_ digest: String, _ failure: WipeFailure) -> WipeFailure {
        do throws(SystemCallError) {
            let file = try OpenFile.open(path(digest, .journal), .reading)
            guard try file.lock(), case .unreadable(_, mayBeSetAside: true) = read(digest) else { return failure }
            try rename(digest, from: .journal, to: .setAside)
            _ = consume file
            return WipeFailure(path(digest, .setAside), because: failure.reason)
        } catch {
            return WipeFailure(failure.subject, because: "\(failure.reason) It could not be put aside: \(error).")
        }
    }
}
