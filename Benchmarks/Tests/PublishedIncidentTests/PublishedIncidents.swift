import MultiIdentity
import Testing

/// Published incidents of a lost or mixed identity, each reproduced as it leaked, and with this package.
///
/// A database, a server or a pool is a small object in memory here. The comment of a test names the pages that published it.
@Suite("A published incident, as it leaked and with this package", .serialized)
struct PublishedIncidents {
    /// Runs both versions repeatedly: the published one leaks, each time alike, and the other runs each piece of work as its owner.
    ///
    /// Each returns the identities that the owners' work ran as.
    func reproduce(
        _ owners: Identity?...,
        asPublished: @Sendable () async throws -> [Identity?],
        withPackage: @Sendable () async throws -> [Identity?]
    ) async throws {
        let leaked = try await asPublished()
        #expect(leaked != owners)
        for _ in 0..<20 {
            #expect(try await asPublished() == leaked)
            #expect(try await withPackage() == owners)
        }
    }
}
