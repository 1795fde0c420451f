import Foundation
import MultiIdentity
import MultiIdentityFiles
import MultiIdentityPolicy
import MultiIdentityProtection

/// Files that have an owner and are encrypted with that owner's key: a copy of the disk shows none of them.
struct ProtectedFiles: FileStorage {
    let files: IdentityFileSystem
    let protection: DataProtection

    /// - Parameters:
    ///   - root: The folder of all tenants' folders.
    ///   - records: Where owners are kept, if the root's file system keeps no extended attributes.
    ///   - keys: The tenants' keys.
    /// - Throws: What the file system throws.
    init(root: String, records: String, keys: any IdentityKeyProvider) throws {
        // Closed: a file that nobody owns would be one that no wipe finds.
        files = try IdentityFileSystem(root: root, records: .automatic(indexIn: records), withoutOwner: .closed)
        protection = DataProtection(keys: keys, accounts: AllTenants())
        removeEmptyFolders()
    }

    func upload(_ name: FileName, for errand: Errand) throws -> any FileUpload {
        let owner = try Identity.required()
        let folder = try TenantFolder(in: "", of: owner.caselessName).name
        let stream = try protection.protectingStream(for: owner)
        try makeFolder(folder)
        // What a process that was killed left behind has another name, and its owner: a wipe finds it.
        let temporary = "\(folder)/.upload-\(UUID().uuidString)"
        let path = "\(folder)/\(name.text)"
        let file = try files.open(temporary, for: .creating)
        return ProtectedUpload(file, stream, files, temporary: temporary, path: path)
    }

    func download(_ name: FileName, for errand: Errand) throws -> any FileDownload {
        let owner = try Identity.required()
        let folder = try TenantFolder(in: "", of: owner.caselessName).name
        // Expected: a plain file, or another's, that somebody laid here is refused.
        let stream = protection.unprotectingStream(expecting: owner)
        let file = try files.open("\(folder)/\(name.text)", for: .reading)
        return ProtectedDownload(file, stream)
    }

    /// By itself: the compiler (6.3.1) crashes where an error is caught beside values that cannot be copied.
    private func makeFolder(_ folder: String) throws {
        do throws(IdentityFileError) {
            try files.makeDirectory(folder)
        } catch  where error.code == .alreadyExists {}
    }

    /// Removes the folder of a tenant who has no files any more: its name is theirs.
    func removeFolder(of tenant: Identity) {
        guard let folder = try? TenantFolder(in: "", of: tenant.caselessName).name else { return }
        try? files.removeDirectory(folder)
    }

    /// Removes all empty folders, before the server serves.
    ///
    /// A process can be killed between a wipe's end and ``removeFolder(of:)``.
    private func removeEmptyFolders() {
        for folder in (try? FileManager.default.contentsOfDirectory(atPath: files.root)) ?? [] {
            try? files.removeDirectory(folder)
        }
    }
}
