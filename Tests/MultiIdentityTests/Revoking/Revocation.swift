import Testing

@testable import MultiIdentity

/// Gives a revocation test its own identity, and leaves none revoked: it lives as long as the test.
///
/// Revocation stays on: tests of other targets in the same process may rely on it by then. Tests that need it off run in their
/// own process.
final class Revocation: Sendable {
    /// A name that no other test uses.
    let ada = Users.named("ada-\(UInt64.random(in: 0 ... .max))@contoso.com")

    init() { IdentityRevocation.isOn = true }

    deinit { IdentityRevocation.readmit(ada, after: .wiped) }

    static func newIdentity(_ name: String = "ada") throws -> Identity {
        try Identity("\(name)-\(UInt64.random(in: 0 ... .max))@contoso.com")
    }

    /// Runs `body` while revocation is on, with a name that no other test uses.
    static func whileOn<Value: Sendable>(
        _ body: @Sendable (Identity) async throws -> Value
    ) async throws -> Value {
        let revocation = Revocation()
        defer { withExtendedLifetime(revocation) {} }
        return try await body(revocation.ada)
    }
}

/// The observations of revoked work.
struct Standing: Equatable, Sendable {
    let identity: Identity?
    let effective: Identity?
    let owner: Identity?
    let reason: IdentityRevocation.Reason?

    static var here: Standing {
        let owner = IdentityRevocation.revokedOwner
        return Standing(
            identity: .current,
            effective: EffectiveIdentity.current(for: .files).identity,
            owner: owner?.identity,
            reason: owner?.reason
        )
    }

    static func revoked(_ owner: Identity, _ reason: IdentityRevocation.Reason) -> Standing {
        Standing(identity: .nobody, effective: .nobody, owner: owner, reason: reason)
    }

    static func working(_ identity: Identity) -> Standing {
        Standing(identity: identity, effective: identity, owner: nil, reason: nil)
    }
}
