import Foundation
import MultiIdentity
import MultiIdentityFiles
import MultiIdentityPolicy
import Testing

@Suite("An opened file") struct AFileThatIsOpened {
    /// The identities that work runs as, and the owners of the files that it makes.
    static let openers: [(Identity?, FileOwner)] = [(Users.ada, .ada), (.nobody, .nobody), (nil, .unset)]
    static let making: [FileOpening] = [.creating, .truncating, .appending]
    static let keepingOnes: [FileOpening] = [.reading, .writing, .appending]

    @Test("belongs to its creator", .rule("11.1"), .guide("the owner of a file"), arguments: Keeping.allCases, making)
    func isItsMakers(_ keeping: Keeping, _ opening: FileOpening) throws {
        let fixture = try OwnedRoot(keeping)
        for (identity, owner) in Self.openers {
            let path = "\(owner)"
            try withIdentity(identity) {
                let file = try fixture.files.open(path, for: opening)
                try file.write(Array("new".utf8))
                #expect(try file.owner() == owner)
            }
            #expect(try fixture.files.owner(of: path) == owner)
            #expect(fixture.text(path) == "new")
        }
    }

    // On main, where the UI level would count.
    @Test(
        "belongs to the effective identity for files, which is not the UI level",
        .rule("11.1"),
        arguments: Keeping.allCases
    )
    @MainActor func isOfTheEffectiveIdentityForFilesWhichTheUILevelIsNot(_ keeping: Keeping) throws {
        let fixture = try OwnedRoot(keeping)
        try withIdentityLevels(process: Users.ada, ui: Users.bob) {
            _ = try fixture.files.open("a", for: .creating)
        }
        try withIdentityLevels(ui: Users.bob) { _ = try fixture.files.open("b", for: .creating) }
        #expect(try fixture.files.owner(of: "a") == .ada)
        #expect(try fixture.files.owner(of: "b") == .unset)
    }

    @Test("keeps its owner unless it is truncated", .rule("11.2"), arguments: Keeping.allCases, keepingOnes)
    func keepsItsOwnerUnlessItIsEmptied(_ keeping: Keeping, _ opening: FileOpening) throws {
        let fixture = try OwnedRoot(keeping, with: ["a": Users.ada], text: "old")
        try withIdentity(Users.bob) {
            let file = try fixture.files.open("a", for: opening)
            if opening != .reading { try file.write(Array("+".utf8)) }
        }
        #expect(try fixture.files.owner(of: "a") == .ada)
        let texts: [FileOpening: String] = [.reading: "old", .writing: "+ld", .appending: "old+"]
        #expect(fixture.text("a") == texts[opening])
    }

    @Test(
        "belongs to its opener once it is truncated",
        .rule("11.1"),
        .guide("the owner of a file"),
        arguments: Keeping.allCases
    )
    func isItsOpenersOnceItIsEmptied(_ keeping: Keeping) throws {
        let fixture = try OwnedRoot(keeping)
        for (identity, owner) in Self.openers {
            try fixture.make("a", "old", as: Users.bob)
            try withIdentity(identity) {
                let file = try fixture.files.open("a", for: .truncating)
                #expect(try file.size() == 0)
                try file.write(Array("new".utf8))
            }
            #expect(try fixture.files.owner(of: "a") == owner)
            #expect(fixture.text("a") == "new")
        }
    }

    @Test("keeps its owner if it is truncated through its descriptor", .rule("11.2"), arguments: Keeping.allCases)
    func keepsItsOwnerWhereItIsCutOffThroughItsDescriptor(_ keeping: Keeping) throws {
        let fixture = try OwnedRoot(keeping, with: ["a": Users.ada], text: "old")
        try withIdentity(Users.bob) {
            let file = try fixture.files.open("a", for: .writing)
            try file.truncate(to: 1)
            try file.truncate(to: 0)
        }
        #expect(try fixture.files.owner(of: "a") == .ada)
    }

    @Test("is refused if it exists and must be created", arguments: Keeping.allCases)
    func isRefusedWhereItIsThereAndIsToBeMade(_ keeping: Keeping) throws {
        let fixture = try OwnedRoot(keeping, with: ["a": Users.ada], text: "old")
        #expect(fileErrorCode { _ = try fixture.files.open("a", for: .creating) } == .alreadyExists)
        #expect(fixture.text("a") == "old")
        #expect(try fixture.files.owner(of: "a") == .ada)
    }

    @Test("is refused if it is missing", arguments: Keeping.allCases, [FileOpening.reading, .writing])
    func isRefusedWhereItIsMissing(_ keeping: Keeping, _ opening: FileOpening) throws {
        let fixture = try OwnedRoot(keeping)
        #expect(fileErrorCode { _ = try fixture.files.open("a", for: opening) } == .notFound)
        #expect(fileErrorCode { _ = try fixture.files.owner(of: "a") } == .notFound)
        #expect(fileErrorCode { _ = try fixture.files.open("no/a", for: .creating) } == .notFound)
        #expect(fixture.names.isEmpty)
    }

    @Test("has the requested permissions whatever the umask", arguments: Keeping.allCases)
    func hasThePermissionsThatWereAskedForWhateverTheMaskIs(_ keeping: Keeping) throws {
        let fixture = try OwnedRoot(keeping)
        _ = try fixture.files.open("a", for: .creating, permissions: 0o666)
        _ = try fixture.files.open("b", for: .creating)
        #expect(try OpenFile.open(fixture / "a", .reading).status().permissions == 0o666)
        #expect(try OpenFile.open(fixture / "b", .reading).status().permissions == 0o600)
    }

    @Test("is refused to work without an owner if that is closed", .rule("11.1"), arguments: Keeping.allCases, making)
    func isRefusedToWorkWithoutOwnerWhereThatIsClosed(_ keeping: Keeping, _ opening: FileOpening) throws {
        let fixture = try OwnedRoot(keeping, .refused)
        for identity in [Identity.nobody, nil] {
            withIdentity(identity) {
                #expect(fileErrorCode { _ = try fixture.files.open("a", for: opening) } == .noOwner)
                #expect(fileErrorCode { try fixture.files.replace("a", with: []) } == .noOwner)
            }
        }
        #expect(fixture.names.isEmpty)
        try fixture.make("a", "kept", as: Users.ada)
        #expect(fileErrorCode { _ = try fixture.files.open("a", for: .truncating) } == .noOwner)
        #expect(try String(decoding: fixture.files.open("a", for: .reading).readToEnd(), as: UTF8.self) == "kept")
    }
}
