import MultiIdentity
import Synchronization

/// A program that states what the package promises, whatever the order in which its pieces run.
public struct Promise: Sendable {
    /// The promise.
    public let name: String
    private let body: @Sendable (Findings) async throws -> Void

    init(_ name: String, _ body: @escaping @Sendable (Findings) async throws -> Void) {
        self.name = name
        self.body = body
    }

    /// Runs the program once, and throws where the promise is broken.
    @Sendable public func callAsFunction() async throws {
        let findings = Findings()
        try await body(findings)
        try findings.throwIfAny()
    }

    /// True if Foundation decides by the addresses of operations which of those begins first that have waited for another one.
    public var usesOperations: Bool { Self.operations.contains { $0.name == name } }

    /// All of them; those that revoke somebody come last, since revocation stays on from then on.
    public static let all =
        queues + scopes + following + batches + operations + leases + keyed + revocation + leasesOfTheRevoked
}

/// Makes an account that no schedule has had before: what one has revoked, the next must not find revoked.
func account(_ name: String) throws -> Identity {
    try Identity("\(name).\(lastAccount.add(1, ordering: .relaxed).newValue)@example.com")
}

private let lastAccount = Atomic(0)
