import Foundation
import MultiIdentity
import Testing

@testable import MultiIdentityFiles

/// A damaged record may have changed anything that was known before it.
@Suite("Files of a damaged index") struct FilesOfAnIndexThatWasDamaged {
    let folder = TemporaryFolder()

    /// A root in which `report` was Ada's and is now Bob's, with a damaged record of the change.
    init() throws {
        try FileManager.default.createDirectory(atPath: folder / "root", withIntermediateDirectories: false)
        do {
            let files = try OwnedRoot.open(folder.path, .index)
            try withIdentity(Users.bob) { try files.replace("early", with: [1]) }
            try withIdentity(Users.ada) { try files.replace("report", with: [1]) }
            try withIdentity(Users.bob) { _ = try files.open("report", for: .truncating) }
            try withIdentity(Users.eve) { try files.replace("late", with: [1]) }
        }
        try Self.damage(folder, "bob@contoso.com", .backwards)
    }

    /// Changes the name in a record.
    static func damage(_ folder: TemporaryFolder, _ text: String, _ options: Data.SearchOptions = []) throws {
        try ALogOfRecords.tamper(folder / "index/owners.log") { bytes in
            guard let found = Data(bytes).range(of: Data(text.utf8), options: options) else {
                Issue.record("\(text) is in no record")
                return
            }
            bytes[found.lowerBound] ^= 0xFF
        }
    }

    private func open() throws -> IdentityFileSystem { try OwnedRoot.open(folder.path, .index) }

    private func wipe(_ files: IdentityFileSystem, of identity: Identity) throws -> Witness {
        let witness = Witness()
        try files.removeFiles(of: identity, witness.visit)
        return witness
    }

    private var names: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder / "root").sorted()) ?? []
    }

    @Test("belong to nobody if they were known before the damage", .rule("11.4"))
    func areNobodysWhereTheyWereKnownBeforeTheDamage() throws {
        let files = try open()
        for path in ["early", "report"] {
            #expect(fileErrorCode { _ = try files.owner(of: path) } == .damagedOwner)
            #expect(fileErrorCode { _ = try files.open(path, for: .reading).owner() } == .damagedOwner)
            #expect(fileErrorCode { try files.copy(path, to: "copy") } == .damagedOwner)
        }
        #expect(try files.owner(of: "late") == .identity(Users.eve))
        for owner in [FileOwner.ada, .bob] {
            let found = files.files(of: owner)
            #expect(found.paths.isEmpty)
            #expect(found.failures.map(\.path).sorted() == ["early", "report"])
        }
    }

    @Test("are wiped for nobody", .rule("13.1")) func areWipedForNobody() throws {
        let files = try open()
        for identity in [Users.ada, Users.bob] {
            let witness = try wipe(files, of: identity)
            #expect(witness.removed.isEmpty)
            #expect(!witness.failed.isEmpty)
        }
        let witness = try wipe(files, of: Users.eve)
        #expect(witness.removed == ["late"])
        #expect(!witness.failed.isEmpty, "any of the others may be hers")
        #expect(names == ["early", "report"])
    }

    @Test("remain nobody's after a repair and a restart, whatever they are called", .rule("11.4"))
    func stayNobodysAfterARepairAndARestart() throws {
        do {
            let files = try open()
            try files.move("report", to: "moved")
            #expect(rename(folder / "root/early", folder / "root/renamed") == 0)
            #expect(try files.repair().uncertain == ["moved", "renamed"])
        }
        let files = try open()
        for path in ["moved", "renamed"] {
            #expect(fileErrorCode { _ = try files.owner(of: path) } == .damagedOwner)
        }
        #expect(try !wipe(files, of: Users.ada).failed.isEmpty)
        #expect(names == ["late", "moved", "renamed"])
    }

    @Test("have their owners once these are set again", .rule("11.4")) func areWhoseTheyAreSaidToBe() throws {
        do {
            let files = try open()
            _ = try files.repair()
            try files.setOwner(.bob, of: "report")
            try withIdentity(Users.ada) { _ = try files.open("early", for: .truncating) }
        }
        let files = try open()
        #expect(try files.repair().uncertain.isEmpty)
        #expect(try files.owner(of: "report") == .bob)
        let witness = try wipe(files, of: Users.ada)
        #expect(witness.failed.isEmpty && witness.removed == ["early"])
        #expect(try wipe(files, of: Users.bob).failed.isEmpty)
        #expect(names == ["late"])
    }

    @Test("are not lost if the last record is damaged", .rule("11.6"))
    func areNotGoneWhereTheLastRecordIsDamaged() throws {
        try ALogOfRecords.tamper(folder / "index/owners.log") { $0[$0.count - 1] ^= 0xFF }
        for _ in 0..<2 {
            let witness = try wipe(open(), of: Users.eve)
            #expect(!witness.failed.isEmpty)
            #expect(names.contains("late"))
        }
        #expect(try open().repair().unseen == ["late"])
    }
}

@Suite("Files of an index that was removed") struct FilesOfAnIndexThatWasTakenAway {
    @Test("are not created if that cannot be recorded", .rule("11.6"), arguments: ["removed", "renamed", "replaced"])
    func areNotMadeWhereThatCannotBeRecorded(_ how: String) throws {
        let fixture = try OwnedRoot(.index, with: ["a": Users.ada])
        let log = fixture.folder / "index/owners.log"
        switch how {
        case "removed": #expect(unlink(log) == 0)
        case "renamed": #expect(rename(fixture.folder / "index", fixture.folder / "elsewhere") == 0)
        default:
            _ = fixture.folder.write("", to: "index/other")
            #expect(rename(fixture.folder / "index/other", log) == 0)
        }
        #expect(fileErrorCode { try fixture.make("b", as: Users.ada) } == .invalidIndex)
        #expect(fileErrorCode { try fixture.files.setOwner(.bob, of: "a") } == .invalidIndex)
        #expect(fixture.names == ["a"])
        #expect(try fixture.files.owner(of: "a") == .ada)
    }
}
