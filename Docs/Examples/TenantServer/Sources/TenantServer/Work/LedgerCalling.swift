import MultiIdentity

/// The ledger, which another process keeps.
protocol LedgerCalling: Sendable {
    /// - Parameter errand: The owner's errand.
    /// - Returns: The user that was seen here, and there.
    /// - Throws: What the call throws.
    func record(_ errand: Errand) async throws -> [Sighting]

    /// Removes a tenant's ledger: entries, receipts and jobs.
    ///
    /// - Parameter tenant: The owner of the ledger.
    /// - Throws: What the call throws; it can be made again.
    func erase(_ tenant: Identity) async throws
}

/// A ledger in this process: for a server that runs alone.
struct LedgerInProcess: LedgerCalling {
    let queue: any WorkQueue

    func record(_ errand: Errand) async throws -> [Sighting] {
        [try await queue.run { errand.sighting(at: "ledger") }]
    }

    /// It keeps nothing.
    func erase(_ tenant: Identity) async throws {}
}
