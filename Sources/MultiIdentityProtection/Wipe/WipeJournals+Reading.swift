import MultiIdentity
import MultiIdentityFiles

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

/// The result of reading a journal without opening it for writing.
enum WipeReading {
    case history(WipeHistory, of: Identity)
    /// It was made, and its wipe never began.
    case empty
    case gone
    case unreadable(WipeFailure, mayBeSetAside: Bool)
}

extension WipeJournals {
    /// Reads a journal or a report as it stands; a run that has it open can go on meanwhile.
    func read(_ digest: String, _ kind: Kind = .journal) -> WipeReading {
        let path = path(digest, kind)
        do throws(SystemCallError) {
            let file = try OpenFile.open(path, .reading)
            let status = try file.status()
            guard status.isFile, status.user == geteuid(), status.permissions & 0o077 == 0 else {
                return unreadable(
                    path,
                    "others can write it, or it is no regular file. Give it mode 600, or remove it."
                )
            }
            let header = try [UInt8](capacity: RecordLogFormat.headerSize) { (buffer) throws(SystemCallError) in
                try file.read(into: buffer, at: 0)
            }
            var isHeaderDamaged = false
            switch Self.format.fault(ofHeader: header) {
            case nil: break
            case .newer(let version):
                return unreadable(path, "it has version \(version), and this package knows 1. Use a later one.")
            case .damaged: isHeaderDamaged = true
            }
            var history = WipeHistory()
            var scan = RecordLogScan()
            try scan.read(file) { history.take($0) }
            guard let identity = history.identity else {
                // But the beginning of a first record, or less: its wipe never began.
                if !isHeaderDamaged, scan.count == 0, scan.damage.allSatisfy(\.isTail) { return .empty }
                return unreadable(path, Self.noRecord, mayBeSetAside: true)
            }
            guard (try? Self.digest(of: identity)) == digest else {
                return unreadable(path, "it tells of \(identity), whose journal has another name.", mayBeSetAside: true)
            }
            return .history(history, of: identity)
        } catch {
            return error.code == ENOENT ? .gone : unreadable(path, "\(error).")
        }
    }

    static let noRecord = "nothing in it tells whose data was being wiped. Wipe whoever it may be again."

    private func unreadable(_ path: String, _ reason: String, mayBeSetAside: Bool = false) -> WipeReading {
        .unreadable(WipeFailure(path, because: reason), mayBeSetAside: mayBeSetAside)
    }
}
