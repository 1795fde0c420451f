import Foundation
import MultiIdentityCarriers
import SignedIdentity

/// A ledger over a database of its own.
struct TestedLedger {
    static let key = Data((0..<32).map { UInt8($0) }).base64EncodedString()
    static let jobKey = Data((0..<32).map { UInt8($0 + 100) }).base64EncodedString()

    let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "ledger-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    func remove() { try? FileManager.default.removeItem(at: folder) }

    var database: String { folder.appending(path: "ledger.sqlite").path() }

    func environment(port: Int = 0) -> [String: String] {
        [
            "LEDGER_DATABASE": database, "LEDGER_PORT": "\(port)", "LEDGER_CLAIM_KEYS": "one:\(Self.key)",
            "LEDGER_JOB_KEYS": "jobs:\(Self.jobKey)", "LEDGER_JOB_LEASE_MILLISECONDS": "700",
            "LEDGER_SYNCHRONOUS": "normal",
        ]
    }

    static func signing() throws -> IdentitySigning {
        try .hmac(issuer: "web", audience: "ledger", keys: KeyRing(parsing: "one:\(key)"))
    }
}
