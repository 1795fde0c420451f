import Foundation
import MultiIdentity
import MultiIdentityFiles
import MultiIdentityProtection

/// Keys whose presence alone matters: one file for each identity.
final class KeysInFiles: IdentityKeyProvider {
    let path: String
    /// True if keys cannot be destroyed now.
    let isBroken = Locked(false)

    init(_ path: String) throws {
        self.path = path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    func make(for identity: Identity) {
        _ = FileManager.default.createFile(atPath: "\(path)/\(identity.name)", contents: Data("key".utf8))
    }

    func has(_ identity: Identity) -> Bool { FileManager.default.fileExists(atPath: "\(path)/\(identity.name)") }

    func hasKeys(of identity: Identity) -> Bool { has(identity) }

    func keyCount(of identity: Identity) throws(ProtectionError) -> Int? { has(identity) ? 1 : 0 }

    func currentKey(for identity: Identity) throws(ProtectionError) -> IdentityKey {
        throw ProtectionError(.keyUnavailable, "no keys here")
    }

    func key(_ id: IdentityKeyID, of identity: Identity) throws(ProtectionError) -> IdentityKey {
        throw ProtectionError(.keyUnavailable, "no keys here")
    }

    func rotateKey(of identity: Identity) throws(ProtectionError) -> IdentityKeyID {
        throw ProtectionError(.keyUnavailable, "no keys here")
    }

    func destroyKeys(of identity: Identity) throws(ProtectionError) {
        if isBroken.withLock({ $0 }) { throw ProtectionError(.keyUnavailable, "the keys are out of reach.") }
        do throws(SystemCallError) {
            let directory = try OpenFile.open(path, .directory)
            do throws(SystemCallError) { try directory.unlink(identity.name) } catch {
                if error.code != ENOENT { throw error }
            }
            try directory.synchronize()
        } catch { throw ProtectionError(.systemCall, "\(error)") }
    }
}
