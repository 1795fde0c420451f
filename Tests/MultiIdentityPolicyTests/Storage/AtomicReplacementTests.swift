import Foundation
import MultiIdentityFiles
import Testing

@Suite("A file that is replaced at once") struct AFileThatIsReplacedAtOnce {
    /// A system with files that have no name yet, and one without.
    enum Naming: String, Codable, CaseIterable {
        case unnamedAtFirst, namedFromTheStart

        func faults(_ plan: StorageFaults.Plan = .none) -> StorageFaults {
            self == .unnamedAtFirst ? StorageFaults(plan) : StorageFaults(onlyNamedFiles: plan)
        }
    }

    static func replace(_ path: String, with text: String, _ commit: AtomicReplacement.Commit) throws {
        let replacement = try AtomicReplacement.begin(path: path, permissions: 0o640)
        try Array(text.utf8).withUnsafeBytes { bytes throws in try replacement.file.write(bytes) }
        _ = try replacement.commit(commit)
    }

    @Test("has its content and its permissions", arguments: Naming.allCases)
    func hasItsContentAndItsPermissions(_ naming: Naming) throws {
        let folder = try TemporaryFolder()
        try naming.faults().during { try Self.replace(folder / "a", with: "new", .creating) }
        #expect(folder.text(of: "a") == "new")
        #expect(try OpenFile.open(folder / "a", .reading).status().permissions == 0o640)
        try naming.faults().during { try Self.replace(folder / "a", with: "newer", .replacing) }
        #expect(folder.text(of: "a") == "newer")
        #expect(folder.names == ["a"])
    }

    @Test("is refused where the name is taken", arguments: Naming.allCases)
    func isRefusedWhereTheNameIsTaken(_ naming: Naming) throws {
        let folder = try TemporaryFolder()
        folder.write("old", to: "a")
        let error = #expect(throws: SystemCallError.self) {
            try naming.faults().during { try Self.replace(folder / "a", with: "new", .creating) }
        }
        #expect(error?.code == EEXIST)
        #expect(folder.text(of: "a") == "old")
        #expect(folder.names == ["a"])
    }

    @Test("leaves nothing where it is dropped", arguments: Naming.allCases)
    func leavesNothingWhereItIsDropped(_ naming: Naming) throws {
        let folder = try TemporaryFolder()
        try naming.faults().during {
            let replacement = try AtomicReplacement.begin(path: folder / "a", permissions: 0o600)
            #expect(folder.names.count == (naming == .unnamedAtFirst ? 0 : 1))
            _ = try replacement.file.status()
        }
        #expect(folder.names.isEmpty)
    }

    @Test("leaves the old one where a call fails", .rule("11.6"), arguments: Naming.allCases, [ENOSPC, EIO])
    func leavesTheOldOneWhereACallFails(_ naming: Naming, _ code: Int32) throws {
        let folder = try TemporaryFolder()
        let counting = naming.faults()
        folder.write("old", to: "a")
        try counting.during { try Self.replace(folder / "a", with: "new", .replacing) }
        #expect(counting.calls.last == "fsync")
        let lasting = try #require(counting.calls.firstIndex(of: "fsync"))
        #expect(try lasting < #require(counting.calls.firstIndex(of: "rename")), "the bytes, before the name")
        for number in 1...counting.calls.count {
            folder.write("old", to: "a")
            let error = #expect(throws: SystemCallError.self) {
                try naming.faults(.fail(atCall: number, with: code)).during {
                    try Self.replace(folder / "a", with: "new", .replacing)
                }
            }
            #expect(error?.code == code)
            // The directory's fsync comes after the name.
            #expect(folder.text(of: "a") == (number == counting.calls.count ? "new" : "old"))
            #expect(folder.names == ["a"])
        }
    }

    #if compiler(>=6.3)  // an exit test that captures
    @Test("is old or new where the process ends at any call", .rule("11.6"), arguments: Naming.allCases)
    func isOldOrNewWhereTheProcessEndsAtAnyCall(_ naming: Naming) async throws {
        let folder = try TemporaryFolder()
        let counting = naming.faults()
        try counting.during { try Self.replace(folder / "a", with: "old", .replacing) }
        let path = folder / "a"
        for number in 1...counting.calls.count {
            try Self.replace(path, with: "old", .replacing)
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [path = path as String, number = number as Int, naming = naming as Naming] in
                naming.faults(.killProcess(atCall: number)).install()
                try AFileThatIsReplacedAtOnce.replace(path, with: "new", .replacing)
            }
            #expect(folder.text(of: "a") == (number == counting.calls.count ? "new" : "old"))
            let left = folder.names.filter { $0 != "a" }
            #expect(left.allSatisfy(AtomicReplacement.isTemporary))
            let directory = try OpenFile.open(folder.path, .directory)
            for name in left { #expect(try AtomicReplacement.sweep(name, in: directory)) }
        }
        #expect(folder.names == ["a"])
    }
    #endif

    @Test(
        "is old or new where the power is cut",
        .rule("11.6"),
        arguments: Naming.allCases,
        [AtomicReplacement.Commit.replacing, .creating]
    )
    func isOldOrNewWhereThePowerIsCut(_ naming: Naming, _ commit: AtomicReplacement.Commit) throws {
        let folder = try TemporaryFolder()
        if commit == .replacing { folder.write("old", to: "a") }
        let recorder = try DiskRecorder(folder.path)
        let lacks: StorageFaults.Lacks = naming == .namedFromTheStart ? .unnamedFiles : []
        try recorder.faults(lacking: lacks).during { try Self.replace(folder / "a", with: "new", commit) }
        recorder.acknowledge()
        for cut in recorder.cuts() {
            let (left, _) = try cut.restored()
            let text = left.text(of: "a")
            #expect(text == "new" || !cut.isAcknowledged && text == (commit == .replacing ? "old" : nil), "\(cut)")
            #expect(left.names.allSatisfy { $0 == "a" || AtomicReplacement.isTemporary($0) }, "\(cut)")
            if text == "new" {
                #expect(try OpenFile.open(left / "a", .reading).status().permissions == 0o640, "\(cut)")
            }
        }
    }

    @Test("is not swept while it is being made") func isNotSweptWhileItIsBeingMade() throws {
        let folder = try TemporaryFolder()
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
        "is known by its temporary name",
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
