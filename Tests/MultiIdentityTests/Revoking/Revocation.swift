import Testing

@testable import MultiIdentity

/// Gives each revocation test its own identity, and leaves none revoked.
///
/// Revocation stays on: tests of other targets in the same process may rely on it by then. Tests that need it off run in their
/// own process.
enum Revocation {
    static func newIdentity(_ name: String = "ada") throws -> Identity {
        try Identity("\(name)-\(UInt64.random(in: 0 ... .max))@contoso.com")
    }

    /// Runs `body` while revocation is on, with a name that no other test uses.
    static func whileOn<Value: Sendable>(
        _ body: @Sendable (Identity) async throws -> Value
    ) async throws -> Value {
        let ada = try newIdentity()
        IdentityRevocation.isOn = true
        defer { IdentityRevocation.readmit(ada, after: .wiped) }
        return try await body(ada)
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
