import MultiIdentity
import MultiIdentityCarriers
import Testing

@Suite("An inferred, display-only identity") struct InferredClaimTests {
    /// In its own process, since the effect of inferred identities is process-wide.
    @Test("is not claimed to another process", .rule("4.14"))
    func isNotClaimed() async {
        await #expect(processExitsWith: .success) {
            let ada = try Identity("ada@contoso.com")
            func injected(_ effect: IdentityInference.Effect) throws -> Headers {
                IdentityInference.effect = effect
                let word = withIdentity(ada) { CapturedWord.captured(at: { .async }, of: { nil }) }
                var headers = Headers()
                var failure: (any Error)?
                CapturedWord.run(word, at: { .async }) {
                    do { try IdentityBaggage.standard.inject(into: &headers, using: HeaderFields()) } catch {
                        failure = error
                    }
                }
                if let failure { throw failure }
                return headers
            }
            #expect(try injected(.isOnlyShown).fields.isEmpty)
            #expect(try !injected(.isMarked).fields.isEmpty)
        }
    }
}
