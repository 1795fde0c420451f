import Foundation
import Logging
import MultiIdentity
import MultiIdentityFiles
import MultiIdentityProtection

/// Removes a user: revokes the identity, waits for its work in progress, and removes ledger, jobs, files and keys.
struct Departure: Sendable {
    private let wipe: IdentityWipe
    private let logger: Logger

    /// - Parameters:
    ///   - journals: The folder of the wipes' journals, used only for them.
    ///   - files: The users' files.
    ///   - keys: The users' keys, which are removed last.
    ///   - logger: The log of wipes, which contains no names.
    ///   - erase: Removes all other data of a user; called again if it throws or the process was killed.
    /// - Throws: `ProtectionError` if the folder is not private to this process.
    init(
        journals: String,
        files: TenantFiles,
        keys: KeyFile,
        logger: Logger,
        erase: @escaping @Sendable (Identity) async throws -> Void
    ) throws {
        self.logger = logger
        wipe = try IdentityWipe(journals: journals, accounts: AllUsers(), storages: [files.system], keys: keys) {
            identity in
            try await erase(identity)
            return .notRemoved
        }
    }

    /// Removes a user: once this returns true, the user's work has no further effect, and no data are left.
    func remove(_ user: Identity) async throws -> Bool {
        let report = try await wipe.wipe(user)
        // Only numbers: the log outlives the user.
        logger.notice("a user was wiped", metadata: ["files": "\(report.files)", "left": "\(report.failureCount)"])
        for failure in report.failures { logger.error("not removed", metadata: ["reason": "\(failure.reason)"]) }
        return report.isComplete
    }

    /// Resumes interrupted wipes; users who have left stay out, even with an old token.
    func resume() async throws { _ = try await wipe.resume() }
}
