import MultiIdentity
import Testing

@testable import MultiIdentityProtection

@Suite("Protected data") struct ProtectedDataTests {
    let fixture = ProtectionFixture()

    static let counts = [0, 1, 15, 16, 17, 4_095, 4_096, 4_097, 8_191, 8_192, 8_193, 65_536, 100_000]

    @Test("comes back as it was, whatever its size", .rule("12.1"), arguments: counts)
    func roundTrip(_ count: Int) throws {
        let text = ProtectionFixture.text(count)
        let sealed = try fixture.protection.protect(text, for: fixture.ada)
        #expect(try fixture.protection.unprotectIfProtected(sealed) == text)
        #expect(try fixture.protection.unprotect(sealed, expecting: fixture.ada) == text)
    }

    @Test("takes the number of bytes in the format", arguments: counts)
    func size(_ count: Int) throws {
        let sealed = try fixture.protection.protect(ProtectionFixture.text(count), for: fixture.ada)
        let segments = max(1, (count + 4_095) / 4_096)
        #expect(sealed.count == 12 + 15 + 66 + 32 + count + segments * 16 + 4)
    }

    @Test("has segments of 1 MiB if it is given as a whole, and of 64 KiB if it comes in pieces")
    func segments() throws {
        let protection = DataProtection(keys: fixture.keys, accounts: fixture.protection.accounts)
        let text = ProtectionFixture.text(1 << 20 | 1)
        let whole = try protection.protect(text, for: fixture.ada)
        var stream = try protection.protectingStream(for: fixture.ada)
        let streamed = try stream.push(text) + stream.finish()
        let start = fixture.startOfSegments(of: fixture.ada)
        #expect(whole.count == start + text.count + 2 * 16 + 4)
        #expect(streamed.count == start + text.count + 17 * 16 + 4)
        for sealed in [whole, streamed] { #expect(try protection.unprotect(sealed, expecting: fixture.ada) == text) }
    }

    @Test("reveals nothing of itself, and never looks the same twice", .rule("12.1"))
    func ciphertext() throws {
        let text = [UInt8](repeating: 0x41, count: 10_000)
        let one = try fixture.protection.protect(text, for: fixture.ada)
        let other = try fixture.protection.protect(text, for: fixture.ada)
        let start = fixture.startOfSegments(of: fixture.ada)
        #expect(zip(one[start...], other[start...]).count { $0 == $1 } < 200, "another key for each message")
        let segment = one[start..<start + 4_096], next = one[(start + 4_112)..<start + 4_112 + 4_096]
        #expect(zip(segment, next).count { $0 == $1 } < 100, "another nonce for each segment")
        #expect(!one[start...].contains(Array("AAAA".utf8)))
    }

    @Test("names its owner, in the given spelling", .rule("12.1"))
    func info() throws {
        let sealed = try fixture.protection.protect([1, 2, 3], for: fixture.ada)
        let info = try #require(try fixture.protection.protectionInfo(sealed))
        #expect(info.owner.name == "Ada@contoso.com")
        #expect(info.form == .encrypted(with: try fixture.keys.currentKey(for: fixture.ada).id))
        #expect(try fixture.protection.protectionInfo(Array(sealed.prefix(1_200))) == info)
    }

    @Test("is expected by the same identity, however spelled, and by no other", .rule("12.3"))
    func expecting() throws {
        let sealed = try fixture.protection.protect([1, 2, 3], for: fixture.ada)
        #expect(try fixture.protection.unprotect(sealed, expecting: Identity("ADA@CONTOSO.COM")) == [1, 2, 3])
        #expect(fixture.code(unprotecting: sealed, expecting: fixture.bob) == .otherOwner)
        #expect(fixture.code(unprotecting: sealed, expecting: .nobody) == .otherOwner)
    }

    @Test("is read with the key that it was protected with, after a rotation too", .rule("12.1"))
    func rotation() throws {
        let sealed = try fixture.protection.protect([1, 2, 3], for: fixture.ada)
        let id = try fixture.keys.rotateKey(of: fixture.ada)
        let later = try fixture.protection.protect([1, 2, 3], for: fixture.ada)
        #expect(try fixture.protection.unprotect(sealed, expecting: fixture.ada) == [1, 2, 3])
        #expect(try fixture.protection.protectionInfo(later)?.form == .encrypted(with: id))
    }

    @Test("is read even if its owner is no longer managed", .rule("12.1"))
    func unmanagedSince() throws {
        let sealed = try fixture.protection.protect([1, 2, 3], for: fixture.ada)
        let later = DataProtection(keys: fixture.keys, accounts: ProtectionFixture.Managed(names: []))
        #expect(try later.unprotect(sealed, expecting: fixture.ada) == [1, 2, 3])
    }
}
