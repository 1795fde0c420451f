import Foundation
import MultiIdentity
import Testing

@testable import MultiIdentityFiles

@Suite("A file that is moved, copied or linked") struct AFileThatIsMovedCopiedOrLinked {
    static let otherDevice = "/dev/shm"

    /// Returns another root, on another file system if there is one.
    static func elsewhere(_ keeping: Keeping) throws -> (IdentityFileSystem, TemporaryFolder) {
        let isThere = access(otherDevice, W_OK) == 0
        let folder = isThere ? TemporaryFolder(in: otherDevice) : TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder / "root", withIntermediateDirectories: false)
        return (try OwnedRoot.open(folder.path, keeping), folder)
    }

    @Test("keeps its owner", .rule("11.2"), arguments: Keeping.allCases)
    func keepsItsOwner(_ keeping: Keeping) throws {
        let fixture = try OwnedRoot(keeping, folders: ["d"], with: ["a": Users.ada])
        try withIdentity(Users.bob) {
            try fixture.files.move("a", to: "d/a")
            try fixture.files.copy("d/a", to: "copy")
            try fixture.files.link("d/a", to: "linked")
            try fixture.files.move("d", to: "e")
        }
        for name in ["e/a", "copy", "linked"] { #expect(try fixture.files.owner(of: name) == .ada) }
        #expect(fixture.names == ["copy", "e", "e/a", "linked"])
        #expect(fixture.files.files(of: .ada).paths == ["copy", "e/a", "linked"])
        let again = Witness()
        try fixture.files.files(of: Users.ada, again.visit)
        #expect(again.found == ["copy", "e/a", "linked"])
        if keeping == .index { #expect(again.passedCount == 3) }
    }

    @Test("belongs to its copier if it was never seen", arguments: Keeping.allCases)
    func isItsCopiersWhereItWasNeverSeen(_ keeping: Keeping) throws {
        let fixture = try OwnedRoot(keeping)
        fixture.makeUnseen("a")
        try withIdentity(Users.bob) { try fixture.files.copy("a", to: "b") }
        #expect(try fixture.files.owner(of: "b") == .bob)
        #expect(try fixture.files.owner(of: "a") == nil)
        try fixture.make("none", as: nil)
        try withIdentity(Users.bob) { try fixture.files.copy("none", to: "none2") }
        #expect(try fixture.files.owner(of: "none2") == .unset)
    }

    @Test("is refused if the name is taken, unless it may be replaced", arguments: Keeping.allCases)
    func isRefusedWhereTheNameIsTakenUnlessThatMayBeReplaced(_ keeping: Keeping) throws {
        let fixture = try OwnedRoot(keeping, with: ["a": Users.ada], text: "a")
        try fixture.make("b", "b", as: Users.bob)
        #expect(fileErrorCode { try fixture.files.move("a", to: "b") } == .alreadyExists)
        #expect(fileErrorCode { try fixture.files.copy("a", to: "b") } == .alreadyExists)
        #expect(fileErrorCode { try fixture.files.link("a", to: "b") } == .alreadyExists)
        #expect(fixture.text("b") == "b")
        #expect(try fixture.files.owner(of: "b") == .bob)
        try fixture.files.copy("a", to: "b", replacing: true)
        #expect(fixture.text("b") == "a")
        #expect(try fixture.files.owner(of: "b") == .ada)
        try fixture.files.move("a", to: "b", replacing: true)
        #expect(fixture.names == ["b"])
        #expect(fixture.files.files(of: .ada).paths == ["b"])
        #expect(fixture.files.files(of: .bob).paths.isEmpty)
    }

    @Test("is unchanged if it is moved or copied onto itself", arguments: Keeping.allCases)
    func isAsItWasWhereItIsMovedOrCopiedOntoItself(_ keeping: Keeping) throws {
        let fixture = try OwnedRoot(keeping, with: ["a": Users.ada], text: "a")
        try fixture.files.link("a", to: "b")
        for target in ["a", "b"] {
            try fixture.files.move("a", to: target, replacing: true)
            try withIdentity(Users.bob) { try fixture.files.copy("a", to: target, replacing: true) }
        }
        #expect(fixture.names == ["a", "b"])
        #expect(fixture.text("a") == "a")
        #expect(fixture.files.files(of: .ada).paths == ["a", "b"])
        let witness = Witness()
        try fixture.files.removeFiles(of: Users.ada, witness.visit)
        #expect(fixture.names.isEmpty)
    }

    @Test("keeps its owner on another file system", .rule("11.2"), arguments: Keeping.allCases, Keeping.allCases)
    func keepsItsOwnerOnAnotherFileSystem(_ keeping: Keeping, _ there: Keeping) throws {
        let fixture = try OwnedRoot(keeping)
        let (other, folder) = try Self.elsewhere(there)
        try fixture.make("a", "content", as: Users.ada)
        #expect(chmod(fixture / "a", 0o640) == 0)
        try withIdentity(Users.bob) {
            try fixture.files.copy("a", to: "copy", in: other)
            try fixture.files.move("a", to: "moved", in: other)
        }
        #expect(fixture.names.isEmpty)
        for name in ["copy", "moved"] {
            #expect(try other.owner(of: name) == .ada)
            #expect(folder.text(of: "root/\(name)") == "content")
            #expect(try OpenFile.open(folder / "root/\(name)", .reading).status().permissions == 0o640)
        }
        #expect(fixture.files.files(of: .ada).paths.isEmpty)
        if keeping == .index { #expect(try fixture.files.repair().forgotten.isEmpty) }
    }

    @Test("is refused on another file system if it is a directory", arguments: Keeping.allCases)
    func isRefusedOnAnotherFileSystemWhereItIsADirectory(_ keeping: Keeping) throws {
        let fixture = try OwnedRoot(keeping)
        let (other, _) = try Self.elsewhere(keeping)
        try fixture.files.makeDirectory("d")
        try fixture.make("d/a", as: Users.ada)
        #expect(fileErrorCode { try fixture.files.move("d", to: "d", in: other) } == .crossesFileSystems)
        #expect(fixture.names == ["d", "d/a"])
    }

    @Test(
        "is refused before a byte is written if its owner cannot be recorded",
        .rule("11.2"),
        arguments: [nil, Users.ada]
    )
    func isRefusedWhereItsOwnerCannotBeRecordedBeforeAByteIsWritten(_ owner: Identity?) throws {
        let fixture = try OwnedRoot(.index, with: ["a": owner], text: "content")
        let (other, folder) = try Self.elsewhere(.attributes)
        for operation in [fixture.files.copy, fixture.files.move] {
            let faults = StorageFaults(lacking: .attributes)
            let code = fileErrorCode { try faults.during { try operation("a", "b", other, false) } }
            #expect(code == .attributesUnsupported)
            #expect(!faults.calls.contains("write"))
        }
        #expect(fixture.names == ["a"])
        #expect(folder.names == ["root"])
        #expect(try fixture.files.owner(of: "a") == FileOwner(owner))
    }

    @Test("is recorded under each of its names until the last is removed", .rule("11.2"), arguments: Keeping.allCases)
    func isRecordedByEachOfItsNamesUntilTheLastIsGone(_ keeping: Keeping) throws {
        let fixture = try OwnedRoot(keeping, with: ["a": Users.ada])
        try fixture.files.link("a", to: "b")
        try fixture.files.remove("a")
        #expect(try fixture.files.owner(of: "b") == .ada)
        try fixture.files.setOwner(.bob, of: "b")
        try fixture.files.link("b", to: "c")
        #expect(try fixture.files.owner(of: "c") == .bob)
        try fixture.files.remove("b")
        try fixture.files.remove("c")
        #expect(fixture.files.files(of: .bob).paths.isEmpty)
        if keeping == .index { #expect(try fixture.files.repair().forgotten.isEmpty) }
    }

    @Test("is a new file if it is recreated without our knowledge", .rule("11.4"), arguments: Keeping.allCases)
    func isANewFileWhereItIsMadeAgainBehindOurBack(_ keeping: Keeping) throws {
        let fixture = try OwnedRoot(keeping, with: ["a": Users.ada])
        #expect(unlink(fixture / "a") == 0)
        // The inode is most likely used again.
        fixture.makeUnseen("a")
        #expect(try fixture.files.owner(of: "a") == nil)
        #expect(fixture.files.files(of: .ada).paths.isEmpty)
        #expect(fixture.files.files(of: nil).paths == ["a"])
    }

    @Test("keeps its owner after a rename or link without our knowledge", .rule("11.4"), arguments: Keeping.allCases)
    func keepsItsOwnerWhereItIsRenamedOrLinkedBehindOurBack(_ keeping: Keeping) throws {
        let fixture = try OwnedRoot(keeping, with: ["a": Users.ada])
        #expect(rename(fixture / "a", fixture / "b") == 0)
        #expect(link(fixture / "b", fixture / "c") == 0)
        #expect(try fixture.files.owner(of: "b") == .ada)
        #expect(try fixture.files.owner(of: "c") == .ada)
        #expect(fixture.files.files(of: .ada).paths == ["b", "c"])
    }
}
