import Testing

@testable import MultiIdentity

/// Gives each test of revocation an identity of its own, and leaves nobody revoked.
///
/// Revocation stays on: tests of other targets, in the same process, may rely on it by then. What needs it off runs in a
/// process of its own.
enum Revocation {
    static func newIdentity(_ name: String = "ada") throws -> Identity {
        try Identity("\(name)-\(UInt64.random(in: 0 ... .max))@contoso.com")
    }

    /// Runs `body` while revocation is on, with a name that nobody else has.
    static func whileOn<Value: Sendable>(
        _ body: @Sendable (Identity) async throws -> Value
    ) async throws -> Value {
        let ada = try newIdentity()
        IdentityRevocation.isOn = true
        defer { IdentityRevocation.readmit(ada, after: .wiped) }
        return try await body(ada)
    }
}

/// The findings of revoked work.
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
