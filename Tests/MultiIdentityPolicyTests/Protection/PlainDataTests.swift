import MultiIdentity
import Testing

@testable import MultiIdentityPolicy

@Suite("Data that are not encrypted") struct PlainDataTests {
    let fixture: ProtectionFixture

    init() throws { fixture = try ProtectionFixture() }

    @Test("of an unmanaged identity stay readable, behind a header that names it", arguments: [0, 1, 5_000])
    func claim(_ count: Int) throws {
        let text = ProtectionFixture.text(count)
        let claimed = try fixture.protection.protect(text, for: fixture.eve)
        #expect(claimed.suffix(count) == text[...])
        #expect(claimed.count == 12 + 15 + count)
        #expect(try fixture.protection.unprotectIfProtected(claimed) == text)
        #expect(try fixture.protection.protectionInfo(claimed) == ProtectionInfo(owner: fixture.eve, form: .claimed))
    }

    @Test("of nobody are nobody's")
    func nobody() throws {
        let claimed = try fixture.protection.protect([7], for: .nobody)
        #expect(try fixture.protection.protectionInfo(claimed)?.owner.isNobody == true)
        #expect(try fixture.protection.unprotectIfProtected(claimed) == [7])
    }

    @Test("and only claim their owner are refused where it is managed")
    func forged() throws {
        let forged = ProtectionHeader(owner: fixture.ada, encryption: nil).bytes + [1, 2, 3]
        #expect(fixture.code(unprotecting: forged) == .claimsManagedIdentity)
        #expect(fixture.code(unprotecting: forged, expecting: fixture.ada) == .claimsManagedIdentity)
        #expect(
            ProtectionFixture.code { () throws(DataProtectionError) in _ = try fixture.protection.protectionInfo(forged)
            }
                == .claimsManagedIdentity
        )
    }

    static let neverProtected: [[UInt8]] = [
        [], [0x8D], Array("plain text".utf8), ProtectionFormat.magic.dropLast(), [0] + ProtectionFormat.magic,
        [0x8D, 0x4D, 0x49, 0x44, 0x50, 0x0A, 0x0A, 0x1A, 1, 1],
    ]

    @Test("and were never protected come back unchanged", arguments: neverProtected)
    func foreign(_ bytes: [UInt8]) throws {
        #expect(try fixture.protection.unprotectIfProtected(bytes) == bytes)
        #expect(try fixture.protection.unprotectIfProtected(bytes.span.bytes) == bytes)
        #expect(try fixture.protection.protectionInfo(bytes) == nil)
    }

    @Test("are refused where an identity's own are expected", arguments: neverProtected)
    func noDowngrade(_ bytes: [UInt8]) throws {
        #expect(fixture.code(unprotecting: bytes, expecting: fixture.ada) == .notProtected)
        let claimed = try fixture.protection.protect(bytes, for: fixture.eve)
        #expect(fixture.code(unprotecting: claimed, expecting: fixture.ada) == .notEncrypted)
        #expect(fixture.code(unprotecting: claimed, expecting: fixture.eve) == .notEncrypted)
    }
}
