import Foundation
import MultiIdentity
import MultiIdentityFiles
import Testing

@Suite("Files of a wiped identity") struct FilesOfAnIdentityThatIsWiped {
    static func wipe(_ fixture: OwnedRoot) throws -> Witness {
        let witness = Witness()
        try fixture.files.removeFiles(of: Users.ada, witness.visit)
        return witness
    }

    static func many(_ keeping: Keeping) throws -> OwnedRoot {
        let fixture = try OwnedRoot(keeping, folders: ["d", "d/e"])
        for folder in ["", "d/", "d/e/"] {
            try fixture.make("\(folder)ada", "12345", as: Users.ada)
            try fixture.make("\(folder)bob", as: Users.bob)
            try fixture.make("\(folder)none", as: nil)
            try fixture.make("\(folder)nobody", as: .nobody)
            fixture.makeUnseen("\(folder)unseen")
        }
        return fixture
    }

    @Test("are all removed, and no other identity's files", .rule("13.1"), arguments: Keeping.allCases)
    func areAllGoneAndNobodyElsesAre(_ keeping: Keeping) throws {
        let fixture = try Self.many(keeping)
        let before = fixture.names
        let seen = Witness()
        try fixture.files.files(of: Users.ada, seen.visit)
        #expect(seen.found == ["ada", "d/ada", "d/e/ada"])
        #expect(seen.bytes == 15)
        #expect(fixture.names == before)
        let witness = try Self.wipe(fixture)
        #expect(witness.removed == ["ada", "d/ada", "d/e/ada"])
        #expect(witness.bytes == 15)
        #expect(witness.failed.isEmpty)
        #expect(fixture.names == before.filter { !$0.hasSuffix("ada") })
        #expect(try fixture.files.owner(of: "d/e/bob") == .bob)
        #expect(try fixture.files.owner(of: "d/none") == .unset)
        #expect(try Self.wipe(fixture).removed.isEmpty)
    }

    @Test("are removed under names that were given without our knowledge", .rule("13.1"), arguments: Keeping.allCases)
    func areGoneUnderNamesThatWereGivenBehindOurBack(_ keeping: Keeping) throws {
        let fixture = try Self.many(keeping)
        try FileManager.default.moveItem(atPath: fixture / "d/ada", toPath: fixture / "d/e/moved")
        try FileManager.default.moveItem(atPath: fixture / "d/e", toPath: fixture / "f")
        let witness = try Self.wipe(fixture)
        #expect(witness.removed == ["ada", "f/ada", "f/moved"])
        #expect(witness.failed.isEmpty)
        #expect(!fixture.names.contains { $0.hasSuffix("ada") || $0.hasSuffix("moved") })
    }

    @Test("are removed under names that are no text", arguments: Keeping.allCases)
    func areGoneUnderNamesThatAreNoText(_ keeping: Keeping) throws {
        let fixture = try OwnedRoot(keeping, with: ["a": Users.ada, "b": Users.bob])
        let strange: [CChar] = Array((fixture / "").utf8.map { CChar(bitPattern: $0) }) + [-1, -2, 0]
        #expect(rename(fixture / "a", strange) == 0)
        #expect(try Self.wipe(fixture).failed.isEmpty)
        #expect(access(strange, F_OK) != 0)
        #expect(fixture.names == ["b"])
    }

    @Test("are removed under all their names, and their bytes count once", .rule("13.1"), arguments: Keeping.allCases)
    func areGoneByAllTheirNamesAndTheirBytesCountOnce(_ keeping: Keeping) throws {
        let fixture = try OwnedRoot(keeping, folders: ["d"], with: ["a": Users.ada], text: "12345")
        try fixture.files.link("a", to: "d/second")
        #expect(link(fixture / "a", fixture / "d/behind") == 0)
        let seen = Witness()
        try fixture.files.files(of: Users.ada, seen.visit)
        #expect(seen.found == ["a", "d/behind", "d/second"])
        #expect(seen.bytes == 5)
        let witness = try Self.wipe(fixture)
        #expect(witness.removed == ["a", "d/behind", "d/second"])
        #expect(witness.bytes == 5)
        #expect(fixture.names == ["d"])
    }

    @Test("are empty and nobody's under a name outside of the root", arguments: Keeping.allCases)
    func areEmptyAndNobodysUnderANameOutsideOfTheRoot(_ keeping: Keeping) throws {
        let fixture = try OwnedRoot(keeping, with: ["a": Users.ada], text: "secret")
        #expect(link(fixture / "a", fixture.folder / "outside") == 0)
        let witness = try Self.wipe(fixture)
        #expect(witness.removed == ["a"])
        #expect(fixture.names.isEmpty)
        #expect(fixture.folder.text(of: "outside") == "")
        let outside = try OpenFile.open(fixture.folder / "outside", .reading)
        #expect(try outside.attribute("user.multi-identity.owner", limit: 2_000) == nil)
    }

    @Test("are emptied outside of the root even if they are reached by two paths")
    func areEmptiedThoughTheyWereReachedByTwoWays() throws {
        let fixture = try OwnedRoot(.index, folders: ["d"])
        #expect(symlink("d", fixture / "way") == 0)
        try fixture.make("d/a", "secret", as: Users.ada)
        try fixture.files.setOwner(.ada, of: "way/a")
        #expect(link(fixture / "d/a", fixture.folder / "outside") == 0)
        #expect(try Self.wipe(fixture).failed.isEmpty)
        #expect(fixture.names == ["d", "way"])
        #expect(fixture.folder.text(of: "outside") == "")
    }

    @Test("are removed even if they were replaced", .rule("13.1"), arguments: Keeping.allCases)
    func areGoneThoughTheyWereReplaced(_ keeping: Keeping) throws {
        let fixture = try OwnedRoot(keeping)
        for round in 0..<3 { try fixture.make("a", "\(round)", as: Users.ada) }
        try withIdentity(Users.bob) { try fixture.files.replace("a", with: [7], keepsOwner: true) }
        try fixture.make("b", as: Users.ada)
        try fixture.make("b", "bob's by now", as: Users.bob)
        let witness = try Self.wipe(fixture)
        #expect(witness.removed == ["a"])
        #expect(fixture.text("b") == "bob's by now")
    }

    @Test("are in no bytes of the index any more", .rule("13.1")) func areInNoBytesOfTheIndexAnyMore() throws {
        let fixture = try OwnedRoot(.index)
        let leftover = fixture.folder / "index/.multi-identity-0123456789abcdef.tmp"
        try fixture.make("a", as: Users.ada)
        try fixture.make("b", as: Users.bob)
        try fixture.make("gone", as: Users.ada)
        try fixture.files.remove("gone")
        try fixture.make("other", as: Users.ada)
        try fixture.files.setOwner(.bob, of: "other")
        _ = FileManager.default.createFile(atPath: leftover, contents: Data("ada@contoso.com".utf8))
        #expect(try fixture.indexMentions("ada@contoso.com"))
        _ = try Self.wipe(fixture)
        #expect(try !fixture.indexMentions("ada@contoso.com"))
        #expect(fixture.files.files(of: .bob).paths == ["b", "other"])
    }

    @Test("are forgotten if they were removed without our knowledge")
    func areForgottenWhereTheyWereRemovedBehindOurBack() throws {
        let fixture = try OwnedRoot(.index, with: ["a": Users.ada])
        #expect(unlink(fixture / "a") == 0)
        #expect(try Self.wipe(fixture).failed.isEmpty)
        #expect(try !fixture.indexMentions("ada@contoso.com"))
    }

    @Test("are reported again as long as another file is in their place")
    func areToldOfAgainAsLongAsAnotherFileIsInTheirPlace() throws {
        let fixture = try OwnedRoot(.index, with: ["a": Users.ada])
        fixture.makeUnseen("b")
        #expect(rename(fixture / "b", fixture / "a") == 0)
        for _ in 0..<2 {
            let witness = try Self.wipe(fixture)
            #expect(witness.failed == ["a"])
            #expect(witness.removed.isEmpty)
        }
        #expect(fixture.text("a") == "unseen")
        try fixture.files.setOwner(.bob, of: "a")
        #expect(try Self.wipe(fixture).failed.isEmpty)
        #expect(fixture.text("a") == "unseen")
    }

    @Test("are found in the index without reading other files", .rule("13.1"))
    func areFoundByTheIndexWithoutLookingAtOthers() throws {
        let fixture = try OwnedRoot(.index, folders: ["d"], with: ["d/a": Users.ada])
        for number in 0..<50 { try fixture.make("d/\(number)", as: Users.bob) }
        let witness = try Self.wipe(fixture)
        #expect(witness.removed == ["d/a"])
        #expect(witness.passedCount == 2, "looked at once, and removed")
    }

    @Test("are reported if their owner cannot be read", .rule("13.1"))
    func areToldOfWhereTheirOwnerCannotBeRead() throws {
        let fixture = try OwnedRoot(.attributes, with: ["a": Users.ada])
        fixture.makeUnseen("b")
        try OpenFile.open(fixture / "b", .reading).setAttribute("user.multi-identity.owner", to: [1, 2, 3])
        let witness = try Self.wipe(fixture)
        #expect(witness.removed == ["a"])
        #expect(witness.failed == ["b"])
        #expect(fixture.names == ["b"])
    }

    @Test("leave other work its turn, however many there are in one directory")
    func leaveOthersTheirTurn() throws {
        let fixture = try OwnedRoot(.attributes)
        let count = 1_300
        try StorageFaults(lacking: .powerCuts).during {
            for number in 0..<count {
                fixture.makeUnseen("\(number)")
                try fixture.files.setOwner(.ada, of: "\(number)")
            }
        }
        let turns = Locked((before: 0, between: 0, removed: 0))
        let visit = WipeVisit { event in
            turns.withLock { turns in
                switch event {
                case .passed where turns.removed == 0: turns.before += 1
                case .passed where turns.removed < count: turns.between += 1
                case .removed: turns.removed += 1
                default: break
                }
            }
        }
        try fixture.files.removeFiles(of: Users.ada, visit)
        let (before, between, removed) = turns.withLock { $0 }
        #expect(removed == count && fixture.names.isEmpty)
        #expect(before >= count && between >= 250, "\(before) before a file counted as gone, \(between) after")
    }

    @Test("count as removed once their directory is on the disk", arguments: Keeping.allCases)
    func countAsGoneOnceTheirDirectoryIsOnTheDisk(_ keeping: Keeping) throws {
        let fixture = try OwnedRoot(keeping, folders: ["d"])
        for path in ["a", "d/a"] { try fixture.make(path, as: Users.ada) }
        try fixture.files.link("a", to: "b")
        let counting = StorageFaults()
        let before = Locked<[[String]]>([])
        let visit = WipeVisit { event in
            if case .removed = event { before.withLock { $0.append(counting.calls) } }
        }
        try counting.during { try fixture.files.removeFiles(of: Users.ada, visit) }
        let calls = before.withLock { $0 }
        #expect(calls.count == 3)
        for calls in calls { #expect(calls.contains("unlink") && calls.last == "fsync", "\(calls)") }
    }

    @Test("are removed at the next attempt if a call fails", .rule("13.4"), arguments: Keeping.allCases, [ENOSPC, EIO])
    func areGoneAtTheNextAttemptWhereACallFails(_ keeping: Keeping, _ code: Int32) throws {
        func prepared() throws -> OwnedRoot {
            let fixture = try OwnedRoot(keeping, folders: ["d"], with: ["a": Users.ada, "d/a": Users.ada])
            try fixture.files.link("a", to: "d/b")
            #expect(link(fixture / "d/a", fixture.folder / "outside") == 0)
            try fixture.make("d/bob", as: Users.bob)
            return fixture
        }
        let counting = StorageFaults()
        _ = try counting.during { try Self.wipe(prepared()) }
        let setUp = StorageFaults()
        _ = try setUp.during { try prepared() }
        for number in 1...(counting.calls.count - setUp.calls.count) {
            let fixture = try prepared()
            let witness = Witness()
            let thrown = Result {
                try StorageFaults(.fail(atCall: number, with: code)).during {
                    try fixture.files.removeFiles(of: Users.ada, witness.visit)
                }
            }
            let isTold = if case .failure = thrown { true } else { !witness.failed.isEmpty }
            #expect(isTold, "call \(number)")
            #expect(try Self.wipe(fixture).failed.isEmpty)
            #expect(fixture.names == ["d", "d/bob"])
            #expect(fixture.folder.text(of: "outside") == "")
            if keeping == .index { #expect(try !fixture.indexMentions("ada@contoso.com")) }
        }
    }
}
