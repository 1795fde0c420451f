import Foundation
import MultiIdentity
import Testing

@testable import MultiIdentityFiles

/// Files that a wipe must find or report, although no record or name leads to them.
@Suite("Files of a wiped identity that are hard to find") struct FilesOfAWipedIdentityThatAreHardToFind {
    fileprivate static func wipe(_ files: IdentityFileSystem, of identity: Identity = Users.ada) throws -> Witness {
        let witness = Witness()
        try files.removeFiles(of: identity, witness.visit)
        return witness
    }

    @Test("are removed if a failed replacement could not remove them", .rule("13.1"), arguments: Keeping.allCases)
    func areGoneWhereAReplacementThatFailedCouldNotRemoveThem(_ keeping: Keeping) throws {
        let fixture = try OwnedRoot(keeping, with: ["a": Users.ada])
        struct Failure: Error {}
        func attempt(_ faults: StorageFaults) {
            #expect(throws: (any Error).self) {
                try faults.during {
                    try withIdentity(Users.ada) {
                        try fixture.files.replace("b") { file in
                            try file.write(Array("secret".utf8))
                            throw Failure()
                        }
                    }
                }
            }
        }
        let counting = StorageFaults(lacking: .unnamedFiles)
        attempt(counting)
        let unlink = try #require(counting.calls.firstIndex(of: "unlink")) + 1
        attempt(StorageFaults(.failAll(fromCall: unlink, with: EIO), lacking: .unnamedFiles))
        #expect(fixture.names.contains { AtomicReplacement.isTemporary($0) })
        #expect(try Self.wipe(fixture.files).failed.isEmpty)
        #expect(fixture.names.isEmpty)
    }

    @Suite("with an unknown creation time") struct WithoutBirthTimes {
        let fixture: OwnedRoot

        init() throws { fixture = try StorageFaults(lacking: .birthTimes).during { try OwnedRoot(.index) } }

        @Test("are reported if they were renamed, until they have an owner")
        func areToldOfWhereSomebodyRenamedThem() throws {
            try fixture.make("a", as: Users.ada)
            try fixture.make("b", as: Users.bob)
            #expect(rename(fixture / "a", fixture / "c") == 0)
            #expect(rename(fixture / "b", fixture / "d") == 0)
            for _ in 0..<2 {
                let witness = try FilesOfAWipedIdentityThatAreHardToFind.wipe(fixture.files)
                #expect(witness.failed == ["c"] && witness.removed.isEmpty)
            }
            try fixture.files.setOwner(.ada, of: "c")
            let witness = try FilesOfAWipedIdentityThatAreHardToFind.wipe(fixture.files)
            #expect(witness.failed.isEmpty && witness.removed == ["c"])
            #expect(fixture.names == ["d"])
        }

        @Test("are removed if a crash left them under an unrecorded name") func areGoneWhereACrashLeftThem() throws {
            try fixture.make("a", as: Users.ada)
            let temporary = ".multi-identity-0123456789abcdef.tmp"
            #expect(AtomicReplacement.isTemporary(temporary))
            #expect(rename(fixture / "a", fixture / temporary) == 0)
            let witness = try FilesOfAWipedIdentityThatAreHardToFind.wipe(fixture.files)
            #expect(witness.failed.isEmpty && witness.removed == [temporary])
            #expect(fixture.names.isEmpty)
        }
    }

    @Test(
        "are empty outside of the root even if another name disappears meanwhile",
        .rule("13.1"),
        arguments: Keeping.allCases
    )
    func areEmptyOutsideOfTheRootThoughAnotherNameGoesMeanwhile(_ keeping: Keeping) throws {
        let fixture = try OwnedRoot(keeping)
        for name in ["a", "b"] {
            try fixture.make("a", "secret", as: Users.ada)
            try fixture.files.link("a", to: "b")
            #expect(link(fixture / "a", fixture.folder / "outside-\(name)") == 0)
            let passed = Locked(0)
            let visit = WipeVisit { event in
                guard case .passed = event, passed.withLock({ count in (count, count += 1).0 }) == 1 else { return }
                _ = unlink(fixture / name)
            }
            try fixture.files.removeFiles(of: Users.ada, visit)
            #expect(fixture.names.isEmpty)
            #expect(fixture.folder.text(of: "outside-\(name)") == "")
        }
    }

    @Test("are in no bytes of the index even if a move was interrupted", .rule("13.1"))
    func areInNoBytesOfTheIndexThoughAMoveWasInterrupted() throws {
        let fixture = try OwnedRoot(.index, with: ["a": Users.ada])
        try fixture.files.remove("a")
        try fixture.files.makeDirectory("d")
        for number in 0..<3 { try fixture.make("d/\(number)", as: Users.bob) }
        let counting = StorageFaults()
        try counting.during { try fixture.files.move("d", to: "e") }
        let rename = try #require(counting.calls.firstIndex(of: "rename")) + 1
        try fixture.files.move("e", to: "d")
        _ = try fixture.files.repair()
        try fixture.make("a", as: Users.ada)
        try fixture.files.remove("a")
        #expect(throws: IdentityFileError.self) {
            try StorageFaults(.failAll(fromCall: rename, with: EIO)).during { try fixture.files.move("d", to: "e") }
        }
        #expect(try Self.wipe(fixture.files).failed.isEmpty)
        #expect(try !fixture.indexMentions("ada@contoso.com"))
    }

    @Test("are removed under all their names if no path leads to these", .rule("13.1"), arguments: Keeping.allCases)
    func areGoneByAllTheirNamesWhereNoPathLeadsToThese(_ keeping: Keeping) throws {
        let fixture = try OwnedRoot(keeping)
        let name = String(repeating: "d", count: 200)
        func chain(_ first: String) throws -> String {
            var path = first
            try fixture.files.makeDirectory(path)
            for _ in 0..<18 {
                path += "/" + name
                try fixture.files.makeDirectory(path)
            }
            return path
        }
        let (upper, lower) = (try chain("upper"), try chain("lower"))
        try fixture.make("\(lower)/a", as: Users.ada)
        try fixture.files.link("\(lower)/a", to: "\(lower)/b")
        try fixture.files.move("lower", to: "\(upper)/lower")
        defer {
            // The fixture's cleanup uses paths.
            if let root = try? OpenFile.open(fixture / "", .directory) {
                try? root.openStepwise(upper, .directory).rename("lower", to: "lower", in: root)
            }
        }
        let deep = "\(upper)/\(lower)/a"
        #expect(fileErrorCode { _ = try fixture.files.open(deep, for: .reading).owner() } == nil)
        #expect(fileErrorCode { _ = try fixture.files.owner(of: deep) } == nil)
        let witness = try Self.wipe(fixture.files)
        #expect(witness.failed.isEmpty)
        #expect(witness.removed.count == 2)
    }

    @Test("are removed however deep they are", .rule("13.1"), arguments: Keeping.allCases)
    func areGoneHoweverDeepTheyAre(_ keeping: Keeping) throws {
        let fixture = try OwnedRoot(keeping, with: ["a": Users.ada])
        let depth = 2_100  // a path of more than `PATH_MAX`, and more folders than descriptors
        var folder = try OpenFile.open(fixture / "", .directory)
        for _ in 0..<depth {
            try folder.makeDirectory("d", permissions: 0o700)
            folder = try folder.open("d", .directory)
        }
        let root = try OpenFile.open(fixture / "", .directory)
        try root.rename("a", to: "moved", in: folder)
        let witness = try Self.wipe(fixture.files)
        #expect(witness.failed.isEmpty)
        #expect(witness.removed.count == 1)
        #expect(throws: SystemCallError.self) { _ = try folder.status(of: "moved") }
        // The fixture's cleanup uses paths.
        for _ in 0..<depth {
            _ = rename(fixture / "d/d", fixture / "e")
            _ = rmdir(fixture / "d")
            _ = rename(fixture / "e", fixture / "d")
        }
    }
}
