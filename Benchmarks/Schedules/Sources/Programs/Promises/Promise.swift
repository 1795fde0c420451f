import MultiIdentity
import Synchronization

/// A program that checks a promise of the package, in whatever order its work items run.
public struct Promise: Sendable {
    /// The promise.
    public let name: String
    private let body: @Sendable (Findings) async throws -> Void

    init(_ name: String, _ body: @escaping @Sendable (Findings) async throws -> Void) {
        self.name = name
        self.body = body
    }

    /// Runs the program once, and throws if the promise is broken.
    @Sendable public func callAsFunction() async throws {
        let findings = Findings()
        try await body(findings)
        try findings.throwIfAny()
    }

    /// True if Foundation orders operations that have waited for another one by their addresses.
    public var usesOperations: Bool { Self.operations.contains { $0.name == name } }

    /// All promises; those that revoke an identity come last, since revocation stays on afterwards.
    public static let all =
        queues + turns + scopes + following + batches + operations + leases + keyed + accounts + revocation
        + leasesOfTheRevoked
}

/// Makes an account that no earlier schedule had, since one schedule's revocation must not affect the next.
func account(_ name: String) throws -> Identity {
    try Identity("\(name).\(lastAccount.add(1, ordering: .relaxed).newValue)@example.com")
}

private let lastAccount = Atomic(0)
