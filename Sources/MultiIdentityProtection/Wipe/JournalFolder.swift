import CSystemCalls
import MultiIdentity
import MultiIdentityFiles

/// The folder in which each wipe has a journal, and each complete one a report.
///
/// A file is named by a digest of the caseless name: no name can lead elsewhere, be too long, or show in a listing.
struct JournalFolder: Sendable {
    let folder: String

    static let format = RecordLogFormat(magic: "MIWIPING", version: 1)

    enum Kind: String, CaseIterable {
        case journal = "wipe"
        case report = "report"
        case setAside = "damaged"
    }

    private static let digestLength = 32
    private static let label = Array("MultiIdentity wipe journal 1\0".utf8)

    static func digest(of identity: Identity) throws(ProtectionError) -> String {
        let name = Array(identity.caselessName.utf8)
        let digest = try name.span.bytes.withUnsafeBytes { (name) throws(ProtectionError) in
            try Derivation.bytes(digestLength, from: name, salt: [], info: label)
        }
        return Hexadecimal.text(of: digest)
    }

    static func name(_ digest: String, _ kind: Kind) -> String { "\(digest).\(kind.rawValue)" }

    func path(_ digest: String, _ kind: Kind) -> String { "\(folder)/\(Self.name(digest, kind))" }

    /// Returns whether the folder exists; throws if it is not private.
    func isThere() throws(ProtectionError) -> Bool {
        let status: FileStatus
        do { status = try OpenFile.open(folder, .directory).status() } catch {
            if error.code == ENOENT { return false }
            if error.code == ENOTDIR || error.code == ELOOP {
                throw ProtectionError(
                    .unsafeFile,
                    "\(folder) is not a folder, but wipe journals are kept there. Name a folder."
                )
            }
            throw ProtectionError(error)
        }
        try check(status)
        return true
    }

    private func check(_ status: FileStatus) throws(ProtectionError) {
        guard status.user == geteuid() else {
            throw ProtectionError(
                .unsafeFile,
                "\(folder) belongs to user \(status.user), and this process runs as \(geteuid()). Change its owner."
            )
        }
        guard status.permissions & 0o077 == 0 else {
            let mode = String(status.permissions, radix: 8)
            throw ProtectionError(
                .unsafeFile,
                "\(folder) has mode \(mode), so others can use it. Change its mode to 700."
            )
        }
    }

    /// Creates the folder if it is missing; its parent must exist.
    func make() throws(ProtectionError) {
        if try isThere() { return }
        let (parent, name) = AtomicReplacement.split(folder)
        do throws(SystemCallError) {
            let directory = try OpenFile.open(parent, .directory)
            do { try directory.makeDirectory(name, permissions: 0o700) } catch {
                if !error.isAlreadyThere { throw error }
            }
            try directory.synchronize()
        } catch { throw ProtectionError(error) }
        guard try isThere() else {
            throw ProtectionError(
                .unsafeFile,
                "\(folder) was removed as soon as it was created. Find out what removes it."
            )
        }
    }

    /// The digests of all files of a kind, sorted.
    func digests(_ kind: Kind) throws(ProtectionError) -> [String] {
        guard try isThere() else { return [] }
        let directory = try ProtectionError.from { () throws(SystemCallError) in try OpenFile.open(folder, .directory) }
        var found: [String] = []
        let suffix = "." + kind.rawValue
        try directory.forEachName(
            { (name, _) throws(ProtectionError) in
                guard let name, name.hasSuffix(suffix), name.utf8.count == Self.digestLength * 2 + suffix.utf8.count
                else { return }
                let digest = name.utf8.dropLast(suffix.utf8.count)
                guard digest.allSatisfy({ "0123456789abcdef".utf8.contains($0) }) else { return }
                found.append(String(digest) ?? "")
            },
            failing: { ProtectionError($0) }
        )
        return found.sorted()
    }

    /// Gives a file another kind.
    func rename(_ digest: String, from kind: Kind, to newKind: Kind) throws(SystemCallError) {
        let directory = try OpenFile.open(folder, .directory)
        try directory.rename(Self.name(digest, kind), to: Self.name(digest, newKind), in: directory)
        try directory.synchronize()
    }

    func remove(_ digest: String, _ kind: Kind) throws(SystemCallError) {
        let directory = try OpenFile.open(folder, .directory)
        try directory.unlink(Self.name(digest, kind))
        try directory.synchronize()
    }

    /// Removes what interrupted writes left.
    func sweep() {
        guard let directory = try? OpenFile.open(folder, .directory) else { return }
        // Best effort: what stays is swept the next time.
        try? directory.forEachName(
            { (name, _) throws(SystemCallError) in
                if let name, AtomicReplacement.isTemporary(name) {
                    _ = try? AtomicReplacement.sweep(name, in: directory)
                }
            },
            failing: { $0 }
        )
    }
}
