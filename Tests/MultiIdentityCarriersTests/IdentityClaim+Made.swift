import MultiIdentity
import MultiIdentityCarriers
import Testing

extension IdentityClaim {
    /// Returns the claim that results from putting an identity into a header.
    static func made(of identity: Identity, _ signing: IdentitySigning? = nil) throws -> IdentityClaim {
        let baggage = IdentityBaggage.standard
        let value =
            if let signing { try baggage.headerValue(for: identity, signing: signing) } else {
                try baggage.headerValue(for: identity)
            }
        let values = [try #require(value)]
        return try #require(try baggage.claim(in: values))
    }

    /// Returns the code with which a verifier refuses it.
    func refusal(by verifier: some IdentityVerifier) -> IdentityClaimError.Code? {
        let error = #expect(throws: IdentityClaimError.self) { try verified(by: verifier) }
        #expect(error.map { "\($0)".hasPrefix("\($0.code): ") } == true)
        #expect(error.map { $0.message.utf8.count < 1_500 && $0.message.hasSuffix(".") } == true)
        return error?.code
    }
}
