import Foundation
import MultiIdentity
import MultiIdentityFiles
import Testing

@Suite("A path that leads out of the root") struct APathThatLeadsOutOfTheRoot {
    /// Tries each operation on a path, and returns its error code by description.
    static func attempts(_ fixture: OwnedRoot, _ path: String) -> [String: IdentityFileError.Code?] {
        let files = fixture.files
        var results: [String: IdentityFileError.Code?] = [:]
        for opening in FileOpening.allCases {
            results["open \(opening)"] = fileErrorCode { _ = try files.open(path, for: opening) }
        }
        results["replace"] = fileErrorCode { try files.replace(path, with: [1]) }
        results["keep"] = fileErrorCode { try files.replace(path, with: [1], keepsOwner: true) }
        results["rewrite"] = fileErrorCode { try files.rewrite(path) { _, _ in } }
        results["copy from"] = fileErrorCode { try files.copy(path, to: "copied") }
        results["copy to"] = fileErrorCode { try files.copy("mine", to: path, replacing: true) }
        results["move from"] = fileErrorCode { try files.move(path, to: "moved") }
        results["move to"] = fileErrorCode { try files.move("mine", to: path, replacing: true) }
        results["link from"] = fileErrorCode { try files.link(path, to: "linked") }
        results["link to"] = fileErrorCode { try files.link("mine", to: path) }
        results["set owner"] = fileErrorCode { try files.setOwner(.bob, of: path) }
        return results
    }

    static func fixture() throws -> OwnedRoot {
        let fixture = try OwnedRoot(.attributes, with: ["mine": Users.ada], text: "mine")
        fixture.folder.write("secret", to: "outside")
        try FileManager.default.createDirectory(atPath: fixture.folder / "dir", withIntermediateDirectories: false)
        fixture.folder.write("secret", to: "dir/outside")
        return fixture
    }

    @Test(
        "is refused as written",
        .rule("11.5"),
        arguments: [
            "", "/", "/etc/passwd", "..", "../outside", "a/../../outside", "a/..", ".", "./", "a\0b",
            "mine/../../outside",
            ".multi-identity-0123456789abcdef.tmp",
        ]
    )
    func isRefusedAsItIsWritten(_ path: String) throws {
        let fixture = try Self.fixture()
        for (operation, code) in Self.attempts(fixture, path) { #expect(code == .invalidPath, "\(operation)") }
        for operation in [fixture.files.remove, { try fixture.files.makeDirectory($0) }, fixture.files.removeDirectory]
        {
            #expect(fileErrorCode { try operation(path) } == .invalidPath)
        }
        #expect(fileErrorCode { _ = try fixture.files.owner(of: path) } == .invalidPath)
        #expect(fixture.names == ["mine"])
    }

    @Test("is refused if a link on the way leads out", .rule("11.5"))
    func isRefusedWhereALinkOnTheWayLeadsOut() throws {
        let fixture = try Self.fixture()
        for target in [fixture.folder / "dir", "../dir", "/proc/self/cwd/../.."] {
            #expect(symlink(target, fixture / "way") == 0)
            for (operation, code) in Self.attempts(fixture, "way/outside") {
                #expect(code == .outsideRoot, "\(operation) \(target)")
            }
            #expect(fileErrorCode { try fixture.files.remove("way/outside") } == .outsideRoot)
            #expect(unlink(fixture / "way") == 0)
        }
        #expect(fixture.folder.text(of: "dir/outside") == "secret")
        #expect(fixture.names == ["mine"])
    }

    @Test("is refused if it is a link that leads out", .rule("11.5"))
    func isRefusedWhereItIsALinkThatLeadsOut() throws {
        let fixture = try Self.fixture()
        #expect(symlink("../outside", fixture / "link") == 0)
        for opening in [FileOpening.reading, .writing, .appending, .truncating] {
            #expect(fileErrorCode { _ = try fixture.files.open("link", for: opening) } == .outsideRoot)
        }
        #expect(fileErrorCode { try fixture.files.setOwner(.bob, of: "link") } == .outsideRoot)
        #expect(fileErrorCode { try fixture.files.copy("link", to: "copy") } == .outsideRoot)
        #expect(fileErrorCode { _ = try fixture.files.open("link", for: .creating) } == .alreadyExists)
        #expect(fileErrorCode { try fixture.files.replace("link", with: []) } == .notAFile)
        #expect(fileErrorCode { try fixture.files.link("link", to: "b") } == .notAFile)
        #expect(try fixture.files.owner(of: "link") == nil)
        #expect(fixture.folder.text(of: "outside") == "secret")
        try fixture.files.remove("link")
        #expect(fixture.folder.text(of: "outside") == "secret")
    }

    @Test("is followed if a link stays below the root", .rule("11.5"))
    func isFollowedWhereALinkStaysBelowTheRoot() throws {
        let fixture = try Self.fixture()
        try fixture.files.makeDirectory("d")
        #expect(symlink("../mine", fixture / "d/link") == 0 && symlink("d", fixture / "way") == 0)
        #expect(try String(decoding: fixture.files.open("d/link", for: .reading).readToEnd(), as: UTF8.self) == "mine")
        try fixture.files.replace("way/new", with: [1])
        #expect(fixture.names.contains("d/new"))
        #expect(fixture.files.files(of: .ada).paths == ["mine"])
    }

    @Test("is also refused when it is resolved step by step") func isRefusedStepByStepToo() throws {
        let fixture = try Self.fixture()
        let root = try OpenFile.open(fixture.folder / "root", .directory)
        #expect(symlink("../dir", fixture / "way") == 0)
        try fixture.files.makeDirectory("d")
        try fixture.make("d/a", "deep", as: Users.ada)
        #expect(try root.openStepwise("d/a", .reading).status().size == 4)
        for path in ["way/outside", "way"] {
            let error = #expect(throws: SystemCallError.self) { _ = try root.openStepwise(path, .directory).status() }
            #expect(error?.code == ELOOP)
        }
    }

    @Test("is no file if it is something else") func isNoFileWhereItIsSomethingElse() throws {
        let fixture = try Self.fixture()
        try fixture.files.makeDirectory("d")
        #expect(mkfifo(fixture / "pipe", 0o600) == 0)
        for path in ["d", "pipe"] {
            for opening in [FileOpening.reading, .writing, .truncating] {
                #expect(fileErrorCode { _ = try fixture.files.open(path, for: opening) } == .notAFile)
            }
            #expect(fileErrorCode { try fixture.files.replace(path, with: []) } == .notAFile)
            #expect(fileErrorCode { try fixture.files.link(path, to: "b") } == .notAFile)
            #expect(fileErrorCode { try fixture.files.setOwner(.bob, of: path) } == .notAFile)
        }
        #expect(fileErrorCode { try fixture.files.remove("d") } == .notAFile)
    }

    @Test("is refused as the folder of an index", arguments: ["", "/d", "/d/e"])
    func isRefusedAsTheFolderOfAnIndex(_ below: String) throws {
        let folder = TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder / "root/d", withIntermediateDirectories: true)
        let code = fileErrorCode {
            _ = try IdentityFileSystem(root: folder / "root", records: .index(in: folder / "root\(below)"))
        }
        #expect(code == .invalidIndex)
        #expect(folder.names == ["root", "root/d"])
    }

    @Test("is refused as the folder of an index if everything is below the root")
    func isRefusedAsTheFolderOfAnIndexWhereAllIsBelowTheRoot() throws {
        let folder = TemporaryFolder()
        let code = fileErrorCode { _ = try IdentityFileSystem(root: "/", records: .index(in: folder / "index")) }
        #expect(code == .invalidIndex)
        #expect(folder.names.isEmpty)
    }
}
