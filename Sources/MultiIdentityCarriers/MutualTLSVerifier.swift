public import MultiIdentity

/// Believes the claims of the allowed peers, which TLS has authenticated by their certificates.
public struct MutualTLSVerifier: IdentityVerifier {
    let peer: String?
    let allowed: [String]

    /// Decides by the peer only; signatures are ignored.
    public func verify(_ claim: IdentityClaim) throws(IdentityClaimError) -> IdentityVerification {
        guard let peer else {
            throw IdentityClaimError(
                .unknownPeer,
                """
                The \(claim) came from a peer without a certificate. Make the server request one and verify it, and pass \
                its name.
                """
            )
        }
        guard allowed.contains(where: peer.isExactly) else {
            throw IdentityClaimError(
                .unknownPeer,
                """
                The \(claim) came from "\(EscapedText(peer))", which may not claim identities. Add it \
                if it may speak for users.
                """
            )
        }
        return IdentityVerification(way: "mutual TLS", party: peer)
    }
}

extension IdentityVerifier where Self == MutualTLSVerifier {
    /// Returns a verifier that believes `peer` if it may claim identities.
    ///
    /// - Parameters:
    ///   - peer: The name in the certificate that this connection's peer has proved to own, as TLS gives it; `nil` if
    ///     it has none. Never use a header's value.
    ///   - allowed: The names of the peers that may claim identities; compared byte by byte.
    /// - Returns: The verifier.
    public static func mutualTLS(peer: String?, allowing allowed: [String]) -> MutualTLSVerifier {
        MutualTLSVerifier(peer: peer, allowed: allowed)
    }
}
