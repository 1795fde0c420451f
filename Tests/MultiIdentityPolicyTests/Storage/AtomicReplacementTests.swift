import Foundation
import MultiIdentityFiles
import Testing

@Suite("An atomically replaced file") struct AFileThatIsReplacedAtOnce {
    static func replace(_ path: String, with text: String, _ commit: AtomicReplacement.Commit) throws {
        let replacement = try AtomicReplacement.begin(path: path, permissions: 0o640)
        try Array(text.utf8).withUnsafeBytes { bytes throws in try replacement.file.write(bytes) }
        _ = try replacement.commit(commit)
    }

    @Test("has its content and its permissions", arguments: Naming.allCases)
    func hasItsContentAndItsPermissions(_ naming: Naming) throws {
        let folder = TemporaryFolder()
        try naming.faults().during { try Self.replace(folder / "a", with: "new", .creating) }
        #expect(folder.text(of: "a") == "new")
        #expect(try OpenFile.open(folder / "a", .reading).status().permissions == 0o640)
        try naming.faults().during { try Self.replace(folder / "a", with: "newer", .replacing) }
        #expect(folder.text(of: "a") == "newer")
        #expect(folder.names == ["a"])
    }

    @Test("is refused if the name is taken", arguments: Naming.allCases)
    func isRefusedWhereTheNameIsTaken(_ naming: Naming) throws {
        let folder = TemporaryFolder()
        folder.write("old", to: "a")
        let error = #expect(throws: SystemCallError.self) {
            try naming.faults().during { try Self.replace(folder / "a", with: "new", .creating) }
        }
        #expect(error?.code == EEXIST)
        #expect(folder.text(of: "a") == "old")
        #expect(folder.names == ["a"])
    }

    @Test("leaves nothing if it is dropped", arguments: Naming.allCases)
    func leavesNothingWhereItIsDropped(_ naming: Naming) throws {
        let folder = TemporaryFolder()
        try naming.faults().during {
            let replacement = try AtomicReplacement.begin(path: folder / "a", permissions: 0o600)
            #expect(folder.names.count == (naming == .unnamedAtFirst ? 0 : 1))
            _ = try replacement.file.status()
        }
        #expect(folder.names.isEmpty)
    }

    @Test(
        "is old or new after a power cut",
        .rule("11.6"),
        arguments: Naming.allCases,
        [AtomicReplacement.Commit.replacing, .creating]
    )
    func isOldOrNewWhereThePowerIsCut(_ naming: Naming, _ commit: AtomicReplacement.Commit) throws {
        let folder = TemporaryFolder()
        if commit == .replacing { folder.write("old", to: "a") }
        let recorder = try DiskRecorder(folder.path)
        try recorder.faults(lacking: naming.lacks).during { try Self.replace(folder / "a", with: "new", commit) }
        recorder.acknowledge()
        for cut in recorder.cuts() {
            let (left, _) = try cut.restored()
            let text = left.text(of: "a")
            #expect(text == "new" || !cut.isAcknowledged && text == (commit == .replacing ? "old" : nil), "\(cut)")
            #expect(left.names.allSatisfy { $0 == "a" || AtomicReplacement.isTemporary($0) }, "\(cut)")
        }
    }

    @Test("is not cleaned up while it is being created") func isNotSweptWhileItIsBeingMade() throws {
        let folder = TemporaryFolder()
        try StorageFaults(onlyNamedFiles: .none).during {
            let replacement = try AtomicReplacement.begin(path: folder / "a", permissions: 0o600)
            let name = try #require(folder.names.first)
            #expect(AtomicReplacement.isTemporary(name))
            #expect(try !AtomicReplacement.sweep(name, in: OpenFile.open(folder.path, .directory)))
            _ = try replacement.commit(.creating)
        }
        #expect(folder.names == ["a"])
    }

    @Test(
        "is recognised by its temporary name",
        arguments: [
            ".multi-identity-0123456789abcdef.tmp": true, ".multi-identity-0123456789abcde.tmp": false,
            ".multi-identity-0123456789ABCDEF.tmp": false, "multi-identity-0123456789abcdef.tmp": false,
            ".multi-identity-.tmp": false, ".multi-identity-0123456789abcdef.tmp2": false,
        ]
    )
    func isKnownByItsTemporaryName(_ name: String, _ isTemporary: Bool) {
        #expect(AtomicReplacement.isTemporary(name) == isTemporary)
    }
}
