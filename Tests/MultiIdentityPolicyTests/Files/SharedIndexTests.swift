import Foundation
import MultiIdentity
@_spi(Checks) import MultiIdentityTesting
import Testing

@testable import MultiIdentityFiles

/// An index that is open twice behaves as in two processes: each instance has its own memory, descriptors and locks.
@Suite("An index that is open twice") struct AnIndexThatTwoHaveOpen {
    let folder = TemporaryFolder()

    init() throws {
        try FileManager.default.createDirectory(atPath: folder / "root", withIntermediateDirectories: false)
    }

    private func open() throws -> IdentityFileSystem { try OwnedRoot.open(folder.path, .index) }

    private func mentions(_ name: String) throws -> Bool {
        try FileManager.default.subpathsOfDirectory(atPath: folder / "index").contains { file in
            FileManager.default.contents(atPath: folder / "index/\(file)")?.range(of: Data(name.utf8)) != nil
        }
    }

    @Test("shows each at once what the other did", .rule("11.4")) func showsEachWhatTheOtherDid() throws {
        let (one, other) = (try open(), try open())
        try withIdentity(Users.ada) { try one.replace("a", with: [1]) }
        #expect(try other.owner(of: "a") == .ada)
        try other.setOwner(.bob, of: "a")
        #expect(try one.owner(of: "a") == .bob)
        try one.makeDirectory("d")
        try one.move("a", to: "d/a")
        try other.move("d", to: "e")
        #expect(try one.owner(of: "e/a") == .bob)
        #expect(one.files(of: .bob).paths == ["e/a"])
        try one.remove("e/a")
        #expect(try other.store.index?.entries.isEmpty == true)
    }

    @Test("is read again once the other has rewritten it") func isReadAnew() throws {
        let (one, other) = (try open(), try open())
        for name in ["a", "b"] { try withIdentity(Users.ada) { try one.replace(name, with: [1]) } }
        #expect(try other.owner(of: "a") == .ada)
        try one.remove("b")
        _ = try one.repair()
        #expect(try other.owner(of: "a") == .ada)
        try withIdentity(Users.bob) { try other.replace("c", with: [1]) }
        #expect(try one.owner(of: "c") == .bob)
        let third = try open()
        #expect(try third.owner(of: "a") == .ada && third.owner(of: "c") == .bob)
    }

    @Test("has no name that the other wiped, whatever is recorded afterwards", .rule("13.1"))
    func hasNoNameThatTheOtherWiped() throws {
        let (one, other) = (try open(), try open())
        for number in 0..<8 {
            try withIdentity(number % 2 == 0 ? Users.ada : Users.bob) { try one.replace("f\(number)", with: [1]) }
        }
        #expect(try other.owner(of: "f0") == .ada)
        let gone = try other.directory.status(of: "f0")
        let witness = Witness()
        try one.removeFiles(of: Users.ada, witness.visit)
        #expect(witness.failed.isEmpty && witness.removed.count == 4)
        #expect(try !mentions("ada@"))
        // What the other instance knew does not come back: neither by its own change nor when it rewrites the log.
        try other.setOwner(.identity(Users.eve), of: "f1")
        other.store.index?.recordIfPossible(.unname(other.store.key(gone), RootedPath(known: "f0")))
        other.store.nameIsGone(gone, RootedPath(known: "f0"))
        _ = try other.repair()
        try other.store.index?.compact(areLossesTold: true)
        #expect(try !mentions("ada@") && !mentions("f0"))
        #expect(try other.owner(of: "f3") == .bob)
        #expect(try one.owner(of: "f1") == .identity(Users.eve))
    }

    @Test("is not reverted by a rewrite while the other wipes", .rule("13.1"))
    func isNotPutBack() throws {
        let (one, other) = (try open(), try open())
        for (name, owner) in [("a", Users.ada), ("b", Users.bob), ("c", Users.eve)] {
            try withIdentity(owner) { try one.replace(name, with: [1]) }
        }
        let index = try #require(other.store.index)
        let key = other.store.key(try other.directory.status(of: "c"))
        var wiped = 0
        try index.forget([key], of: .identity(Users.eve)) { count in
            // By now the other instance's draft contains Ada's file.
            guard count == 1, wiped == 0 else { return }
            wiped += 1
            #expect(throws: Never.self) {
                let witness = Witness()
                try one.removeFiles(of: Users.ada, witness.visit)
                try withIdentity(Users.bob) { try one.replace("d", with: [1]) }
            }
        }
        #expect(wiped == 1)
        #expect(try !mentions("ada@") && !mentions("eve@"))
        let third = try open()
        #expect(try third.owner(of: "b") == .bob && third.owner(of: "d") == .bob && third.owner(of: "c") == nil)
    }

    @Test("lets a wipe find what the other moves meanwhile", .rule("13.1")) func letsAWipeFindWhatIsMoved() throws {
        let (one, other) = (try open(), try open())
        try one.makeDirectory("d")
        try one.makeDirectory("z")
        for name in ["d/a", "d/b", "z/c"] { try withIdentity(Users.ada) { try one.replace(name, with: [1]) } }
        let moved = Locked(false)
        try one.removeFiles(
            of: Users.ada,
            WipeVisit { _ in
                // Once the wipe has passed `d`, a file arrives there.
                guard
                    !moved.withLock({
                        let was = $0; $0 = true; return was
                    })
                else { return }
                #expect(throws: Never.self) {
                    try other.move("z/c", to: "moved")
                    try other.move("d", to: "elsewhere")
                }
            }
        )
        #expect(moved.withLock { $0 })
        #expect(other.files(of: .ada).paths.isEmpty)
        #expect(try !mentions("ada@"))
    }

    @Test("is over for both once one has moved its owners to attributes", .rule("11.4")) func isOverForBoth() throws {
        let records = OwnerRecords.automatic(indexIn: folder / "index")
        do { try withIdentity(Users.ada) { try open().replace("a", with: [1]) } }
        let one = try IdentityFileSystem(root: folder / "root", records: records)
        let other = try IdentityFileSystem(root: folder / "root", records: records)
        #expect(try other.owner(of: "a") == .ada)
        #expect(try one.repair().movedToAttributes == ["a"])
        #expect(!FileManager.default.fileExists(atPath: folder / "index/owners.log"))
        #expect(try other.owner(of: "a") == .ada)
        try other.setOwner(.bob, of: "a")
        #expect(try one.owner(of: "a") == .bob && other.owner(of: "a") == .bob)
    }

    @Test("continues if one ended in the middle of a record") func goesOnWhereOneEnded() throws {
        let (one, other) = (try open(), try open())
        try withIdentity(Users.ada) { try one.replace("a", with: [1]) }
        #expect(try other.owner(of: "a") == .ada)
        let log = try #require(FileHandle(forWritingAtPath: folder / "index/owners.log"))
        log.seekToEndOfFile()
        log.write(Data(RecordLogFormat.mark + [9, 0]))
        #expect(try other.owner(of: "a") == .ada)
        try withIdentity(Users.bob) { try one.replace("b", with: [1]) }
        #expect(try other.owner(of: "b") == .bob && open().owner(of: "b") == .bob)
    }

    /// The disk fails when a record is written or synchronized, and from then on.
    @Test(
        "loses nothing of the other's if a record failed and could not be undone",
        .rule("11.4"),
        .rule("13.1"),
        arguments: [1, 2]
    )
    func losesNothingOfTheOthers(_ call: Int) throws {
        let (one, other) = (try open(), try open())
        try withIdentity(Users.bob) { try one.replace("a", with: [1]) }
        let code = fileErrorCode {
            try StorageFaults(.failAll(fromCall: call, with: EIO)).during { try one.setOwner(.ada, of: "a") }
        }
        #expect(code == .systemCall)
        #expect(try one.store.index?.log.hasNews == true)
        try withIdentity(Users.ada) { try other.replace("b", with: [1]) }
        try withIdentity(Users.bob) { try one.replace("c", with: [1]) }
        for files in [one, other, try open()] {
            // What was completely written counts for all instances.
            #expect(try files.owner(of: "a") == (call == 1 ? .bob : .ada))
            #expect(try files.owner(of: "b") == .ada && files.owner(of: "c") == .bob)
        }
        let witness = Witness()
        try one.removeFiles(of: Users.ada, witness.visit)
        #expect(witness.removed == (call == 1 ? ["b"] : ["a", "b"]) && witness.failed.isEmpty)
    }

    @Test("shows a flipped byte to the one that must read it", .rule("11.4")) func showsAFlippedByte() throws {
        let (one, other) = (try open(), try open())
        try withIdentity(Users.ada) { try one.replace("a", with: [1]) }
        #expect(try other.owner(of: "a") == .ada)
        try one.setOwner(.bob, of: "a")
        try ALogOfRecords.tamper(folder / "index/owners.log") { $0[$0.count - 3] ^= 1 }
        #expect(fileErrorCode { _ = try other.owner(of: "a") } == .damagedOwner)
        #expect(try other.repair().failures.map(\.code) == [.invalidIndex])
    }

    @Test("waits for the lock until its timeout, and no longer") func waitsForTheLock() throws {
        let path = folder / "log"
        let format = RecordLogFormat(magic: "MITESTED", version: 1)
        let log = try SharedRecordLog.open(path, format, patience: 20) { _ in }
        let exclusive = try RecordLog.open(path, format) { _ in }
        expect(throws: RecordLogError.Code.inUse) { try log.append({ _ in }, { [1] }, done: {}) }
        #expect(throws: RecordLogError.self) { try SharedRecordLog.open(path, format, patience: 20) { _ in } }
        try exclusive.append([2])
        withExtendedLifetime(exclusive) {}
    }

    @Test("waits for no one to find that there is no news while its own record is written")
    func findsNoNewsInItsOwn() throws {
        let files = try open()
        let index = try #require(files.store.index)
        let found = Locked<[Bool]>([])
        let faults = StorageFaults { call in
            guard call.path.hasSuffix("owners.log"), call.name == "fsync" else { return }
            if let news = try? index.log.hasNews { found.withLock { $0.append(news) } }
        }
        try faults.during { try withIdentity(Users.ada) { try files.replace("a", with: [1]) } }
        #expect(found.withLock { $0 } == [false])
    }

    #if compiler(>=6.3)  // exit tests that capture
    /// Both processes are killed at random calls and replaced by others; another process wipes meanwhile.
    @Test(
        "loses nothing acknowledged and restores no wiped name if processes are killed",
        .rule("11.6"),
        .enabled(if: !Sanitizer.isOn, "each process is slow to begin"),
        arguments: [1, 2] as [UInt64]
    )
    func losesNothingWhereProcessesAreKilled(_ seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let path = folder.path
        for number in 0..<2 { folder.write("", to: "acknowledged\(number)") }
        var acknowledged = 0
        for round in 0..<4 {
            do {
                let files = try open()
                for number in 0..<10 { try withIdentity(Users.ada) { try files.replace("ada\(number)", with: [1]) } }
            }
            let draws = [random.next(), random.next(), random.next()]
            async let first: Void = worker(0, path, seed &+ UInt64(round) &* 100, Int(draws[0] % 400) + 20)
            async let second: Void = worker(1, path, seed &+ UInt64(round) &* 100, Int(draws[1] % 400) + 20)
            // This process wipes while the two others work and are killed.
            let files = try open()
            let witness = Witness()
            try files.removeFiles(of: Users.ada, witness.visit)
            #expect(witness.removed.count == 10, "seed \(seed), round \(round): \(witness.failed)")
            _ = await (first, second)
            #expect(witness.failed.isEmpty, "seed \(seed), round \(round)")
            let fresh = try open()
            #expect(try !mentions("ada@"), "seed \(seed), round \(round)")
            // For each killed worker, the one change that was not acknowledged may be done.
            for number in 0..<2 {
                var changed: [String] = []
                for (name, owner) in IndexWorker.acknowledged(path, number) {
                    let found = try? fresh.owner(of: name)
                    if found?.identity?.name != owner { changed.append(name) }
                    guard FileManager.default.fileExists(atPath: folder / "root/\(name)") else { continue }
                    let text = try String(contentsOfFile: folder / "root/\(name)", encoding: .utf8)
                    #expect(text == found?.identity?.name, "seed \(seed), round \(round): \(name)")
                    acknowledged += 1
                }
                #expect(changed.count <= round + 1, "seed \(seed), round \(round): \(changed)")
            }
            let before = try fresh.store.index?.entries.map { $0 } ?? []
            let after = try files.store.index?.entries.map { $0 } ?? []
            #expect(
                Dictionary(uniqueKeysWithValues: before.map { ($0.key, $0.value) })
                    == Dictionary(uniqueKeysWithValues: after.map { ($0.key, $0.value) })
            )
        }
        #expect(acknowledged > 10, "seed \(seed): something was acknowledged")
    }

    private func worker(_ number: Int, _ path: String, _ seed: UInt64, _ call: Int) async {
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [path = path as String, number = number as Int, seed = seed as UInt64, call = call as Int] in
            StorageFaults(.killProcess(atCall: call)).install()
            try IndexWorker(folder: path, number: number, seed: seed).work(100)
        }
    }
    #endif
}
