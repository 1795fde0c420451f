import Foundation
import JWTKit

/// The claims of a token; those without a question mark have to be there.
struct TenantClaims: JWTPayload {
    let iss: String
    let aud: Audience
    let sub: String
    let exp: Date
    var nbf: Date?
    var scope: String?

    /// Called by JWTKit once the signature holds; what depends on the server's settings is ``TokenVerifier``'s to check.
    func verify(using algorithm: some JWTAlgorithm) throws {}

    /// One audience or several. (JWTKit's own type stops the program where a signed token's list is empty.)
    struct Audience: Codable, Sendable {
        let names: [String]

        init(_ names: String...) { self.names = names }

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let name = try? container.decode(String.self) {
                names = [name]
            } else {
                names = try container.decode([String].self)
            }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(names)
        }
    }
}
