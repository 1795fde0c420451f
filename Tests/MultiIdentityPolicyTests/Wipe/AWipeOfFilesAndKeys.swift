import Foundation
import MultiIdentity
import MultiIdentityFiles
import MultiIdentityPolicy
import MultiIdentityProtection
import Testing

/// With this package's storage and keys, and owners stored in either form.
@Suite("A wipe of files and keys", .timeLimit(.minutes(20))) struct AWipeOfFilesAndKeys {
    /// A root with files, and keys and journals next to it.
    struct Place: ManagedIdentities {
        let files: IdentityFileSystem
        let keys: KeyFile
        let journals: String

        init(_ path: String, _ records: Keeping) throws {
            for folder in ["root", "index", "keys"] {
                try FileManager.default.createDirectory(
                    atPath: "\(path)/\(folder)",
                    withIntermediateDirectories: true,
                    attributes: [.posixPermissions: 0o700]
                )
            }
            files = try OwnedRoot.open(path, records)
            keys = try KeyFile(at: path + "/keys/keys", masterKey: MasterKey(Array(0..<32)))
            journals = path + "/wipes"
        }

        func isManaged(_ identity: Identity) -> Bool { true }

        func wipe() throws -> IdentityWipe {
            try IdentityWipe(
                journals: journals,
                accounts: self,
                storages: [files],
                keys: keys,
                yields: false
            ) { _ in .notRemoved }
        }

        /// Creates files of an account, one of them replaced and one with two names, and two keys.
        func fill(_ identity: Identity) throws {
            try withIdentity(identity) { () throws in
                for name in ["one", "two"] { try files.replace("\(identity.name)-\(name)", with: Array("new".utf8)) }
                try files.replace("\(identity.name)-two", with: Array("newer".utf8))
            }
            let root = URL(fileURLWithPath: files.root)
            try FileManager.default.linkItem(
                at: root.appendingPathComponent("\(identity.name)-one"),
                to: root.appendingPathComponent("\(identity.name)-link")
            )
            _ = try keys.currentKey(for: identity)
            try keys.rotateKey(of: identity)
        }

        func names(of identity: Identity) throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: files.root).filter { $0.hasPrefix(identity.name) }
                .sorted()
        }

        func isUntouched(_ identity: Identity) throws -> Bool {
            let names = try names(of: identity)
            return try names.map { String($0.dropFirst(identity.name.utf8.count)) } == ["-link", "-one", "-two"]
                && names.allSatisfy { try files.owner(of: $0) == .identity(identity) }
                && keys.keyCount(of: identity) == 2
        }

        func isGone(_ identity: Identity) throws -> Bool {
            try names(of: identity).isEmpty && keys.keyCount(of: identity) == 0
        }
    }

    let folder = TemporaryFolder()

    private func accounts(_ number: Int = 0) -> (Identity, Identity) {
        let id = folder.path.split(separator: "-").last ?? ""
        return (Users.named("ada\(number)-\(id)"), Users.named("bob\(number)-\(id)"))
    }

    @Test("leaves nothing of one account and everything of another", .rule("13.1"), arguments: Keeping.allCases)
    func leavesNothingOfOneAndAllOfAnother(_ records: Keeping) async throws {
        let place = try Place(folder.path, records)
        let (ada, bob) = accounts()
        try place.fill(ada)
        try place.fill(bob)
        let wipe = try place.wipe()
        let forecast = try await wipe.dryRun(ada)
        #expect(forecast.keyCount == 2)
        #expect(forecast.bytes == 8)
        #expect(try place.isUntouched(ada))
        let report = try await wipe.wipe(ada)
        #expect(report.isComplete, "\(report)")
        #expect(report.files == forecast.files)
        #expect(report.bytes == 8)
        #expect(report.keyCount == 2)
        #expect(try place.isGone(ada))
        #expect(try place.isUntouched(bob))
        #expect(throws: IdentityFileError.self) {
            try withIdentity(ada) { () throws in try place.files.replace("new", with: []) }
        }
        #expect(throws: ProtectionError.self) { try place.keys.currentKey(for: ada) }
        // Nor does the name remain in the data of the storage and the keys.
        for file in ["index", "keys"] {
            for name in try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/\(file)") {
                let data = FileManager.default.contents(atPath: "\(folder.path)/\(file)/\(name)") ?? Data()
                #expect(data.range(of: Data(ada.name.utf8)) == nil, "\(file)/\(name)")
            }
        }
    }

    #if compiler(>=6.3)  // an exit test that captures
    // The number of calls differs from run to run, since a wipe records its progress each second. So this test does not count them in
    // advance.
    @Test("is completed after a crash at any call", .rule("13.4"), arguments: Keeping.allCases)
    func isEndedAfterACrashAtAnyCall(_ records: Keeping) async throws {
        let count = try await forEachCall { [self] number in
            let path = folder / "\(number)"
            let (ada, bob) = accounts(number)
            try {
                let place = try Place(path, records)
                try place.fill(ada)
                try place.fill(bob)
            }()
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [path = path as String, records = records as Keeping, name = ada.name as String, number = number as Int]
                in
                let wipe = try Place(path, records).wipe()
                StorageFaults(.killProcess(atCall: number)).install()
                #expect(try await wipe.wipe(Identity(name)).isComplete)
                Interrupted.gotThrough(path)
            }
            let place = try Place(path, records)
            if try place.keys.keyCount(of: ada) ?? 0 < 2 { #expect(try place.names(of: ada).isEmpty, "call \(number)") }
            let wipe = try place.wipe()
            let isAnnounced = IdentityRevocation.isRevoked(ada)
            let statuses = try await wipe.resume()
            #expect(statuses.allSatisfy { $0.identity == ada && $0.state == .complete }, "call \(number): \(statuses)")
            if let report = statuses.first?.report { #expect(report.failures.isEmpty, "call \(number)") }
            #expect(try place.isGone(ada) == isAnnounced, "call \(number)")
            if try !place.isGone(ada) {
                #expect(try statuses.isEmpty && place.isUntouched(ada), "call \(number)")
                #expect(try await wipe.wipe(ada).isComplete)
            }
            #expect(try place.isGone(ada), "call \(number)")
            #expect(try place.isUntouched(bob), "call \(number)")
            return !Interrupted.hasGotThrough(path)
        }
        #expect(count * Interrupted.step > 20)
    }
    #endif

    #if compiler(>=6.3)  // an exit test that captures
    @Test("is completed after a power cut at any call", .rule("13.4"), arguments: Keeping.allCases)
    func isEndedAfterAPowerCutAtAnyCall(_ records: Keeping) async throws {
        // In another process: a wipe revokes for the whole process, on its own threads.
        await #expect(processExitsWith: .success) { [path = folder.path as String, records = records as Keeping] in
            let (ada, bob) = (Users.named("ada"), Users.named("bob"))
            let recorder = try Self.filled(path, records, [ada, bob])
            recorder.faults().install()
            #expect(try await Place(path, records).wipe().wipe(ada).isComplete)
            recorder.acknowledge()
            for cut in recorder.cuts() {
                // As in a process that starts.
                IdentityRevocation.readmit(ada, after: .wiped)
                StorageFaults().install()
                try cut.restore(at: path).install()
                try await Self.check(path, records, ada, bob, cut)
            }
        }
    }
    #endif

    private static func filled(_ path: String, _ records: Keeping, _ accounts: [Identity]) throws -> DiskRecorder {
        let place = try Place(path, records)
        for account in accounts { try place.fill(account) }
        return try DiskRecorder(path)
    }

    /// Continues a wipe after a power cut.
    private static func check(
        _ path: String,
        _ records: Keeping,
        _ ada: Identity,
        _ bob: Identity,
        _ cut: PowerCut
    ) async throws {
        let place = try Place(path, records)
        if try place.keys.keyCount(of: ada) ?? 0 < 2 { #expect(try place.names(of: ada).isEmpty, "\(cut)") }
        if cut.isAcknowledged { #expect(try place.isGone(ada), "\(cut)") }
        let wipe = try place.wipe()
        let statuses = try await wipe.resume()
        if try !place.isGone(ada) {
            // The wipe had not begun, and the remains of its first record say nothing.
            let isUnbegun = statuses.allSatisfy { $0.state == .unreadable }
            #expect(try isUnbegun && place.isUntouched(ada), "\(cut): \(statuses)")
            #expect(try await wipe.wipe(ada).isComplete, "\(cut)")
        } else {
            #expect(statuses.allSatisfy { $0.state == .complete }, "\(cut): \(statuses)")
        }
        #expect(try place.isGone(ada), "\(cut)")
        #expect(try place.isUntouched(bob), "\(cut)")
    }
}
