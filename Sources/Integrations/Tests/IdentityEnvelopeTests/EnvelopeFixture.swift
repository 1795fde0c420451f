import Foundation
import IdentityEnvelope
import MultiIdentity
import MultiIdentityCarriers
import SignedIdentity

/// A machine that seals, `web`, and one that opens, `archive`.
struct EnvelopeFixture {
    static let start = Duration.seconds(1_800_000_000)
    let keys: KeyRing
    let key = EnvelopeKey()
    let ada: Identity
    let text: [UInt8]

    init(_ count: Int = 1_000) throws {
        keys = try KeyRing(parsing: "one:\(Data((0..<32).map { UInt8($0) }).base64EncodedString())")
        ada = try Identity("Ada@contoso.com").acted(by: Identity("support"))
        text = Self.text(count)
    }

    static func text(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ $0 >> 8) } }

    /// Returns a sealed envelope.
    func sealed(
        of owner: Identity? = nil,
        for address: EnvelopeAddress? = nil,
        label: String = "may.txt",
        piece: Int = .max,
        issuer: String = "web"
    ) throws -> [UInt8] {
        let address = try address ?? EnvelopeAddress(name: "archive", publicKey: key.publicKey)
        var sealer = try EnvelopeSealer(of: owner ?? ada, for: address, label: Array(label.utf8)) { audience in
            try .hmac(issuer: issuer, audience: audience, keys: keys, now: { Self.start })
        }
        var bytes = sealer.header
        for start in stride(from: 0, to: text.count, by: min(piece, max(text.count, 1))) {
            bytes += try sealer.seal(text[start..<min(text.count, start + min(piece, text.count))])
        }
        return try bytes + sealer.finish()
    }

    /// Returns the content of an envelope.
    func opened(
        _ bytes: [UInt8],
        as name: String = "archive",
        key: EnvelopeKey? = nil,
        piece: Int = .max,
        now: Duration = start,
        out: ((EnvelopeOpener.Envelope?, [UInt8]) -> Void)? = nil
    ) throws -> (owner: Identity, label: String, content: [UInt8]) {
        var opener = EnvelopeOpener(key: key ?? self.key, name: name) { audience in
            SignatureVerifier.hmac(audience: audience, issuers: ["web": keys], now: { now })
        }
        var content: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: min(piece, bytes.count)) {
            let more = try opener.open(bytes[start..<min(bytes.count, start + min(piece, bytes.count))])
            out?(opener.envelope, more)
            content += more
        }
        let envelope = opener.envelope
        try opener.finish()
        guard let envelope else { throw Nothing() }
        return (envelope.owner, String(decoding: envelope.label, as: UTF8.self), content)
    }

    struct Nothing: Error {}

    /// Returns the ranges of the pieces, including their lengths.
    func pieces(_ bytes: [UInt8]) -> [Range<Int>] {
        var start = 43 + (Int(bytes[41]) << 8 | Int(bytes[42]))
        var pieces: [Range<Int>] = []
        while start + 4 <= bytes.count {
            let count = bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) } & 0x7FFF_FFFF
            pieces.append(start..<start + 4 + count)
            start += 4 + count
        }
        return pieces
    }

    func code(_ body: () throws -> Void) -> EnvelopeError.Code? {
        do { try body() } catch { return (error as? EnvelopeError)?.code }
        return nil
    }
}
