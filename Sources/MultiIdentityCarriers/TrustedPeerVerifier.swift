public import MultiIdentity

/// Believes everything that a trusted peer claims.
public struct TrustedPeerVerifier: IdentityVerifier {
    let peer: String
    let reason: String

    /// Believes the claim; signatures are ignored.
    public func verify(_ claim: IdentityClaim) -> IdentityVerification {
        IdentityVerification(way: "trusted peer", party: peer, detail: reason)
    }
}

extension IdentityVerifier where Self == TrustedPeerVerifier {
    /// Returns a verifier that believes everything that this peer claims.
    ///
    /// Nothing is checked: the caller vouches for the peer.
    ///
    /// - Parameters:
    ///   - peer: The peer, such as `the sidecar on 127.0.0.1`; recorded for explanations and audits.
    ///   - reason: The reason for the trust, such as `the socket is 0600 and ours`; recorded too.
    /// - Returns: The verifier.
    public static func trustedPeer(_ peer: String, because reason: String) -> TrustedPeerVerifier {
        TrustedPeerVerifier(peer: peer, reason: reason)
    }
}
