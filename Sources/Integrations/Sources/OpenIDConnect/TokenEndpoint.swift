#if OpenIDConnect
import Foundation

/// The provider's endpoint that exchanges codes and refresh tokens for tokens.
struct TokenEndpoint: Sendable {
    /// An answer with tokens, not verified yet.
    struct Answer: Decodable, Sendable {
        let access_token: String
        let token_type: String
        let expires_in: Double?
        let refresh_token: String?
        let id_token: String?
    }

    let settings: OpenIDSettings
    let transport: any OpenIDTransport

    /// Requests tokens.
    ///
    /// - Parameters:
    ///   - form: The fields of the grant.
    ///   - document: The provider's document.
    /// - Returns: The answer.
    /// - Throws: ``OpenIDError``.
    func tokens(_ form: [(String, String)], _ document: ProviderDocument) async throws(OpenIDError) -> Answer {
        var form = form
        var fields = ["Accept": "application/json"]
        if let secret = settings.clientSecret, document.takesBasic {
            let pair = "\(Self.encoded(settings.clientID)):\(Self.encoded(secret))"
            fields["Authorization"] = "Basic \(Data(pair.utf8).base64EncodedString())"
        } else {
            form.append(("client_id", settings.clientID))
            if let secret = settings.clientSecret { form.append(("client_secret", secret)) }
        }
        let answer: OpenIDAnswer
        do {
            let request = OpenIDRequest(url: document.token_endpoint, fields: fields, form: Self.encoded(form))
            answer = try await transport.answer(to: request, limit: 262_144)
        } catch {
            throw OpenIDError(.unavailable, "The provider does not answer. Try again later.")
        }
        guard answer.status == 200 else { throw Self.failure(answer) }
        guard let tokens = try? JSONDecoder().decode(Answer.self, from: answer.body),
            tokens.token_type.lowercased() == "bearer", !tokens.access_token.isEmpty
        else { throw OpenIDError(.unavailable, "The provider's answer has no bearer token.") }
        return tokens
    }

    /// Maps the RFC 6749 error code of the answer, and uses nothing else of it.
    private static func failure(_ answer: OpenIDAnswer) -> OpenIDError {
        struct Failure: Decodable { let error: String }
        guard (400..<500).contains(answer.status) else {
            return OpenIDError(.unavailable, "The provider answered with \(answer.status). Try again later.")
        }
        return switch (try? JSONDecoder().decode(Failure.self, from: answer.body))?.error {
        case "invalid_grant":
            OpenIDError(.refused, "The provider no longer accepts the code or the refresh token. Log in again.")
        case "invalid_client", "unauthorized_client", "unsupported_grant_type", "invalid_scope", "invalid_request":
            OpenIDError(.settings, "The provider does not accept this client's requests. Check its registration.")
        default: OpenIDError(.unavailable, "The provider answered with \(answer.status). Try again later.")
        }
    }

    static func encoded(_ form: [(String, String)]) -> String {
        form.map { "\(encoded($0.0))=\(encoded($0.1))" }.joined(separator: "&")
    }

    static func encoded(_ text: String) -> String {
        let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)
        return text.utf8.map { byte in
            if plain.contains(byte) { return String(UnicodeScalar(byte)) }
            return (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
        }.joined()
    }
}
#endif
