import Foundation
import MultiIdentity
import MultiIdentityFiles
import MultiIdentityPolicy
import MultiIdentityProtection
import Synchronization

/// A process that wipes an account, or goes on with its wipe, and that may be killed anywhere.
final class WipingProcess: Sendable {
    private let folder: String
    private let number: Int
    private let events: WipeEvents
    private let draw: Mutex<SeededGenerator>
    /// The number of events after which this process kills itself; 0 for none.
    private let last: Int
    private let count = Atomic(0)
    private let (ada, bob): (Identity, Identity)
    private let first: IdentityFileSystem
    private let second: IdentityFileSystem
    private let keys: KeyFile

    init(_ folder: String, seed: UInt64, number: Int) throws {
        var draw = SeededGenerator(seed: seed &* 8 + UInt64(number))
        let kind = number < 3 ? draw.below(4) : 0
        last = kind == 1 ? 1 + draw.below(10) : 0
        let microseconds = kind == 2 ? UInt32(draw.below(8_000)) : 0
        self.folder = folder
        self.number = number
        self.draw = Mutex(draw)
        events = WipeEvents(folder)
        (ada, bob) = (try Identity("ada@example.com"), try Identity("bob@example.com"))
        first = try IdentityFileSystem(root: folder + "/first", records: .index(in: folder + "/first-index"))
        second = try IdentityFileSystem(root: folder + "/second", records: .index(in: folder + "/second-index"))
        keys = try KeyFile(at: folder + "/keys/keys", masterKey: MasterKey(Array(0..<32)))
        if kind == 2 {
            Thread.detachNewThread {
                usleep(microseconds)
                kill(getpid(), SIGKILL)
            }
        }
    }

    /// Makes what there is before the wipe: files of an account in two storages, its keys, and a file of another account.
    static func prepare(_ folder: String) throws {
        for name in ["first/1", "first/2", "second", "first-index", "second-index", "keys"] {
            try FileManager.default.createDirectory(
                atPath: "\(folder)/\(name)",
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        }
        let process = try WipingProcess(folder, seed: 0, number: 3)
        try withIdentity(process.ada) { () throws in
            try process.first.replace("1/file0", with: [1])
            try process.first.replace("2/file1", with: [1])
            try process.second.replace("file", with: [1])
        }
        try withIdentity(process.bob) { () throws in try process.first.replace("1/other", with: [1]) }
        _ = try process.keys.currentKey(for: process.ada)
        for name in ["rows", "events"] { try Data().write(to: URL(fileURLWithPath: "\(folder)/\(name)")) }
    }

    func run() async throws {
        IdentityRevocation.isOn = true
        for round in 0..<6 {
            let mayFail = round < 3 && number < 3
            // A later program can lack what an earlier one had.
            let lacks = mayFail && (try? events.line.contains("H")) == true ? drawn(6) : 2
            let wipe = try wipe(hasSecond: lacks != 0, hasKeys: lacks != 1, mayFail: mayFail)
            let isRevoked = IdentityRevocation.isRevoked(ada)
            add("I", (lacks != 0 ? 1 : 0) + (lacks != 1 ? 2 : 0), isRevoked ? 1 : 0)
            if round == 0, number == 0, drawn(2) == 0 { Task { try work() } }
            let isOver = try await wipe.status().contains { $0.state == .complete }
            let isComplete = if isOver { true } else { try await wipe.wipe(ada).isComplete }
            add("P", isComplete ? 1 : 0)
            if isComplete { return }
        }
    }

    private func add(_ letter: Character, _ one: Int = 0, _ two: Int = 0) {
        events.add(letter, one, two)
        if count.add(1, ordering: .relaxed).newValue == last { kill(getpid(), SIGKILL) }
    }

    private func drawn(_ limit: Int) -> Int { draw.withLock { $0.below(limit) } }

    private func wipe(hasSecond: Bool, hasKeys: Bool, mayFail: Bool) throws -> IdentityWipe {
        try IdentityWipe(
            journals: folder + "/wipes",
            accounts: Managed(),
            storages: [TracedStorage(of: self, 1)] + (hasSecond ? [TracedStorage(of: self, 2)] : []),
            keys: hasKeys ? TracedKeys(of: self) : nil
        ) { [self] _ in
            if mayFail, drawn(4) == 0 {
                add("H", 0)
                throw WipeFailure("drawn", because: "it was drawn.")
            }
            try? FileManager.default.removeItem(atPath: folder + "/rows")
            add("H", 1)
            let file = drawn(4)
            for (from, to) in [(1, 2), (2, 1)] where file < 2 {
                guard (try? first.move("\(from)/file\(file)", to: "\(to)/file\(file)")) != nil else { continue }
                add("M", file)
                break
            }
            return .leftToStorages
        }
    }

    /// Work of the account that has begun, and makes a file.
    private func work() throws {
        try withIdentity(ada) { () throws in
            try IdentityRevocation.admit(ada)
            add("A")
            usleep(UInt32(drawn(2_000)))
            add("W", (try? first.replace("1/late", with: [1])) == nil ? 0 : 1)
        }
    }

    private struct Managed: ManagedIdentities {
        func isManaged(_ identity: Identity) -> Bool { true }
    }

    private struct TracedStorage: WipedStorage {
        private let process: WipingProcess
        private let number: Int

        init(of process: WipingProcess, _ number: Int) { (self.process, self.number) = (process, number) }

        private var files: IdentityFileSystem { number == 1 ? process.first : process.second }

        var storageName: String { files.storageName }

        func files(of identity: Identity, _ visit: WipeVisit) throws(WipeFailure) {
            try files.files(of: identity, visit)
        }

        func removeFiles(of identity: Identity, _ visit: WipeVisit) throws(WipeFailure) {
            try files.removeFiles(of: identity, visit)
            let names = number == 1 ? ["file0", "file1", "late", "other"] : ["file"]
            let left = names.enumerated().reduce(0) { left, name in
                let isThere = ["", "1/", "2/"].contains { folder in
                    FileManager.default.fileExists(atPath: "\(files.root)/\(folder)\(name.element)")
                }
                return left + (isThere ? 1 << name.offset : 0)
            }
            process.add("F", number, left)
        }
    }

    private struct TracedKeys: IdentityKeyProvider {
        private let process: WipingProcess

        init(of process: WipingProcess) { self.process = process }

        func currentKey(for identity: Identity) throws(IdentityKeyError) -> IdentityKey {
            try process.keys.currentKey(for: identity)
        }

        func key(_ id: IdentityKeyID, of identity: Identity) throws(IdentityKeyError) -> IdentityKey {
            try process.keys.key(id, of: identity)
        }

        func hasKeys(of identity: Identity) throws(IdentityKeyError) -> Bool { try process.keys.hasKeys(of: identity) }

        func rotateKey(of identity: Identity) throws(IdentityKeyError) -> IdentityKeyID {
            try process.keys.rotateKey(of: identity)
        }

        func destroyKeys(of identity: Identity) throws(IdentityKeyError) {
            try process.keys.destroyKeys(of: identity)
            process.add("K", try process.keys.hasKeys(of: identity) ? 1 : 0)
        }
    }
}
