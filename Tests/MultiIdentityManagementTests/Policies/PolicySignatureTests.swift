import MultiIdentity
import MultiIdentityTesting
import Testing

@testable import MultiIdentityManagement

@Suite("A signature of policies", .rule("19.1")) struct PolicySignatureTests {
    @Test("covers what RFC 7797 says, plain and in base64url") func coversWhatTheStandardSays() throws {
        // Sections 4.1 and 4.2: the payload is $.02; the second example is detached and unencoded.
        let plain = try PolicySignature(
            "eyJhbGciOiJIUzI1NiIsImI2NCI6ZmFsc2UsImNyaXQiOlsiYjY0Il19..A5dxf2s96_n5FLueVuW1Z_vh161FwXZC4YLPff6dmDY",
            of: Array("$.02".utf8)
        )
        #expect(
            String(decoding: plain.bytes, as: UTF8.self)
                == "eyJhbGciOiJIUzI1NiIsImI2NCI6ZmFsc2UsImNyaXQiOlsiYjY0Il19.$.02"
        )
        #expect(
            plain.algorithm == "HS256" && plain.keyID == nil && plain.issuedAt == nil && plain.signature.count == 32
        )
        let encoded = try PolicySignature(
            "eyJhbGciOiJIUzI1NiJ9..5mvfOroL-g7HyqJoozehmsaqmvTYGEq5jTI1gVvoEoQ",
            of: Array("$.02".utf8)
        )
        #expect(String(decoding: encoded.bytes, as: UTF8.self) == "eyJhbGciOiJIUzI1NiJ9.JC4wMg")
    }

    @Test(
        "is refused if it is invalid, names no algorithm or requires unknown extensions",
        arguments: [
            #"{"alg": "none"}"#, #"{"alg": "NONE"}"#, #"{"kid": "1"}"#, "[]", "", #"{"alg": "a", "crit": ["exp"]}"#,
            #"{"alg": "a", "b64": false}"#, #"{"alg": "a", "crit": ["b64"]}"#,
            #"{"alg": "a", "b64": false, "crit": ["b64", "x"]}"#,
            #"{"alg": "a", "alg": "b"}"#, #"{"alg": 1}"#,
        ]
    )
    func isRefused(_ header: String) {
        let field = "\(Base64.urlText(of: Array(header.utf8)))..AAAA"
        expect(throws: ManagementError.Code.wrongSignature) { try PolicySignature(field, of: []) }
    }

    @Test(
        "is refused in any form other than header..signature",
        arguments: ["", ".", "..", "e30.e30.AAAA", "e30..", "..AAAA", "e30..AAAA.AAAA", "e30..AA=A", "e3 0..AAAA"]
    )
    func isRefusedInAnotherForm(_ field: String) {
        #expect(throws: ManagementError.self) { try PolicySignature(field, of: []) }
    }
}
