import MultiIdentity
import MultiIdentityFiles

/// Notes in the reports of complete wipes that their accounts were readmitted, for the next process.
///
/// If one cannot be recorded, the account stays revoked there.
final class WipeReadmissions: RevocationWatcher {
    private let journals: JournalFolder
    private let readmitted = Locked<[Identity]>([])

    init(_ journals: JournalFolder) { self.journals = journals }

    func note(_ event: RevocationEvent) {
        if case .readmitted(let identity) = event { readmitted.withLock { $0.append(identity) } }
    }

    func notify() {
        let identities = readmitted.withLock { readmitted in
            defer { readmitted = [] }
            return readmitted
        }
        for identity in identities {
            // A complete wipe is still a journal if only its renaming failed.
            for kind in [JournalFolder.Kind.report, .journal] { note(identity, in: kind) }
        }
    }

    private func note(_ identity: Identity, in kind: JournalFolder.Kind) {
        guard let digest = try? JournalFolder.digest(of: identity),
            case .history(let history, _) = journals.read(digest, kind), !history.isReadmitted,
            kind == .report || history.isComplete,
            let log = try? WipeJournal.log(journals.path(digest, kind), { _ in })
        else { return }
        // Revoked again, it is not what was readmitted; and a report of a wipe that comes later is another file.
        if !IdentityRevocation.isRevoked(identity) { try? log.append(WipeRecord.readmitted.bytes(of: identity)) }
    }
}
