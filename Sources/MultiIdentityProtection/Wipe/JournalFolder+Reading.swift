import CSystemCalls
import MultiIdentity
import MultiIdentityFiles

extension JournalFolder {
    /// The result of reading a journal without opening it for writing.
    enum Content {
        case history(WipeHistory, of: Identity)
        /// The journal was created, but its wipe never began.
        case empty
        case gone
        case unreadable(WipeFailure, mayBeSetAside: Bool)
    }

    /// Reads a journal or a report in its current state; a run that has it open can continue.
    func read(_ digest: String, _ kind: Kind = .journal) -> Content {
        let path = path(digest, kind)
        do {
            let file = try OpenFile.open(path, .reading)
            let status = try file.status()
            guard status.isFile, status.user == geteuid(), status.permissions & 0o077 == 0 else {
                return unreadable(
                    path,
                    "others can write it, or it is not a regular file. Change its mode to 600, or remove it."
                )
            }
            let header = try [UInt8](capacity: RecordLogFormat.headerSize) { (buffer) throws(SystemCallError) in
                try file.read(into: buffer, at: 0)
            }
            var isHeaderDamaged = false
            switch Self.format.fault(ofHeader: header) {
            case nil: break
            case .newer(let version):
                return unreadable(
                    path,
                    "it has version \(version), and this package supports version 1. Update the package."
                )
            case .damaged: isHeaderDamaged = true
            }
            var history = WipeHistory()
            var scan = RecordLogScan()
            try scan.read(file) { history.take($0) }
            guard let identity = history.identity else {
                // At most the beginning of a first record: its wipe never began.
                if !isHeaderDamaged, scan.count == 0, scan.damage.allSatisfy(\.isTail) { return .empty }
                return unreadable(path, Self.noRecord, mayBeSetAside: true)
            }
            guard (try? Self.digest(of: identity)) == digest else {
                return unreadable(path, "it is about \(identity), but is not named for it.", mayBeSetAside: true)
            }
            return .history(history, of: identity)
        } catch { return error.code == ENOENT ? .gone : unreadable(path, "\(error).") }
    }

    static let noRecord = "it does not name the account that was being wiped. Wipe each possible account again."

    private func unreadable(_ path: String, _ reason: String, mayBeSetAside: Bool = false) -> Content {
        .unreadable(WipeFailure(path, because: reason), mayBeSetAside: mayBeSetAside)
    }
}

/// Operations on journals without a usable wipe.
extension JournalFolder {
    /// Returns whether a journal is open elsewhere.
    func isInUse(_ digest: String) -> Bool {
        do { return try !OpenFile.open(path(digest, .journal), .reading).lock() } catch { return false }
    }

    /// Locks a journal, unless a later wipe's journal has its name by now.
    private func isTaken(_ file: borrowing OpenFile, _ digest: String) throws(SystemCallError) -> Bool {
        try file.lock(as: Self.name(digest, .journal), in: OpenFile.open(folder, .directory)) == .taken
    }

    /// Removes the journal of a wipe that never began, unless it is about to begin.
    func removeEmpty(_ digest: String) {
        // Best effort: it means nothing, and the next resumption finds it again.
        do {
            let file = try OpenFile.open(path(digest, .journal), .reading)
            guard try isTaken(file, digest), case .empty = read(digest) else { return }
            try remove(digest, .journal)
            _ = consume file
        } catch {}
    }

    /// Moves a journal that names no identity to another name, and reports where it is or why it was not moved.
    func setAside(_ digest: String, _ failure: WipeFailure) -> WipeFailure {
        do {
            let file = try OpenFile.open(path(digest, .journal), .reading)
            guard try isTaken(file, digest), case .unreadable(_, mayBeSetAside: true) = read(digest) else {
                return failure
            }
            try rename(digest, from: .journal, to: .setAside)
            _ = consume file
            return WipeFailure(path(digest, .setAside), because: failure.reason)
        } catch {
            return WipeFailure(failure.subject, because: "\(failure.reason) It could not be moved away: \(error).")
        }
    }
}
