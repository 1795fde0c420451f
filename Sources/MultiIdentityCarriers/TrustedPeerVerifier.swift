public import MultiIdentity

/// Believes whatever a peer says, since the caller trusts it.
public struct TrustedPeerVerifier: IdentityVerifier {
    let peer: String
    let reason: String

    /// Believes the claim; a signature is not looked at.
    public func verify(_ claim: IdentityClaim) -> IdentityVerification {
        IdentityVerification(way: "trusted peer", party: peer, detail: reason)
    }
}

extension IdentityVerifier where Self == TrustedPeerVerifier {
    /// Believes whatever this peer says.
    ///
    /// Nothing is checked: the caller vouches.
    ///
    /// - Parameters:
    ///   - peer: Who it is, as `the sidecar on 127.0.0.1`: kept for explanations and audits.
    ///   - reason: Why they are trusted, as `the socket is 0600 and ours`: kept with it.
    /// - Returns: The verifier.
    public static func trustedPeer(_ peer: String, because reason: String) -> TrustedPeerVerifier {
        TrustedPeerVerifier(peer: peer, reason: reason)
    }
}
