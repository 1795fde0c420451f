import MultiIdentity
import Testing

@testable import MultiIdentityPolicy
@testable import MultiIdentityProtection

@Suite("Data without encryption") struct PlainDataTests {
    let fixture = ProtectionFixture()

    @Test(
        "of an unmanaged identity remains readable, behind a header with its name",
        .rule("12.2"),
        arguments: [0, 1, 5_000]
    )
    func claim(_ count: Int) throws {
        let text = ProtectionFixture.text(count)
        let claimed = try fixture.protection.protect(text, for: fixture.eve)
        #expect(claimed.suffix(count) == text[...])
        #expect(claimed.count == 12 + 15 + count)
        #expect(try fixture.protection.unprotectIfProtected(claimed) == text)
        #expect(try fixture.protection.protectionInfo(claimed) == ProtectionInfo(owner: fixture.eve, form: .claimed))
    }

    @Test("of nobody belongs to nobody", .rule("12.2"))
    func nobody() throws {
        let claimed = try fixture.protection.protect([7], for: .nobody)
        #expect(try fixture.protection.protectionInfo(claimed)?.owner.isNobody == true)
        #expect(try fixture.protection.unprotectIfProtected(claimed) == [7])
    }

    @Test("that only claims a managed owner is refused", .rule("12.2"))
    func forged() throws {
        let forged = ProtectionHeader(owner: fixture.ada, encryption: nil).bytes + [1, 2, 3]
        #expect(fixture.code(unprotecting: forged) == .claimsManagedIdentity)
        #expect(fixture.code(unprotecting: forged, expecting: fixture.ada) == .claimsManagedIdentity)
        #expect(ProtectionFixture.code { _ = try fixture.protection.protectionInfo(forged) } == .claimsManagedIdentity)
    }

    @Test("is not made from the data of an identity that has keys, managed or not", .rule("12.2"))
    func lostPolicy() throws {
        let text = Array("ada's own".utf8)
        let policies = PolicyFeed(PolicySet([fixture.ada: .nothing]))
        let accounts = Accounts(mode: .multi, policies: policies, levels: IdentityLevels())
        let protection = DataProtection(keys: fixture.keys, accounts: accounts)
        let before = try protection.protect(text, for: fixture.ada)
        policies.publish(PolicySet())
        #expect(!accounts.isManaged(fixture.ada))
        let after = try protection.protect(text, for: fixture.ada)
        #expect(try protection.protectionInfo(after)?.form == protection.protectionInfo(before)?.form)
        #expect(try protection.unprotect(after, expecting: fixture.ada) == text)
        let forged = ProtectionHeader(owner: fixture.ada, encryption: nil).bytes + [1, 2, 3]
        expect(throws: ProtectionError.Code.claimsManagedIdentity) { try protection.unprotectIfProtected(forged) }
    }

    @Test("is not made if it is unknown whether an identity has keys", .rule("12.2"))
    func unreadableKeys() throws {
        struct Unreadable: IdentityKeyProvider {
            let error = ProtectionError(.keyUnavailable, "no answer")
            func hasKeys(of identity: Identity) throws(ProtectionError) -> Bool { throw error }
            func currentKey(for identity: Identity) throws(ProtectionError) -> IdentityKey { throw error }
            func key(_ id: IdentityKeyID, of identity: Identity) throws(ProtectionError) -> IdentityKey { throw error }
            func rotateKey(of identity: Identity) throws(ProtectionError) -> IdentityKeyID { throw error }
            func destroyKeys(of identity: Identity) throws(ProtectionError) { throw error }
        }
        let protection = DataProtection(keys: Unreadable(), accounts: ProtectionFixture.Managed(names: []))
        expect(throws: ProtectionError.Code.keyUnavailable) { try protection.protect([7], for: fixture.eve) }
        #expect(try protection.protectionInfo(protection.protect([7], for: .nobody))?.form == .claimed)
    }

    static let neverProtected: [[UInt8]] = [
        [], [0x8D], Array("plain text".utf8), ProtectionFormat.magic.dropLast(), [0] + ProtectionFormat.magic,
        [0x8D, 0x4D, 0x49, 0x44, 0x50, 0x0A, 0x0A, 0x1A, 1, 1],
    ]

    @Test("that was never protected comes back unchanged", .rule("12.2"), arguments: neverProtected)
    func foreign(_ bytes: [UInt8]) throws {
        #expect(try fixture.protection.unprotectIfProtected(bytes) == bytes)
        #expect(try fixture.protection.protectionInfo(bytes) == nil)
    }

    @Test("is refused if an identity's own data is expected", .rule("12.3"), arguments: neverProtected)
    func noDowngrade(_ bytes: [UInt8]) throws {
        #expect(fixture.code(unprotecting: bytes, expecting: fixture.ada) == .notEncrypted)
        let claimed = try fixture.protection.protect(bytes, for: fixture.eve)
        #expect(fixture.code(unprotecting: claimed, expecting: fixture.ada) == .notEncrypted)
        #expect(fixture.code(unprotecting: claimed, expecting: fixture.eve) == .notEncrypted)
    }
}
