import Foundation
import MultiIdentity
import Testing

@testable import MultiIdentityFiles
@testable import MultiIdentityProtection

@Suite("A key file under faults of its disk or process", .rule("12.7")) struct AKeyFileWhoseDiskOrProcessFails {
    enum Change: String, CaseIterable, Codable {
        case first, another, rotation, destruction, masterKey

        func prepare(_ keys: KeyFile) throws {
            if self != .first { _ = try keys.currentKey(for: Users.ada) }
        }

        func make(_ keys: KeyFile) throws {
            switch self {
            case .first: _ = try keys.currentKey(for: Users.ada)
            case .another: _ = try keys.currentKey(for: Users.bob)
            case .rotation: try keys.rotateKey(of: Users.ada)
            case .destruction: try keys.destroyKeys(of: Users.ada)
            case .masterKey: try keys.rotateMasterKey(to: KeyFolder.master(2))
            }
        }

        /// The numbers of Ada's keys, of Bob's keys, and of destroyed keys.
        var before: [Int] { self == .first ? [0, 0, 0] : [1, 0, 0] }
        var after: [Int] {
            switch self {
            case .first, .masterKey: [1, 0, 0]
            case .another: [1, 1, 0]
            case .rotation: [2, 0, 0]
            case .destruction: [0, 0, 1]
            }
        }

        static func count(_ path: String) throws -> [Int] {
            // Under either master key.
            _ = try KeyFolder.open(path, 2, former: 1)
            let bytes = try KeyFolder.read(path)
            if bytes.isEmpty { return [0, 0, 0] }
            let contents = try (try? KeyFileFixture.contents(bytes, 2)) ?? KeyFileFixture.contents(bytes)
            let owners = contents.entries.map(\.owner)
            return [owners.count { $0 == Users.ada }, owners.count { $0 == Users.bob }, contents.destroyed.count]
        }

        func calls(_ faults: (StorageFaults.Plan) -> StorageFaults) throws -> [String] {
            let folder = KeyFolder()
            try prepare(folder.open())
            let counting = faults(.none)
            let keys = try folder.open()
            try counting.during { try make(keys) }
            #expect(try Self.count(folder.path) == after)
            return counting.calls
        }
    }

    @Test("reports the disk's error if a call fails", arguments: Change.allCases, [ENOSPC, EIO])
    func saysWhatItsDiskSaysWhereACallFails(_ change: Change, _ code: Int32) throws {
        for naming in Naming.allCases {
            for number in 1...(try change.calls(naming.faults).count) {
                let folder = KeyFolder()
                let keys = try folder.open()
                try change.prepare(keys)
                expect(throws: code == ENOSPC ? ProtectionError.Code.noSpace : .systemCall, "call \(number)") {
                    try naming.faults(.fail(atCall: number, with: code)).during { try change.make(keys) }
                }
                let found = try Change.count(folder.path)
                #expect(found == change.before || found == change.after, "call \(number)")
                // Memory agrees with the disk.
                try change.make(keys)
                let again = try Change.count(folder.path)
                let twice = change == .rotation && found == change.after
                #expect(again == (twice ? [3, 0, 0] : change.after), "call \(number)")
                #expect(folder.folder.names.allSatisfy { !AtomicReplacement.isTemporary($0) })
            }
        }
    }

    @Test("does not report destroyed keys before that is durable")
    func doesNotSayThatKeysAreDestroyedBeforeThatLasts() throws {
        let calls = try Change.destruction.calls { StorageFaults($0) }
        let folder = KeyFolder()
        let keys = try folder.open()
        try Change.destruction.prepare(keys)
        let rename = try #require(calls.firstIndex(of: "rename"))
        // From the directory's `fsync` after the rename on, also when it is called again.
        #expect(
            KeyFolder.code {
                try StorageFaults(.failAll(fromCall: rename + 2, with: EIO)).during {
                    try keys.destroyKeys(of: Users.ada)
                }
            } == .systemCall
        )
        #expect(try Change.count(folder.path) == [0, 0, 1])
        let again = StorageFaults()
        try again.during { try keys.destroyKeys(of: Users.ada) }
        #expect(again.calls.last == "fsync")
    }

    @Test("is old or new after a power cut", arguments: Change.allCases, Naming.allCases)
    func isOldOrNewWhereThePowerIsCut(_ change: Change, _ naming: Naming) throws {
        let folder = KeyFolder()
        try change.prepare(folder.open())
        let keys = try folder.open()
        let recorder = try DiskRecorder(folder.folder.path)
        try recorder.faults(lacking: naming.lacks).during { try change.make(keys) }
        recorder.acknowledge()
        for cut in recorder.cuts() {
            let (left, _) = try cut.restored()
            let path = left / KeyFolder.name
            let found = try Change.count(path)
            #expect(found == change.after || !cut.isAcknowledged && found == change.before, "\(cut): \(found)")
            if cut.isAcknowledged, change == .destruction || change == .masterKey {
                #expect(left.names.allSatisfy { !AtomicReplacement.isTemporary($0) }, "\(cut)")
            }
            try KeyFolder.open(path, 2, former: 1).destroyKeys(of: Users.ada)
            #expect(left.names.allSatisfy { ["keys", "keys.lock"].contains($0) }, "\(cut)")
        }
    }

    #if compiler(>=6.3)  // an exit test that captures
    @Test(
        "is old or new if the process ends at any call",
        .enabled(if: !Sanitizer.isOn, "each process is slow to begin"),
        arguments: Change.allCases,
        Naming.allCases
    )
    func isOldOrNewWhereTheProcessEndsAtAnyCall(_ change: Change, _ naming: Naming) async throws {
        try await forEachCall(upTo: change.calls(naming.faults).count) { number in
            let folder = KeyFolder()
            try change.prepare(folder.open())
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [
                    path = folder.path as String, number = number as Int, change = change as Change,
                    naming = naming as Naming
                ] in
                let keys = try KeyFolder.open(path)
                naming.faults(.killProcess(atCall: number)).install()
                try change.make(keys)
            }
            let found = try Change.count(folder.path)
            #expect(found == change.before || found == change.after, "call \(number)")
            #expect(
                folder.folder.names.allSatisfy {
                    ["keys", "keys.lock"].contains($0) || AtomicReplacement.isTemporary($0)
                }
            )
            // The next process continues, and leaves nothing of destroyed keys.
            try KeyFolder.open(folder.path, 2, former: 1).destroyKeys(of: Users.ada)
            #expect(folder.folder.names.allSatisfy { ["keys", "keys.lock"].contains($0) })
            return true
        }
    }
    #endif
}
