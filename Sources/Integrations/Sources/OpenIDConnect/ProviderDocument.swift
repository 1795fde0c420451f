#if OpenIDConnect
import Foundation

/// The provider's document (OpenID Connect Discovery 1.0), as far as it is used.
struct ProviderDocument: Decodable, Sendable {
    let issuer: String
    let authorization_endpoint: String
    let token_endpoint: String
    let jwks_uri: String
    let token_endpoint_auth_methods_supported: [String]?
    let code_challenge_methods_supported: [String]?
    let authorization_response_iss_parameter_supported: Bool?

    var endpoints: [String] { [authorization_endpoint, token_endpoint, jwks_uri] }
    /// The specification's default is Basic.
    var takesBasic: Bool { token_endpoint_auth_methods_supported?.contains("client_secret_basic") ?? true }
    /// A provider whose document does not mention it may support it anyway.
    var takesS256: Bool { code_challenge_methods_supported?.contains("S256") ?? true }
}

/// The document, fetched when it is needed and once a day, and the keys that it names.
actor ProviderDiscovery {
    private let issuer: String
    private let transport: any OpenIDTransport
    private let now: @Sendable () -> Date
    private var known: (document: ProviderDocument, at: Date)?
    private var fetching: Task<Result<ProviderDocument, OpenIDError>, Never>?

    init(issuer: String, transport: any OpenIDTransport, now: @escaping @Sendable () -> Date) {
        self.issuer = issuer
        self.transport = transport
        self.now = now
    }

    /// Returns the document; if it cannot be fetched, the previous one for a day.
    func document() async throws(OpenIDError) -> ProviderDocument {
        if let known, (0..<86_400).contains(now().timeIntervalSince(known.at)) { return known.document }
        if let fetching { return try await fetching.value.get() }
        // Detached and without an identity: others wait for it as well.
        let task = Task.detached { await self.took() }
        fetching = task
        return try await task.value.get()
    }

    private func took() async -> Result<ProviderDocument, OpenIDError> {
        defer { fetching = nil }
        do {
            let document = try await fetched()
            known = (document, now())
            return .success(document)
        } catch { return .failure(error) }
    }

    /// Fetches the set of keys that the document names.
    func keySet() async throws -> Data { try await Self.keySet(at: document().jwks_uri, by: transport) }

    /// Fetches a set of keys.
    static func keySet(at url: String, by transport: any OpenIDTransport) async throws -> Data {
        let request = OpenIDRequest(url: url, fields: ["Accept": "application/json"], form: nil)
        let answer = try await transport.answer(to: request, limit: 524_288)
        guard answer.status == 200 else { throw OpenIDError(.unavailable, "The provider sent no keys.") }
        return answer.body
    }

    private func fetched() async throws(OpenIDError) -> ProviderDocument {
        let base = issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer
        let request = OpenIDRequest(
            url: base + "/.well-known/openid-configuration",
            fields: ["Accept": "application/json"],
            form: nil
        )
        let answer: OpenIDAnswer
        do { answer = try await transport.answer(to: request, limit: 262_144) } catch {
            throw OpenIDError(.unavailable, "The provider does not answer. Check the issuer's URL.")
        }
        guard answer.status == 200 else {
            throw OpenIDError(.unavailable, "The request for the provider's document got \(answer.status), not 200.")
        }
        guard let document = try? JSONDecoder().decode(ProviderDocument.self, from: answer.body) else {
            throw OpenIDError(.discovery, "The provider's document is invalid, or lacks a required endpoint.")
        }
        guard document.issuer == issuer else {
            throw OpenIDError(.discovery, "The document's issuer does not match the settings exactly.")
        }
        guard document.endpoints.allSatisfy(OpenIDSettings.isSafe) else {
            throw OpenIDError(.discovery, "An endpoint of the document is neither HTTPS nor on this machine.")
        }
        guard document.takesS256 else {
            throw OpenIDError(.discovery, "The provider does not support PKCE with S256. Have it turned on.")
        }
        return document
    }
}
#endif
