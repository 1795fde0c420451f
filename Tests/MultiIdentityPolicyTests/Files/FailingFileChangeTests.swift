import Foundation
import MultiIdentity
import Testing

@testable import MultiIdentityFiles

@Suite("An interrupted change of a file", .rule("11.6")) struct AChangeOfAFileThatIsInterrupted {
    static let changes = Keeping.allCases.flatMap { keeping in FileChange.allCases.map { (keeping, $0) } }

    /// Returns the mutating calls of a change.
    static func calls(_ keeping: Keeping, _ change: FileChange, _ lacks: StorageFaults.Lacks) throws -> [String] {
        let fixture = try FileChange.prepared(keeping)
        let counting = StorageFaults(lacking: lacks)
        try counting.during { try change.make(fixture.files, fixture.folder.path, keeping) }
        #expect(try FileChange.state(fixture.files, fixture.folder, keeping) == change.new)
        return counting.calls
    }

    @Test("has its bytes on the disk before they have a name", arguments: FileChange.allCases)
    func hasBytesOnTheDiskBeforeTheyHaveAName(_ change: FileChange) throws {
        for lacks in [StorageFaults.Lacks.unnamedFiles, []] {
            let calls = try Self.calls(.attributes, change, lacks)
            // A truncated file already has its name.
            guard let written = calls.lastIndex(of: "write"),
                let named = calls[written...].firstIndex(where: { ["rename", "link"].contains($0) })
            else { continue }
            #expect(calls[written..<named].contains("fsync"), "\(calls)")
        }
    }

    @Test("leaves everything as it was if a call fails", arguments: changes)
    func leavesAllAsItWasWhereACallFails(_ made: (Keeping, FileChange)) throws {
        let (keeping, change) = made
        var tried: Set<[String]> = []
        for lacks in [StorageFaults.Lacks.unnamedFiles, []] {
            let calls = try Self.calls(keeping, change, lacks)
            guard tried.insert(calls).inserted else { continue }
            // A failure after the name is given cannot undo the change, nor can one while a new owner is made durable.
            let named = calls.lastIndex { ["rename", "link", "unlink", "fsetxattr"].contains($0) } ?? calls.count
            for number in 1...calls.count {
                let isLate = number > named + 1
                // This runs thousands of times, and only the order of durable changes matters: no wait for the disk.
                let lacks = lacks.union(.powerCuts)
                try StorageFaults(lacking: .powerCuts).during {
                    let one = StorageFaults(.fail(atCall: number, with: EIO), lacking: lacks)
                    try check(keeping, change, one, EIO, isLate)
                    let full = StorageFaults(.failAll(fromCall: number, with: ENOSPC), lacking: lacks)
                    // If a record of the index is whole and cannot be undone, it counts.
                    let isLeft = keeping == .index && calls[number - 1] == "fsync"
                    try check(keeping, change, full, ENOSPC, isLate || isLeft)
                }
            }
        }
    }

    private func check(
        _ keeping: Keeping,
        _ change: FileChange,
        _ faults: StorageFaults,
        _ code: Int32,
        _ isLate: Bool
    ) throws {
        let fixture = try FileChange.prepared(keeping)
        var thrown: IdentityFileError?
        do {
            try faults.during { try change.make(fixture.files, fixture.folder.path, keeping) }
        } catch { thrown = try #require(error as? IdentityFileError) }
        let state = try FileChange.state(fixture.files, fixture.folder, keeping)
        if let thrown {
            #expect(thrown.code == (code == ENOSPC ? .noSpace : .systemCall))
            #expect(thrown.systemError?.code == code)
            let isStated = state == FileChange.old || change.between.contains(state) || isLate && state == change.new
            #expect(isStated, "\(faults.calls) \(state)")
        } else {
            #expect(state == change.new, "\(faults.calls)")
        }
        // Memory agrees with the disk, and everything continues.
        try withIdentity(Users.ada) { try fixture.files.replace("later", with: Array("1".utf8)) }
        let later = state.merging(["root/later": "ada@contoso.com:1"]) { $1 }
        #expect(try FileChange.state(fixture.files, fixture.folder, keeping) == later)
        let repair = try fixture.files.repair()
        #expect(repair.replaced.isEmpty && repair.failures.isEmpty)
        #expect(try FileChange.state(fixture.files, fixture.folder, keeping) == later)
        #expect(!fixture.names.contains { AtomicReplacement.isTemporary($0) })
    }

    @Test("is old or new after a power cut", arguments: changes)
    func isOldOrNewWhereThePowerIsCut(_ made: (Keeping, FileChange)) throws {
        let (keeping, change) = made
        let fixture = try FileChange.prepared(keeping)
        let recorder = try DiskRecorder(fixture.folder.path)
        try recorder.faults().during { try change.make(fixture.files, fixture.folder.path, keeping) }
        recorder.acknowledge()
        for cut in recorder.cuts() {
            let (left, faults) = try cut.restored()
            try faults.during {
                let files = try OwnedRoot.open(left.path, keeping)
                let state = try FileChange.state(files, left, keeping)
                let isStated = state == FileChange.old || change.between.contains(state)
                #expect(state == change.new || !cut.isAcknowledged && isStated, "\(cut): \(state)")
                _ = try files.repair()
                #expect(try FileChange.state(files, left, keeping) == state, "\(cut)")
                let witness = Witness()
                try files.removeFiles(of: Users.ada, witness.visit)
                #expect(witness.failed.isEmpty, "\(cut)")
                let rest = try FileChange.state(files, left, keeping)
                #expect(!rest.contains { $0.hasPrefix("root") && $1.hasPrefix("ada") }, "\(cut)")
            }
        }
    }

    @Test("leaves nothing of the wiped identity after a power cut", arguments: Keeping.allCases)
    func leavesNothingOfWhoeverWasWipedWhereThePowerIsCut(_ keeping: Keeping) throws {
        let fixture = try FileChange.prepared(keeping)
        let recorder = try DiskRecorder(fixture.folder.path)
        let witness = Witness()
        try recorder.faults().during { try fixture.files.removeFiles(of: Users.ada, witness.visit) }
        #expect(witness.removed == ["a", "d/a"] && witness.failed.isEmpty)
        recorder.acknowledge()
        for cut in recorder.cuts() where cut.isAcknowledged {
            let (left, faults) = try cut.restored()
            try faults.during {
                let state = try FileChange.state(OwnedRoot.open(left.path, keeping), left, keeping)
                #expect(state == ["root/b": "bob@contoso.com:bob", "root/u": "unseen:unseen"], "\(cut): \(state)")
            }
        }
    }

    /// How a file of an index gets an attribute, which is authoritative from then on.
    enum MovedOwner: CaseIterable {
        case changed, repaired

        func make(_ files: IdentityFileSystem) throws {
            switch self {
            case .changed: try files.setOwner(.nobody, of: "a")
            case .repaired: _ = try files.repair()
            }
        }

        var owner: FileOwner { self == .changed ? .nobody : .ada }
    }

    @Test("has an owner in one place or the other after a power cut", arguments: MovedOwner.allCases)
    func hasAnOwnerInOnePlaceOrTheOtherWhereThePowerIsCut(_ change: MovedOwner) throws {
        func open(_ folder: TemporaryFolder) throws -> IdentityFileSystem {
            try IdentityFileSystem(root: folder / "root", records: .automatic(indexIn: folder / "index"))
        }
        let folder = TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder / "root", withIntermediateDirectories: false)
        try StorageFaults(lacking: .attributes).during {
            let files = try open(folder)
            try withIdentity(Users.ada) { try files.replace("a", with: [1]) }
        }
        let recorder = try DiskRecorder(folder.path)
        try recorder.faults().during { try change.make(open(folder)) }
        recorder.acknowledge()
        for cut in recorder.cuts() {
            let (left, faults) = try cut.restored()
            try faults.during {
                let owner = try open(left).owner(of: "a")
                #expect(
                    owner == change.owner || !cut.isAcknowledged && owner == .ada,
                    "\(cut): \(String(describing: owner))"
                )
            }
        }
    }

    #if compiler(>=6.3)  // an exit test that captures
    /// This starts many processes; under a sanitizer each takes a second to start.
    @Test(
        "is old or new if the process ends at any call",
        .enabled(if: !Sanitizer.isOn, "each process is slow to begin"),
        arguments: changes
    )
    func isOldOrNewWhereTheProcessEndsAtAnyCall(_ made: (Keeping, FileChange)) async throws {
        let (keeping, change) = made
        let calls = try Self.calls(keeping, change, [])
        try await forEachCall(upTo: calls.count) { number in
            let folder = TemporaryFolder()
            do {
                let fixture = try FileChange.prepared(keeping)
                // Closed before the other process opens it.
                #expect(rename(fixture.folder.path, folder / "it") == 0)
            }
            let path = folder / "it"
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [
                    path = path as String, number = number as Int, keeping = keeping as Keeping,
                    change = change as FileChange
                ]
                in
                let files = try OwnedRoot.open(path, keeping)
                StorageFaults(.killProcess(atCall: number)).install()
                try change.make(files, path, keeping)
            }
            let inner = TemporaryFolder(at: path)
            let files = try OwnedRoot.open(path, keeping)
            let state = try FileChange.state(files, inner, keeping)
            #expect(
                [FileChange.old, change.new].contains(state) || change.between.contains(state),
                "\(number): \(state)"
            )
            _ = try files.repair()
            #expect(try FileChange.state(files, inner, keeping) == state)
            let witness = Witness()
            try files.removeFiles(of: Users.ada, witness.visit)
            #expect(witness.failed.isEmpty)
            #expect(
                !(try FileChange.state(files, inner, keeping)).contains { $0.hasPrefix("root") && $1.hasPrefix("ada") }
            )
            return true
        }
    }
    #endif
}
