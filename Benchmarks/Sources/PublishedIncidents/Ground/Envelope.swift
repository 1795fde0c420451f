import MultiIdentity
import MultiIdentityCarriers

/// A message or a row of a queue, which names its owner in a header of its own.
struct Envelope: Sendable {
    let baggage: String?

    /// The current identity has written it.
    init() throws { baggage = try IdentityBaggage.standard.headerValue(for: Identity.current) }

    /// The owner; `nil` where it does not say.
    var owner: Identity? {
        get throws {
            guard let claim = try IdentityBaggage.standard.claim(in: [baggage].compactMap(\.self)) else { return nil }
            return try claim.verified(by: .trustedPeer("twin", because: "it never leaves this process"))
        }
    }
}
