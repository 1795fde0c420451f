import MultiIdentity
import Testing

@testable import MultiIdentityProtection

@Suite("Data that is protected in pieces") struct StreamedDataTests {
    let fixture = ProtectionFixture()

    static let pieces = [1, 7, 63, 4_095, 4_096, 4_097, 4_112, 4_116, 4_117, 10_000, 100_000]
    static let counts = [0, 1, 4_096, 4_097, 8_192, 20_000]

    private func protect(_ text: [UInt8], in piece: Int, for identity: Identity) throws -> [UInt8] {
        var stream = try fixture.protection.protectingStream(for: identity)
        var sealed: [UInt8] = []
        for start in stride(from: 0, to: text.count, by: piece) {
            sealed += try stream.push(Array(text[start..<min(start + piece, text.count)]))
        }
        return try sealed + stream.finish()
    }

    private func unprotect(_ bytes: [UInt8], in piece: Int, expecting identity: Identity? = nil) throws -> [UInt8] {
        var stream =
            identity.map { fixture.protection.unprotectingStream(expecting: $0) }
            ?? fixture.protection.unprotectingStreamIfProtected()
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: piece) {
            text += try stream.push(Array(bytes[start..<min(start + piece, bytes.count)]))
        }
        return try text + stream.finish()
    }

    @Test("equals data that is protected at once, whatever the pieces", .rule("12.1"), arguments: pieces, counts)
    func roundTrip(_ piece: Int, _ count: Int) throws {
        let text = ProtectionFixture.text(count)
        for identity in [fixture.ada, fixture.eve, .nobody] {
            let sealed = try protect(text, in: piece, for: identity)
            #expect(try fixture.protection.unprotectIfProtected(sealed) == text)
            let whole = try fixture.protection.protect(text, for: identity)
            #expect(whole.count == sealed.count)
            #expect(try unprotect(whole, in: piece) == text)
        }
        #expect(try unprotect(text, in: piece) == text, "never protected")
    }

    @Test("is described as soon as the header is there")
    func info() throws {
        let sealed = try fixture.protection.protect([1, 2, 3], for: fixture.ada)
        var stream = fixture.protection.unprotectingStream(expecting: fixture.ada)
        _ = try stream.push(Array(sealed.prefix(60)))
        #expect(stream.info == nil)
        _ = try stream.push(Array(sealed[60..<130]))
        #expect(stream.info?.owner == fixture.ada)
        _ = try stream.push(Array(sealed[130...]))
        #expect(try stream.finish() == [1, 2, 3])
    }

    @Test(
        "releases nothing of an unauthenticated segment, and accepts no more after it",
        .rule("12.1"),
        arguments: [1, 4_112, 50_000]
    )
    func tampered(_ piece: Int) throws {
        let text = ProtectionFixture.text(20_000)
        var sealed = try fixture.protection.protect(text, for: fixture.ada)
        sealed[fixture.startOfSegments(of: fixture.ada) + 2 * 4_112 + 5] ^= 1
        var stream = fixture.protection.unprotectingStreamIfProtected()
        var (given, codes): ([UInt8], [ProtectionError.Code]) = ([], [])
        for start in stride(from: 0, to: sealed.count, by: piece) {
            do throws(ProtectionError) {
                given += try stream.push(Array(sealed[start..<min(start + piece, sealed.count)]))
            } catch { codes.append(error.code) }
        }
        do throws(ProtectionError) { given += try stream.finish() } catch { codes.append(error.code) }
        #expect(codes.first == .tampered)
        #expect(codes.dropFirst().allSatisfy { $0 == .finished } && codes.count >= 2)
        #expect(text.starts(with: given) && given.count <= 2 * 4_096)
    }

    @Test("is found truncated at its end", .rule("12.1"), arguments: [0, 5, 8, 60, 125, 200, 4_240, 4_241, 8_300])
    func cutOff(_ length: Int) throws {
        let sealed = try fixture.protection.protect(ProtectionFixture.text(9_000), for: fixture.ada)
        let error = #expect(throws: ProtectionError.self) {
            _ = try unprotect(Array(sealed.prefix(length)), in: 100, expecting: fixture.ada)
        }
        #expect(error?.code == (length < 8 ? .notEncrypted : .truncated))
    }

    @Test("is refused at once if an identity's own data is expected and this is not", .rule("12.3"))
    func expecting() throws {
        for bytes in [
            Array("foreign".utf8), try fixture.protection.protect([1], for: fixture.eve),
            try fixture.protection.protect([1], for: fixture.bob),
        ] {
            for piece in [1, 1_000] {
                #expect(throws: ProtectionError.self) {
                    _ = try unprotect(bytes, in: piece, expecting: fixture.ada)
                }
            }
        }
    }

    @Test("ends at 2^32 segments, in both directions")
    func limit() throws {
        let key = try fixture.keys.currentKey(for: fixture.ada)
        let salt = [UInt8](repeating: 0, count: 32)
        func seal(from segment: UInt64) throws -> [UInt8] {
            let cipher = try MessageCipher(key, salt: salt, header: [], for: .sealing, from: segment)
            var sealer = SegmentSealer(cipher, in: .kibibytes4)
            let bytes = try ProtectionFixture.text(5_000).withUnsafeBytes { try sealer.push($0) }
            return try bytes + sealer.finish()
        }
        func open(_ bytes: [UInt8], from segment: UInt64) throws -> [UInt8] {
            let cipher = try MessageCipher(key, salt: salt, header: [], for: .opening, from: segment)
            var opener = SegmentOpener(cipher, in: .kibibytes4)
            let text = try bytes.withUnsafeBytes { try opener.push($0) }
            return try text + opener.finish()
        }
        let last = UInt64(UInt32.max)
        let sealed = try seal(from: last - 1)
        #expect(try open(sealed, from: last - 1) == ProtectionFixture.text(5_000))
        #expect(#expect(throws: ProtectionError.self) { try seal(from: last) }?.code == .tooLarge)
        #expect(#expect(throws: ProtectionError.self) { try open(sealed, from: last) }?.code == .tampered)
        #expect(#expect(throws: ProtectionError.self) { try open(sealed, from: last + 1) }?.code == .tooLarge)
    }
}
