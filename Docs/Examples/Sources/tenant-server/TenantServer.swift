import Foundation
import Hummingbird
import HummingbirdIdentity
import LedgerCalls
import Logging
import MultiIdentity
import MultiIdentityProtection
import SignedIdentity

/// The server, and the services that run with it until it stops.
struct TenantServer: Sendable {
    let folder: String
    let authority: TokenAuthority
    let masterKey: MasterKey
    let ledger: LedgerClient
    let logger: Logger

    /// Makes the application in an existing folder.
    func application() throws -> Application<RouterResponder<TenantContext>> {
        // From the start: anything bound earlier would count as older than any revocation.
        IdentityRevocation.isOn = true
        IdentityCompanions.carryLogger()
        IdentityCompanions.carryTracing()
        let keys = try KeyFile(at: folder + "/keys", masterKey: masterKey)
        try FileManager.default.createDirectory(atPath: folder + "/files", withIntermediateDirectories: true)
        let files = try TenantFiles(folder: folder + "/files", index: folder + "/owners", keys: keys)
        let events = EventStreams()
        let jobs = JobQueue(keys: try Self.keysOfThisProcess(), logger: logger) { [ledger, logger] text in
            // As the job's owner, both in this process and in the ledger's.
            let entry = try await ledger.append(text)
            logger.info("job done", metadata: ["for": "\(entry.owner)"])
            try events.publish(JobEvent(owner: Identity.required().name, text: entry.text, entry: entry.number))
        }
        let departure = try Departure(journals: folder + "/wipes", files: files, keys: keys, logger: logger) {
            jobs.erase($0)
            try await ledger.erase($0)
        }
        let routes = Routes(reports: Reports(), files: files, jobs: jobs, events: events, departure: departure)
        var application = Application(
            router: router(routes),
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 8080)),
            // Services stop after the server, the last one first: jobs need the ledger.
            services: [ledger, jobs],
            logger: logger
        )
        application.beforeServerStarts { try await departure.resume() }
        return application
    }

    private func router(_ routes: Routes) -> Router<TenantContext> {
        let router = Router(context: TenantContext.self)
        router.add(middleware: TracingMiddleware())
        let authenticated = router.group().add(middleware: Authenticator(authority: authority))
        routes.addDeparture(to: authenticated)
        // It refuses users who have left. A wipe waits for every request that it admitted.
        let users = authenticated.group()
            .add(middleware: IdentityMiddleware { _, context in context.user ?? .nobody })
        routes.add(to: users)
        return router
    }

    /// Returns a key for the jobs of this process, which end with it.
    private static func keysOfThisProcess() throws -> KeyRing {
        let key = Data((0..<32).map { _ in UInt8.random(in: .min ... .max) })
        return try KeyRing(parsing: "process:\(key.base64EncodedString())")
    }
}
