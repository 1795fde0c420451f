import Foundation
import MultiIdentityProtection

/// The server's means to keep tenants' data where it has a master key: their keys and their files.
struct TenantKeeping: Sendable {
    let keys: KeyFile
    let files: ProtectedFiles

    /// - Parameters:
    ///   - dataFolder: Where files and records go; made if it is not there.
    ///   - masterKey: What the tenants' keys are wrapped with.
    /// - Throws: What the file system throws.
    init(dataFolder: String, masterKey: MasterKey) throws {
        try FileManager.default.createDirectory(atPath: dataFolder + "/files", withIntermediateDirectories: true)
        keys = try KeyFile(at: dataFolder + "/keys", masterKey: masterKey)
        files = try ProtectedFiles(root: dataFolder + "/files", records: dataFolder + "/owners", keys: keys)
    }
}
