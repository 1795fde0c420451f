import Foundation
import MultiIdentity
import Testing

@testable import MultiIdentityFiles
@testable import MultiIdentityPolicy
@testable import MultiIdentityProtection

@Suite("A shared file") struct AFileThatIsShared {
    let fixture: SharingFixture
    let text = SharingFixture.text

    init() throws { fixture = try SharingFixture() }

    /// Returns a root with Ada's file `a`, and a root for shared files.
    private func roots(_ keeping: Keeping) throws -> (store: OwnedRoot, box: OwnedRoot) {
        let (store, box) = (try OwnedRoot(keeping), try OwnedRoot(keeping))
        try withIdentity(Users.ada) { try store.files.replace("a", with: text, permissions: 0o640) }
        return (store, box)
    }

    @Test(
        "leaves as an encrypted copy, and arrives as its owner's, whichever identity hands it over",
        .rule("20.1", "20.2"),
        .guide("shared items"),
        arguments: Keeping.allCases
    )
    func goesOutAsAnEncryptedCopy(_ keeping: Keeping) throws {
        let (store, box) = try roots(keeping)
        let sharing = fixture.sharing
        try withIdentity(Users.bob) { () throws(ProtectionError) in
            #expect(try sharing.share("a", in: store.files, with: Users.bob, as: "item", in: box.files) == .ada)
        }
        #expect(FileFixture.read(store / "a") == text, "the stored one stays as it is")
        #expect(try box.files.owner(of: "item") == .ada)
        let item = FileFixture.read(box / "item")
        #expect(try sharing.protection.protectionInfo(item)?.owner == Users.ada)
        #expect(try sharing.protection.unprotect(item, expecting: Users.ada) == text)
        try withIdentity(Users.bob) { () throws(ProtectionError) in
            #expect(try sharing.receive("item", in: box.files, for: Users.bob, as: "b", in: store.files) == .ada)
        }
        #expect(FileFixture.read(store / "b") == text)
        #expect(try store.files.owner(of: "b") == .ada)
        #expect(store.files.files(of: .ada).paths == ["a", "b"])
        #expect(FileFixture.read(box / "item") == item, "what was handed over stays")
        #expect(
            fixture.auditor.take() == [
                "shared ada@contoso.com by bob@contoso.com", "received ada@contoso.com by bob@contoso.com",
            ]
        )
        let again = SharingFixture.error { () throws(ProtectionError) in
            try sharing.receive("item", in: box.files, for: Users.bob, as: "b", in: store.files)
        }
        #expect(again?.fileError?.code == .alreadyExists)
    }

    @Test(
        "that is encrypted in its store leaves as it is, and arrives decrypted",
        .rule("20.2"),
        arguments: Keeping.allCases
    )
    func thatIsEncryptedGoesOutAsItIs(_ keeping: Keeping) throws {
        let (store, box) = try roots(keeping)
        let sharing = fixture.sharing
        try sharing.protection.protectFile("a", in: store.files, for: Users.ada)
        try sharing.share("a", in: store.files, with: Users.bob, as: "item", in: box.files)
        #expect(FileFixture.read(box / "item") == FileFixture.read(store / "a"))
        try sharing.receive("item", in: box.files, for: Users.bob, as: "b", in: store.files)
        #expect(FileFixture.read(store / "b") == text)
        // A file whose recorded owner is not the one it is encrypted for cannot be shared by anyone.
        try store.files.setOwner(.bob, of: "a")
        let error = SharingFixture.error { () throws(ProtectionError) in
            try sharing.share("a", in: store.files, with: Users.ada, as: "other", in: box.files)
        }
        #expect(error?.code == .otherOwner)
        #expect(box.names == ["item"])
    }

    @Test(
        "is refused by the policy of either before a byte is written, in both directions",
        .rule("20.3"),
        .guide("shared items"),
        arguments: Keeping.allCases,
        Forbidding.allCases
    )
    func isRefusedBeforeAByteIsWritten(_ keeping: Keeping, _ forbidding: Forbidding) throws {
        let (store, box) = try roots(keeping)
        let sharing = fixture.sharing
        try sharing.share("a", in: store.files, with: Users.bob, as: "item", in: box.files)
        forbidding.publish(to: fixture.feed)
        let changes = StorageFaults()
        changes.during {
            for error in [
                SharingFixture.error { () throws(ProtectionError) in
                    try sharing.share("a", in: store.files, with: Users.bob, as: "other", in: box.files)
                },
                SharingFixture.error { () throws(ProtectionError) in
                    try sharing.receive("item", in: box.files, for: Users.bob, as: "b", in: store.files)
                },
            ] {
                #expect(error?.code == .refused)
                #expect(error?.decision?.policyOwner == forbidding.policyOwner)
            }
        }
        #expect(changes.calls.isEmpty, "the disk was not touched")
        #expect(store.names == ["a"] && box.names == ["item"])
    }

    @Test("keeps an owner that is unmanaged, nobody, or none", .rule("20.1"), arguments: Keeping.allCases)
    func keepsAnOwnerThatIsNotManaged(_ keeping: Keeping) throws {
        for owner in [FileOwner.identity(Users.eve), .nobody, .unset] {
            let (store, box) = try roots(keeping)
            try store.files.setOwner(owner, of: "a")
            try withIdentity(Users.bob) { () throws(ProtectionError) in
                try fixture.sharing.share("a", in: store.files, with: Users.bob, as: "item", in: box.files)
                try fixture.sharing.receive("item", in: box.files, for: Users.bob, as: "b", in: store.files)
            }
            #expect(try box.files.owner(of: "item") == owner)
            #expect(try store.files.owner(of: "b") == owner)
            #expect(FileFixture.read(store / "b") == text)
        }
    }

    @Test("of unknown owner is not given away, and arrives as nobody's", .rule("20.1"))
    func whoseOwnerNobodyKnows() throws {
        let (store, box) = try roots(.attributes)
        for root in [store, box] { root.makeUnseen("unseen", "somebody's") }
        try withIdentity(Users.ada) { () throws(ProtectionError) in
            let error = SharingFixture.error { () throws(ProtectionError) in
                try fixture.sharing.share("unseen", in: store.files, with: Users.bob, as: "item", in: box.files)
            }
            #expect(error?.code == .unknownOwner)
            try fixture.sharing.receive("unseen", in: box.files, for: Users.bob, as: "b", in: store.files)
        }
        #expect(try store.files.owner(of: "b") == .nobody)
        #expect(store.text("b") == "somebody's")
    }

    @Test(
        "that others delivered belongs to its header's owner if that is proven",
        .rule("20.1", "20.2"),
        .guide("a share extension")
    )
    func thatOthersBroughtIsItsHeadersOwners() throws {
        let (store, box) = try roots(.attributes)
        let (sharing, protection) = (fixture.sharing, fixture.sharing.protection)
        FileFixture.write(try protection.protect(text, for: Users.ada), to: box / "sealed")
        FileFixture.write(try protection.protect(text, for: Users.eve), to: box / "claimed")
        try sharing.receive("sealed", in: box.files, for: Users.bob, as: "b", in: store.files)
        try sharing.receive("claimed", in: box.files, for: Users.bob, as: "c", in: store.files)
        #expect(try store.files.owner(of: "b") == .ada)
        #expect(try store.files.owner(of: "c") == .identity(Users.eve))
        // A service that delivers files has them recorded as its own.
        try box.files.setOwner(.bob, of: "sealed")
        try box.files.setOwner(.bob, of: "claimed")
        try sharing.receive("sealed", in: box.files, for: Users.bob, as: "d", in: store.files)
        #expect(try store.files.owner(of: "d") == .ada, "the header is authentic")
        let error = SharingFixture.error { () throws(ProtectionError) in
            try sharing.receive("claimed", in: box.files, for: Users.bob, as: "e", in: store.files)
        }
        #expect(error?.code == .otherOwner, "and this one is a claim")
        // Whatever is altered, it arrives as no other identity's file.
        let sealed = FileFixture.read(box / "sealed")
        for index in stride(from: 9, to: sealed.count, by: 131) {
            var altered = sealed
            altered[index] ^= 1
            FileFixture.write(altered, to: box / "altered")
            let error = SharingFixture.error { () throws(ProtectionError) in
                try sharing.receive("altered", in: box.files, for: Users.bob, as: "f", in: store.files)
            }
            #expect(error != nil && error?.code != .refused, "byte \(index)")
            #expect(store.names == ["a", "b", "c", "d"])
        }
    }

    @Test("that is written to meanwhile is refused, in both directions", .rule("20.4"), arguments: Keeping.allCases)
    func thatIsWrittenToMeanwhileIsRefused(_ keeping: Keeping) throws {
        let (store, box) = try roots(keeping)
        try fixture.sharing.share("a", in: store.files, with: Users.bob, as: "item", in: box.files)
        for way in SharingWay.allCases {
            let source = way == .out ? store / "a" : box / "item"
            let content = FileFixture.read(source)
            let meanwhile = StorageFaults { call in
                if call.name == "write" { FileFixture.write(content + [1], to: source) }
            }
            let error = #expect(throws: ProtectionError.self) {
                try meanwhile.during { try way.make(fixture.sharing, store.files, box.files) }
            }
            #expect(error?.code == .unsuitableFile, "\(way)")
            FileFixture.write(content, to: source)
        }
        #expect(store.names == ["a"] && box.names == ["item"])
    }

    @Test(
        "with other content than was decided on arrives as nobody's, neither plain nor decrypted",
        .rule("20.1", "20.2"),
        arguments: [true, false]
    )
    func whoseContentIsAnothersOnceItWasDecidedOn(_ isSealedAtFirst: Bool) throws {
        let (store, box) = try roots(.attributes)
        let protection = fixture.sharing.protection
        let (plain, sealed) = (text, try protection.protect(text, for: isSealedAtFirst ? Users.ada : Users.bob))
        FileFixture.write(isSealedAtFirst ? sealed : plain, to: box / "item")
        try box.files.setOwner(.ada, of: "item")
        // The first changing call comes after the decision, and before the content is read.
        let isExchanged = Locked(false)
        let meanwhile = StorageFaults { _ in
            let isFirst = isExchanged.withLock { wasExchanged in
                defer { wasExchanged = true }
                return !wasExchanged
            }
            guard isFirst else { return }
            let file = FileHandle(forWritingAtPath: box / "item")
            file?.truncateFile(atOffset: 0)
            file?.write(Data(isSealedAtFirst ? plain : sealed))
        }
        #expect(throws: ProtectionError.self) {
            try meanwhile.during {
                try fixture.sharing.receive("item", in: box.files, for: Users.bob, as: "b", in: store.files)
            }
        }
        #expect(store.names == ["a"])
    }
}
