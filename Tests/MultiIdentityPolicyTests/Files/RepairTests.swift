import Foundation
import MultiIdentity
import Testing

@testable import MultiIdentityFiles

@Suite("A repair of owners") struct ARepairOfOwners {
    @Test("finds nothing to fix if all is well", .rule("11.4"), arguments: Keeping.allCases)
    func findsNothingToMendWhereAllIsWell(_ keeping: Keeping) throws {
        let fixture = try OwnedRoot(keeping, with: ["a": Users.ada, "none": nil])
        fixture.makeUnseen("unseen")
        let repair = try fixture.files.repair()
        #expect(repair.fileCount == 3)
        #expect(repair.unseen == ["unseen"])
        #expect(repair.renamed.isEmpty && repair.forgotten.isEmpty && repair.failures.isEmpty)
        #expect(repair.replaced.isEmpty && repair.swept.isEmpty)
        #expect(repair.uncertain.isEmpty)
        #expect(try fixture.files.owner(of: "a") == .ada)
        #expect(try fixture.files.owner(of: "none") == .unset)
        #expect(try fixture.files.owner(of: "unseen") == nil)
    }

    @Test("learns names that were given without its knowledge", .rule("11.4"))
    func learnsNamesThatWereGivenBehindItsBack() throws {
        let fixture = try OwnedRoot(.index, with: ["a": Users.ada])
        #expect(rename(fixture / "a", fixture / "b") == 0)
        #expect(link(fixture / "b", fixture / "c") == 0)
        #expect(try fixture.files.owner(of: "b") == .ada)
        let repair = try fixture.files.repair()
        #expect(repair.renamed == ["b", "c"])
        #expect(repair.forgotten.isEmpty)
        // A wipe now finds them without a walk.
        fixture.makeUnseen("unseen")
        let witness = Witness()
        try fixture.files.removeFiles(of: Users.ada, witness.visit)
        #expect(witness.removed == ["b", "c"])
        #expect(witness.passedCount == 2)
    }

    @Test("forgets files that no longer exist", .rule("11.4")) func forgetsFilesThatAreNowhere() throws {
        let fixture = try OwnedRoot(.index, with: ["a": Users.ada, "b": Users.bob])
        #expect(unlink(fixture / "a") == 0)
        #expect(try fixture.files.repair().forgotten == ["a"])
        #expect(try !fixture.indexMentions("ada@contoso.com"))
        #expect(try fixture.files.repair().forgotten.isEmpty)
        #expect(try fixture.files.owner(of: "b") == .bob)
    }

    @Test("gives files that replaced another no owner, unless asked to", .rule("11.4"))
    func givesFilesThatTookAnothersPlaceToNobodyUnlessItIsAskedTo() throws {
        let fixture = try OwnedRoot(.index, with: ["a": Users.ada])
        fixture.makeUnseen("b")
        #expect(rename(fixture / "b", fixture / "a") == 0)
        #expect(try fixture.files.owner(of: "a") == nil)
        let reported = try fixture.files.repair()
        #expect(reported.replaced == ["a"])
        #expect(reported.unseen == ["a"])
        #expect(try fixture.files.owner(of: "a") == nil)
        let adopted = try fixture.files.repair(adoptsReplaced: true)
        #expect(adopted.adopted == ["a"])
        #expect(adopted.unseen.isEmpty)
        #expect(try fixture.files.owner(of: "a") == .ada)
        #expect(fixture.text("a") == "unseen")
    }

    @Test("removes what interrupted operations left, and nothing in use", .rule("11.6"), arguments: Keeping.allCases)
    func removesWhatInterruptedOperationsLeftAndNothingThatIsInUse(_ keeping: Keeping) throws {
        let fixture = try OwnedRoot(keeping)
        fixture.makeUnseen(".multi-identity-0123456789abcdef.tmp")
        fixture.makeUnseen(".multi-identity-0123456789abcdef.tmp.txt")
        try StorageFaults(onlyNamedFiles: .none).during {
            try fixture.files.replace("a") { file in
                try file.write([1])
                #expect(try fixture.files.repair().swept == [".multi-identity-0123456789abcdef.tmp"])
            }
        }
        #expect(fixture.names == [".multi-identity-0123456789abcdef.tmp.txt", "a"])
    }

    @Test("keeps the owner of a file that is being created", arguments: [false, true])
    func keepsTheOwnerOfAFileThatIsBeingMade(_ isNamed: Bool) throws {
        let fixture = try OwnedRoot(.index)
        try StorageFaults(lacking: isNamed ? .unnamedFiles : []).during {
            try withIdentity(Users.ada) {
                try fixture.files.replace("a") { file in
                    try file.write([1])
                    #expect(try fixture.files.repair().forgotten == ["a"])
                }
            }
        }
        #expect(try fixture.files.owner(of: "a") == .ada)
    }

    @Test("reports damaged owners, and then forgets nothing") func tellsOfDamagedOwnersAndForgetsNothingThen() throws {
        let fixture = try OwnedRoot(.attributes)
        fixture.makeUnseen("a")
        try OpenFile.open(fixture / "a", .reading).setAttribute("user.multi-identity.owner", to: [1, 2])
        let repair = try fixture.files.repair()
        #expect(repair.failures.map(\.code) == [.damagedOwner])
        #expect(repair.failures.map(\.path) == ["a"])
        #expect(repair.unseen.isEmpty)
    }

    @Test("moves an index to attributes if there are some") func movesAnIndexToAttributesWhereThereAreSome() throws {
        let fixture = TemporaryFolder()
        try FileManager.default.createDirectory(atPath: fixture / "root", withIntermediateDirectories: false)
        func open() throws -> IdentityFileSystem {
            try IdentityFileSystem(root: fixture / "root", records: .automatic(indexIn: fixture / "index"))
        }
        try StorageFaults(lacking: .attributes).during {
            let files = try open()
            try withIdentity(Users.ada) { try files.replace("a", with: [1]) }
            try withIdentity(nil) { try files.replace("none", with: [1]) }
            try withIdentity(Users.ada) { try files.replace("gone", with: [1]) }
        }
        #expect(unlink(fixture / "root/gone") == 0)
        do {
            let files = try open()
            #expect(try files.owner(of: "a") == .ada)
            try withIdentity(Users.bob) { try files.replace("b", with: [1]) }
            #expect(try files.owner(of: "b") == .bob)
            let repair = try files.repair()
            #expect(repair.movedToAttributes == ["a", "none"])
            #expect(repair.forgotten == ["gone"])
            #expect(try files.owner(of: "a") == .ada)
            #expect(try files.owner(of: "none") == .unset)
        }
        #expect(!FileManager.default.fileExists(atPath: fixture / "index/owners.log"))
        let files = try open()
        #expect(try files.owner(of: "a") == .ada)
        #expect(try files.owner(of: "b") == .bob)
    }

    @Test("keeps the good records of a damaged index", .rule("11.4")) func keepsTheGoodRecordsOfADamagedIndex() throws {
        let folder = TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder / "root", withIntermediateDirectories: false)
        do {
            let files = try OwnedRoot.open(folder.path, .index)
            for name in ["a", "b", "c"] { try withIdentity(Users.ada) { try files.replace(name, with: []) } }
        }
        try ALogOfRecords.tamper(folder / "index/owners.log") { bytes in
            bytes[3] ^= 1  // the head
            bytes[bytes.count / 2] ^= 1  // the record of b
        }
        let files = try OwnedRoot.open(folder.path, .index)
        let repair = try files.repair()
        #expect(repair.failures.map(\.code) == [.invalidIndex, .invalidIndex])
        #expect(repair.unseen == ["b"])
        #expect(repair.uncertain == ["a"])
        #expect(files.files(of: .ada).paths == ["c"])
    }
}
