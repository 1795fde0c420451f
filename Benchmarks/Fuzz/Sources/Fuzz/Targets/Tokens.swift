import Foundation
import MultiIdentity
import SCIMUsers

@testable import IssuerKeys
@testable import OpenIDConnect
@testable import SCIMUsers
@testable import SecurityEvents

/// A part of the target `directory`: what stands before the signature of a token is looked at.
///
/// 6: a token, and 7: its header and its claims in JSON, with 0xFF between; it has one spelling, what is signed is what stands
/// there, and nothing critical is passed over. The claims are those that Foundation reads; an event's subject and an id token
/// name nobody whom they do not name.
enum Tokens {
    static func check(_ kind: UInt8, _ bytes: [UInt8]) -> Bool {
        switch kind {
        case 6: _ = token(String(decoding: bytes, as: UTF8.self))
        case 7:
            let parts = bytes.split(separator: 0xFF, maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { return false }
            let made = parts.map { Data($0).base64URL }.joined(separator: ".")
            guard token("\(made).AAAA") else { return true }
            idToken(Data(parts[1]))
            events(Data(parts[1]))
        default: return false
        }
        return true
    }

    private static func token(_ text: String) -> Bool {
        do throws(IssuerKeysError) {
            let token = try SignedToken(text)
            let parts = text.split(separator: ".", omittingEmptySubsequences: false)
            guard let header = Data(base64URL: parts[0]) else { fatalError("the header is not in base64url") }
            let spelled = [header, token.payload, token.signature].map(plainBase64URL).joined(separator: ".")
            require(spelled.utf8.elementsEqual(text.utf8), "\(text) is another spelling of \(spelled)")
            require(token.signed == Data(text.utf8.prefix { $0 != 0x2E }) + [0x2E] + Data(parts[1].utf8), "signed")
            let members = SecondReading.value(Array(header))?.object
            require(members == nil || members?["alg"] == .text(token.algorithm), "the algorithm is \(token.algorithm)")
            require(members?["crit"] == nil, "something critical is passed over")
            return true
        } catch {
            require([.malformed, .critical].contains(error.code), "\(error)")
            return false
        }
    }

    /// RFC 4648's digits, one for six bits, and not as Foundation has them.
    private static func plainBase64URL(_ bytes: Data) -> String {
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        let bits = bytes.flatMap { byte in (0..<8).map { byte >> (7 - $0) & 1 } }
        return String(
            stride(from: 0, to: bits.count, by: 6).map { start in
                digits[(0..<6).reduce(0) { $0 << 1 | (start + $1 < bits.count ? Int(bits[start + $1]) : 0) }]
            }
        )
    }

    private static func idToken(_ payload: Data) {
        guard let claims = try? JSONDecoder().decode(IDTokenClaims.self, from: payload),
            let members = SecondReading.value(Array(payload))?.object
        else { return }
        require(members["iss"] == .text(claims.iss) && members["sub"] == .text(claims.sub), "\(claims)")
        let audience: AttributeValue = .list(claims.aud.map { .text($0) })
        require(members["aud"] == audience || members["aud"] == claims.aud.first.map { .text($0) }, "\(claims)")
        require(!claims.email_verified || members["email_verified"] == .boolean(true), "the address is not verified")
        require(claims.nonce == members["nonce"]?.text && claims.azp == members["azp"]?.text, "\(claims)")
        require(claims.exp.isFinite && claims.iat.isFinite, "\(claims.exp), \(claims.iat)")
    }

    private static func events(_ payload: Data) {
        guard let claims = try? JSONDecoder().decode(EventClaims.self, from: payload),
            let members = SecondReading.value(Array(payload))?.object
        else { return }
        require(claims.jti == members["jti"]?.text && claims.iss == members["iss"]?.text, "\(claims)")
        for (uri, event) in claims.events {
            let given = members["events"]?.object?[uri]?.object?["subject"]
            requireNamed(event.subject, in: given)
            requireNamed(claims.sub_id, in: members["sub_id"])
            let kind = SecurityEvent(uri, subject: event.subject, issuer: claims.iss, id: claims.jti).kind
            if case .other(let other) = kind { require(other == uri, "\(uri) is \(other)") }
        }
    }

    private static func requireNamed(_ subject: SubjectIdentifier?, in value: AttributeValue?) {
        guard let subject else { return require(value == nil || value == .null, "\(value ?? .null) names nobody") }
        // Of a subject with parts it is the user.
        let isComplex = value?.object?["format"] == .text("complex")
        let members = (isComplex ? value?.object?["user"] : value)?.object ?? [:]
        require(members["format"]?.text != "complex", "subjects with parts stand in each other")
        let issuer = members["iss"]?.text ?? "https://issuer.example"
        if let identity = subject.identity(from: issuer) {
            let named = ["email", "sub", "id", "externalId"].compactMap { members[$0]?.text }
            let isAccount = members["uri"]?.text == "acct:\(identity.name)"
            require(named.contains(identity.name) || isAccount, "\(identity) is nobody of \(members)")
        }
        if case .subject = subject { require(subject.identity(from: "\(issuer).other") == nil, "of another issuer") }
    }
}
