import Foundation
import MultiIdentity
import MultiIdentityFiles
import Testing

@Suite("Files that another user planted") struct FilesThatSomebodyElsePlanted {
    @Test("give no right to run as their user", arguments: Keeping.allCases)
    func donateNoRightToRunAsTheirUser(_ keeping: Keeping) throws {
        let fixture = try OwnedRoot(keeping, with: ["a": Users.ada])
        #expect(chmod(fixture / "a", 0o6755) == 0)
        try fixture.files.copy("a", to: "b")
        try fixture.make("a", as: Users.bob)
        for name in ["a", "b"] {
            #expect(try OpenFile.open(fixture / name, .reading).status().permissions == 0o755)
        }
    }

    @Test("are no index, since its folder is private", arguments: [0o777, 0o770, 0o720] as [mode_t])
    func areNoIndexSinceItsFolderIsOurs(_ mode: mode_t) throws {
        let folder = TemporaryFolder()
        for name in ["root", "index"] {
            try FileManager.default.createDirectory(atPath: folder / name, withIntermediateDirectories: false)
        }
        #expect(chmod(folder / "index", mode) == 0)
        #expect(fileErrorCode { _ = try OwnedRoot.open(folder.path, .index) } == .invalidIndex)
        #expect(chmod(folder / "index", 0o700) == 0)
        #expect(fileErrorCode { _ = try OwnedRoot.open(folder.path, .index) } == nil)
    }

    @Test("are read to their end, however much is requested", arguments: Keeping.allCases)
    func areReadAsFarAsTheyGoHoweverMuchIsAskedFor(_ keeping: Keeping) throws {
        let fixture = try OwnedRoot(keeping)
        let text = String(repeating: "0123456789", count: 300_000)
        try fixture.make("a", text, as: Users.ada)
        let file = try fixture.files.open("a", for: .reading)
        #expect(try file.read(upTo: 7) == Array("0123456".utf8))
        #expect(try file.read(upTo: .max) == Array(text.utf8.dropFirst(7)))
        #expect(try file.read(upTo: .max).isEmpty)
        #expect(try file.read(upTo: -1).isEmpty)
    }

    /// Whichever comes first: a file that another user puts in the place of a moving file is never lost.
    @Test("are not removed in the place of a file that moves between roots")
    func areNotRemovedInThePlaceOfOneThatIsMovedBetweenRoots() async throws {
        let (fixture, other) = (try OwnedRoot(.index), try OwnedRoot(.index))
        let content = [UInt8](repeating: 7, count: 64 << 20)
        try withIdentity(Users.ada) { try fixture.files.replace("a", with: content) }
        try fixture.make("new", "bob's", as: Users.bob)
        let isDone = Locked(false)
        let replacing = Thread {
            // The copy has a name while it is being written.
            while other.names.isEmpty, !isDone.withLock({ $0 }) {}
            _ = rename(fixture / "new", fixture / "a")
            isDone.withLock { $0 = true }
        }
        replacing.start()
        let code = fileErrorCode {
            try StorageFaults(lacking: .unnamedFiles).during { try fixture.files.move("a", to: "a", in: other.files) }
        }
        #expect(code == nil || code == .changedMeanwhile)
        let wasDone = isDone.withLock { isDone in (isDone, isDone = true).0 }
        if !wasDone { while !fixture.names.contains("a") {} }
        #expect(fixture.text("a") == "bob's")
        #expect(try other.files.owner(of: "a") == .ada)
    }
}
