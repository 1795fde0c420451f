import Instrumentation
import MultiIdentity
import MultiIdentityCarriers
import Testing

// What a library that supports swift-distributed-tracing has for its carrier; it knows nothing of identities.

struct FieldInjector: Injector {
    func inject(_ value: String, forKey key: String, into carrier: inout [String: String]) { carrier[key] = value }
}

struct FieldExtractor: Extractor {
    func extract(key: String, from carrier: [String: String]) -> String? { carrier[key] }
}

extension FieldInjector: IdentityInjector {}
extension FieldExtractor: IdentityExtractor {}

@Suite("What reads and writes a carrier for swift-distributed-tracing") struct TracingCarrierTests {
    @Test("reads and writes identities too, by an empty extension")
    func emptyExtension() throws {
        var carrier = ["traceparent": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", "baggage": "tenant=7"]
        let fields = IdentityFields(injector: FieldInjector(), extractor: FieldExtractor())
        try withIdentity(try Identity("ada@contoso.com")) {
            try IdentityBaggage.standard.inject(into: &carrier, using: fields)
        }
        #expect(carrier["baggage"] == "tenant=7,identity=ada@contoso.com")
        let claim = try #require(try IdentityBaggage.standard.extract(from: carrier, using: FieldExtractor()))
        let identity = try claim.verified(by: .trustedPeer("this test", because: "it wrote the header"))
        #expect(identity.name == "ada@contoso.com")
    }
}
