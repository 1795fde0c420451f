import MultiIdentity
import Testing

@testable import MultiIdentityProtection

@Suite("Altered protected data", .rule("12.4")) struct DamagedDataTests {
    let fixture = ProtectionFixture()

    @Test("is refused whichever bit was flipped, if an identity's own data is expected", arguments: [0, 3, 4_100])
    func everyBit(_ count: Int) throws {
        let sealed = try fixture.protection.protect(ProtectionFixture.text(count), for: fixture.ada)
        var altered = sealed
        // For a long message: every bit of the header and of the last segment, and some bits of the first segment.
        let start = fixture.startOfSegments(of: fixture.ada)
        for index in sealed.indices where count < 100 || index < start + 20 || index > start + 4_080 {
            for bit in 0..<8 {
                altered[index] ^= 1 << bit
                let code = fixture.code(unprotecting: altered, expecting: fixture.ada)
                #expect(code != nil, "bit \(bit) of byte \(index)")
                if index >= start, index < sealed.count - 4 {
                    #expect(code == .tampered, "bit \(bit) of byte \(index)")
                    #expect(fixture.code(unprotecting: altered) == .tampered, "bit \(bit) of byte \(index)")
                }
                altered[index] = sealed[index]
            }
        }
    }

    @Test("is refused as truncated wherever it was cut off", arguments: [0, 3, 4_096, 4_100])
    func cut(_ count: Int) throws {
        let sealed = try fixture.protection.protect(ProtectionFixture.text(count), for: fixture.ada)
        for length in sealed.indices where length < 200 || length % 7 == 0 || length > sealed.count - 50 {
            let code = fixture.code(unprotecting: Array(sealed.prefix(length)), expecting: fixture.ada)
            #expect(code == (length < 8 ? .notEncrypted : .truncated), "\(length) of \(sealed.count) bytes")
        }
    }

    @Test("is refused if bytes were added", arguments: [0, 3, 4_096]) func added(_ count: Int) throws {
        let sealed = try fixture.protection.protect(ProtectionFixture.text(count), for: fixture.ada)
        let other = try fixture.protection.protect(ProtectionFixture.text(count), for: fixture.ada)
        #expect(fixture.code(unprotecting: sealed + [0]) == .truncated)
        #expect(fixture.code(unprotecting: sealed + ProtectionFormat.end) == .tampered)
        #expect(fixture.code(unprotecting: sealed + sealed) == .tampered)
        #expect(fixture.code(unprotecting: sealed + other) == .tampered)
    }

    /// Returns the parts of a message of three segments, the last one short.
    private func parts() throws -> (header: [UInt8], segments: [[UInt8]]) {
        let sealed = try fixture.protection.protect(ProtectionFixture.text(8_292), for: fixture.ada)
        let (start, size) = (fixture.startOfSegments(of: fixture.ada), 4_112)
        let segments = [
            Array(sealed[start..<start + size]), Array(sealed[(start + size)..<start + 2 * size]),
            Array(sealed[(start + 2 * size)..<sealed.count - 4]),
        ]
        return (Array(sealed[..<start]), segments)
    }

    @Test(
        "is refused if segments were omitted, moved, duplicated or put last",
        arguments: [
            [0], [0, 1], [0, 2], [1, 2], [2], [1, 0, 2], [0, 2, 1], [0, 0, 1, 2], [0, 1, 1, 2], [0, 1, 2, 2], [],
        ]
    )
    func order(_ order: [Int]) throws {
        let (header, segments) = try parts()
        #expect(fixture.code(unprotecting: header + Array(segments.joined()) + ProtectionFormat.end) == nil)
        let altered = header + order.flatMap { segments[$0] } + ProtectionFormat.end
        #expect(fixture.code(unprotecting: altered) == (order.isEmpty ? .truncated : .tampered))
    }

    @Test("is refused if a segment is from another message") func mixed() throws {
        let (header, segments) = try parts()
        let (otherHeader, others) = try parts()
        let end = ProtectionFormat.end
        #expect(fixture.code(unprotecting: header + segments[0] + others[1] + segments[2] + end) == .tampered)
        #expect(fixture.code(unprotecting: otherHeader + Array(segments.joined()) + end) == .tampered)
    }

    @Test("is refused if an empty segment was put last, even if nothing is missing")
    func emptyLast() throws {
        let key = try fixture.keys.currentKey(for: fixture.ada)
        let salt = [UInt8](repeating: 1, count: 32)
        var message = try DataProtection.begin(for: fixture.ada, key, salt: salt, in: .kibibytes4)
        guard var cipher = message.cipher.take() else { throw ProtectionError.finished }
        let text = ProtectionFixture.text(4_096)
        var sealed = [UInt8](repeating: 0, count: 4_112 + 16)
        try text.withUnsafeBytes { text in
            try sealed.withUnsafeMutableBytes { sealed in
                try cipher.seal(text, isLast: false, into: sealed.part(0..<4_112))
                try cipher.seal(.empty, isLast: true, into: sealed.part(4_112..<4_128))
            }
        }
        #expect(fixture.code(unprotecting: message.header + sealed + ProtectionFormat.end) == .tampered)
    }
}
