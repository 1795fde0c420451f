/// The time for which a signature is valid, from when it is made.
struct SigningLifetime: Sendable {
    private let lifetime: Duration
    private let now: @Sendable () -> Duration

    init(_ lifetime: Duration, now: @escaping @Sendable () -> Duration) throws(IdentityCarrierError) {
        guard (.seconds(1)...Duration.seconds(3_155_760_000)).contains(lifetime) else {
            throw IdentityCarrierError(
                .invalidTerms,
                "A claim cannot be valid for \(lifetime). Use 1 second to 100 years; a minute is enough for most requests."
            )
        }
        self.lifetime = lifetime
        self.now = now
    }

    /// Returns the expiry of a signature that is made now, in whole seconds since 1970.
    func expiry() throws(IdentityCarrierError) -> Int64 {
        let now = now()
        let expiry = now < .seconds(1_000_000_000_000) ? (now + lifetime).components.seconds : -1
        guard (0..<1_000_000_000_000).contains(expiry) else {
            throw IdentityCarrierError(
                .invalidTerms,
                "The clock says \(now.components.seconds) s since 1970, from which no expiry can be computed. Set the clock."
            )
        }
        return expiry
    }

    /// Checks that a signature is not empty: an empty one would be read as none.
    static func checked(_ signature: [UInt8]) throws(IdentityCarrierError) -> [UInt8] {
        guard !signature.isEmpty else {
            throw IdentityCarrierError(
                .invalidTerms,
                "The signing returned an empty signature. Throw an error if it cannot sign."
            )
        }
        return signature
    }
}
