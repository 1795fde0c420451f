import MultiIdentity
import Testing

@testable import MultiIdentityPolicy
@testable import MultiIdentityProtection

@Suite("Shared data") struct DataThatAreShared {
    @Test(
        "names its owner, and is opened for the owner, whichever identity hands it over",
        .rule("20.1", "20.2"),
        arguments: [Users.ada, Users.eve, .nobody]
    )
    func nameTheirOwner(_ owner: Identity) throws {
        let fixture = try SharingFixture()
        let (text, protection) = (SharingFixture.text, fixture.sharing.protection)
        let item = try withIdentity(Users.bob) { () throws(ProtectionError) in
            try fixture.sharing.share(text, of: owner, with: Users.bob)
        }
        let info = try protection.protectionInfo(item)
        #expect(info?.owner == owner)
        #expect((info?.form == .claimed) == (owner != Users.ada), "a managed owner's are encrypted")
        #expect(item.contains(text.prefix(500)) == (owner != Users.ada))
        let received = try withIdentity(Users.bob) { () throws(ProtectionError) in
            try fixture.sharing.receive(item, for: Users.bob)
        }
        #expect(received.owner == owner && received.bytes == text)
        let name = owner.isNobody ? "" : owner.name
        #expect(fixture.auditor.take() == ["shared \(name) by bob@contoso.com", "received \(name) by bob@contoso.com"])
        #expect(fixture.auditor.events.isEmpty)
    }

    @Test("belongs to nobody if it names no owner", .rule("20.1")) func areNobodysWhereTheyNameNoOwner() throws {
        let fixture = try SharingFixture()
        let received = try withIdentity(Users.ada) { () throws(ProtectionError) in
            try fixture.sharing.receive(SharingFixture.text, for: Users.bob)
        }
        #expect(received.owner == .nobody && received.bytes == SharingFixture.text)
        fixture.feed.publish(PolicySet([Users.bob: Policy(receiveFrom: .managed)]))
        let error = SharingFixture.error { () throws(ProtectionError) in
            _ = try fixture.sharing.receive(SharingFixture.text, for: Users.bob)
        }
        #expect(error?.decision?.rule == .receiveFrom, "and nobody is not managed")
    }

    @Test("is refused by the policy of either, in both directions", .rule("20.3"), arguments: Forbidding.allCases)
    func areRefusedByThePolicyOfEither(_ forbidding: Forbidding) throws {
        let fixture = try SharingFixture()
        let item = try fixture.sharing.share(SharingFixture.text, of: Users.ada, with: Users.bob)
        forbidding.publish(to: fixture.feed)
        _ = fixture.auditor.take()
        var garbled = item
        garbled[garbled.count - 30] ^= 1
        let refusals = [
            SharingFixture.error { () throws(ProtectionError) in
                _ = try fixture.sharing.share(SharingFixture.text, of: Users.ada, with: Users.bob)
            },
            SharingFixture.error { () throws(ProtectionError) in
                _ = try fixture.sharing.receive(item, for: Users.bob)
            },
            // Refused before a byte of it is opened: errors inside it stay unknown.
            SharingFixture.error { () throws(ProtectionError) in
                _ = try fixture.sharing.receive(garbled, for: Users.bob)
            },
        ]
        for refusal in refusals {
            #expect(refusal?.code == .refused)
            #expect(refusal?.decision?.policyOwner == forbidding.policyOwner)
        }
        #expect(fixture.auditor.take() == Array(repeating: "refused ada@contoso.com by -", count: 3))
        #expect(try fixture.sharing.receive(item, for: Users.ada).owner == Users.ada, "its own come back")
    }

    @Test("is refused from and for revoked identities", .rule("20.3"), arguments: [true, false])
    func areRefusedOfAndForRevokedIdentities(_ isOwner: Bool) throws {
        let fixture = try SharingFixture()
        let (owner, other) = (try Identity("revoked-sharer"), try Identity("receiver"))
        let item = try fixture.sharing.share(SharingFixture.text, of: owner, with: other)
        let revoked = isOwner ? owner : other
        IdentityRevocation.revoke(revoked, for: .signedOut)
        defer { IdentityRevocation.readmit(revoked) }
        for refusal in [
            SharingFixture.error { () throws(ProtectionError) in
                _ = try fixture.sharing.share(SharingFixture.text, of: owner, with: other)
            },
            SharingFixture.error { () throws(ProtectionError) in _ = try fixture.sharing.receive(item, for: other) },
        ] {
            #expect(refusal?.decision?.rule == .revoked)
        }
    }

    @Test("is refused if it was altered, or claims a managed owner", .rule("20.2"))
    func areRefusedWhereTheyWereAltered() throws {
        let fixture = try SharingFixture()
        let item = try fixture.sharing.share(SharingFixture.text, of: Users.ada, with: Users.bob)
        for index in stride(from: 12, to: item.count, by: 97) {
            var altered = item
            altered[index] ^= 1
            let error = SharingFixture.error { () throws(ProtectionError) in
                let received = try fixture.sharing.receive(altered, for: Users.bob)
                Issue.record("received as \(received.owner)'s: byte \(index)")
            }
            #expect(error != nil && error?.code != .refused, "byte \(index)")
        }
        let forged = ProtectionHeader(owner: Users.ada, encryption: nil).bytes + SharingFixture.text
        let error = SharingFixture.error { () throws(ProtectionError) in
            _ = try fixture.sharing.receive(forged, for: Users.bob)
        }
        #expect(error?.code == .claimsManagedIdentity)
        fixture.keys.destroyKeys(of: Users.ada)
        let late = SharingFixture.error { () throws(ProtectionError) in
            _ = try fixture.sharing.receive(item, for: Users.bob)
        }
        #expect(late?.code == .destroyedKey)
    }
}

extension [UInt8] {
    /// Returns whether these bytes occur anywhere.
    fileprivate func contains(_ part: some Collection<UInt8>) -> Bool {
        indices.contains { self[$0...].starts(with: part) }
    }
}
