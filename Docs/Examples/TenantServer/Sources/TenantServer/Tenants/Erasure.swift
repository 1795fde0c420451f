import Logging
import MultiIdentity
import MultiIdentityFiles
import MultiIdentityProtection
import ServiceLifecycle

/// Erases tenants: files and keys by the package, and all else that this server and its ledger know of them here.
///
/// It is a service: what was interrupted goes on when the server starts, and what failed is tried again while it runs.
final class Erasure: Service {
    let wipe: IdentityWipe
    private let files: ProtectedFiles
    private let logger: Logger

    /// - Parameters:
    ///   - dataFolder: Where journals go, into a folder of their own.
    ///   - tenants: The tenants' files and keys.
    ///   - workshop: What else knows of tenants.
    ///   - logger: Where to tell what became of wipes.
    /// - Throws: `WipeError` where the journals' folder is not ours alone.
    init(dataFolder: String, tenants: TenantKeeping, workshop: Workshop, logger: Logger) throws {
        files = tenants.files
        self.logger = logger
        // From the start: what was bound before would count as older than any revocation.
        IdentityRevocation.isOn = true
        wipe = try IdentityWipe(
            journals: dataFolder + "/wipes",
            accounts: AllTenants(),
            storages: [tenants.files.files],
            keys: tenants.keys
        ) { request in
            // Each can be called again, after a crash or where the next one failed.
            try await workshop.ledger.erase(request.identity)
            try await workshop.jobs.erase(request.identity)
            try workshop.records.erase(request.identity)
            workshop.cache.forget(request.identity)
            return .leftToStorages
        }
    }

    /// Erases a tenant, or goes on with it; who asks meanwhile gets the same report.
    ///
    /// - Parameter tenant: The tenant.
    /// - Returns: What was removed, what not, and why.
    /// - Throws: `WipeError` where nothing was begun.
    func erase(_ tenant: Identity) async throws -> WipeReport {
        let report = try await wipe.wipe(tenant)
        finish(report)
        return report
    }

    /// Goes on with what is not complete, at once and then every half minute, until the server stops.
    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do {
                    for status in try await self.wipe.resume() { self.tell(status) }
                } catch {
                    self.logger.error("wipes could not be resumed", metadata: ["reason": "\(error)"])
                }
                try? await Task.sleep(for: .seconds(30))
            }
        }
    }

    private func tell(_ status: WipeStatus) {
        if let report = status.report { return finish(report) }
        let reason = status.failure?.reason ?? status.state.rawValue
        logger.error("a wipe does not go on", metadata: ["reason": "\(reason)"])
    }

    private func finish(_ report: WipeReport) {
        // By numbers alone: the log outlives the tenant.
        let metadata: Logger.Metadata = ["files": "\(report.files)", "failures": "\(report.failureCount)"]
        if report.isComplete {
            files.removeFolder(of: report.identity)
            logger.notice("a tenant was wiped", metadata: metadata)
        } else {
            logger.error("a wipe is not complete", metadata: metadata)
        }
    }
}
