import Foundation
import Logging
import MultiIdentity
import MultiIdentityFiles
import MultiIdentityProtection

/// Removes a user: revokes, waits for what is in flight, and removes ledger, jobs, files and keys.
struct Departure: Sendable {
    private let wipe: IdentityWipe
    private let logger: Logger

    /// - Parameters:
    ///   - journals: The folder of the wipes' journals, for them alone.
    ///   - files: The users' files.
    ///   - keys: The users' keys, which go last.
    ///   - logger: Where wipes are logged, without names.
    ///   - erase: Removes what else is known of a user; called again where it throws, or the process was killed.
    /// - Throws: `ProtectionError` where the folder is not this process's alone.
    init(
        journals: String,
        files: TenantFiles,
        keys: KeyFile,
        logger: Logger,
        erase: @escaping @Sendable (Identity) async throws -> Void
    ) throws {
        self.logger = logger
        wipe = try IdentityWipe(journals: journals, accounts: AllUsers(), storages: [files.system], keys: keys) {
            request in
            try await erase(request.identity)
            return .leftToStorages
        }
    }

    /// Removes a user: once this returns true, no effect of the user's comes any more, and nothing is left.
    func remove(_ user: Identity) async throws -> Bool {
        let report = try await wipe.wipe(user)
        // By numbers alone: the log outlives the user.
        logger.notice("a user was wiped", metadata: ["files": "\(report.files)", "left": "\(report.failureCount)"])
        for failure in report.failures { logger.error("not removed", metadata: ["reason": "\(failure.reason)"]) }
        return report.isComplete
    }

    /// Goes on with what was interrupted; whoever has left stays out, with an old token too.
    func resume() async throws { _ = try await wipe.resume() }
}
