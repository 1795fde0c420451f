import CMultiIdentitySQLite
import Foundation
import MultiIdentity
@_spi(Stores) import MultiIdentityManagement
import MultiIdentityPolicy
import Testing

@Suite("A database of accounts") struct DatabaseOfAccountsTests {
    @Test("is refused if it is no database, or belongs to another program or a later version", .rule("15.10"))
    func isRefused() throws {
        let folder = try DatabaseFolder()
        _ = FileManager.default.createFile(atPath: folder.database, contents: Data("no database at all".utf8))
        expect(throws: ManagementError.Code.damaged) { try SQLiteAccountStore(folder.database) }
        expect(throws: ManagementError.Code.unavailable) { try SQLiteAccountStore(folder.path + "/no/where") }
        for (statements, code) in [
            ("CREATE TABLE of_others (name TEXT)", ManagementError.Code.damaged),
            ("PRAGMA user_version = 2; PRAGMA application_id = 7", .damaged),
            ("PRAGMA user_version = 5; PRAGMA application_id = 7", .damaged),
            ("PRAGMA user_version = 99", .unsupportedVersion),
        ] {
            let path = "\(folder.path)/\(statements).sqlite"
            folder.change(statements, at: path)
            let failure = #expect(throws: ManagementError.self, "\(statements)") { try SQLiteAccountStore(path) }
            #expect(failure?.code == code, "\(statements)")
        }
    }

    @Test("with the last or the first event number accepts no event, and never traps", .rule("15.10"))
    func withTheLastNumber() async throws {
        let folder = try DatabaseFolder()
        let scene = RegistryScene(store: try SQLiteAccountStore(folder.database))
        try await scene.enroll(RegistryScene.account())
        scene.registry.abandon()
        folder.change("UPDATE accounts SET runs = \(Int64.max); UPDATE store SET last_event = \(Int64.max)")
        let next = RegistryScene(store: try SQLiteAccountStore(folder.database))
        try await next.registry.start()
        await next.pass(hours: 26)
        expect(throws: ManagementError.Code.storeFailed) { try next.registry.register(RegistryScene.account()) }
        next.registry.abandon()
        folder.change("UPDATE store SET last_event = \(Int64.min)")
        let last = RegistryScene(store: try SQLiteAccountStore(folder.database))
        try await last.registry.start()
        _ = try last.registry.report()
    }

    @Test(
        "with a damaged row lets no process start, delays no other, and is not settled for its account",
        .rule("15.11")
    )
    func withADamagedRow() async throws {
        let folder = try DatabaseFolder()
        let scene = RegistryScene(store: try SQLiteAccountStore(folder.database))
        let (ada, bob) = (RegistryScene.account(), RegistryScene.account())
        try await scene.registry.start()
        for account in [ada, bob] {
            try await scene.enroll(account)
        }
        folder.change("UPDATE accounts SET stage = 'damaged' WHERE key = '\(bob.caselessName)'")
        expect(throws: ManagementError.Code.storeFailed) { try scene.registry.remove(bob, because: "left") }
        #expect(throws: ManagementError.self) { try scene.registry.admit(bob) }
        try scene.registry.remove(ada, because: "left")
        #expect(try await !scene.registry.waitUntilSettled(timeout: .milliseconds(10)))
        let next = RegistryScene(store: try SQLiteAccountStore(folder.database), isRead: false)
        await #expect(throws: ManagementError.self) { try await next.registry.start() }
        #expect(!next.accounts.decide(.log, for: bob).isAllowed)
        folder.change("UPDATE accounts SET stage = 'enrolled' WHERE key = '\(bob.caselessName)'")
        #expect(try await scene.registry.waitUntilSettled(timeout: .seconds(60)))
        #expect(try scene.registry.account(bob)?.stage != .enrolled)
    }

    @Test("that was replaced is opened again, and a change to the old one has no effect", .rule("15.10"))
    func thatWasReplaced() throws {
        let folder = try DatabaseFolder()
        let (ada, bob) = (try record(damaging: "ada@contoso.com"), try record(damaging: "bob@contoso.com"))
        func put(_ record: AccountRecord, _ store: SQLiteAccountStore) throws {
            try store.transaction { (transaction) throws(ManagementError) in try transaction.put(record) }
        }
        func all(_ store: SQLiteAccountStore) throws -> [AccountRecord] {
            try store.reading { (transaction) throws(ManagementError) in try transaction.accounts(nil) }
        }
        func move(_ from: String, _ to: String) throws {
            for end in ["", "-wal", "-shm"] { try FileManager.default.moveItem(atPath: from + end, toPath: to + end) }
        }
        let (other, away) = (folder.path("other"), folder.path("away"))
        let second = try SQLiteAccountStore(other)
        try put(bob, second)
        let store = try SQLiteAccountStore(folder.database)
        try put(ada, store)
        try move(folder.database, away)
        // Missing, and empty, as while it is being copied.
        for size in 0...1 {
            if size == 1 { _ = FileManager.default.createFile(atPath: folder.database, contents: nil) }
            let failure = #expect(throws: ManagementError.self) { try put(bob, store) }
            #expect(failure?.code == .unavailable && failure?.message.contains("is missing") == true)
            #expect(throws: ManagementError.self) { try all(store) }
        }
        try FileManager.default.removeItem(atPath: folder.database)
        try move(other, folder.database)
        #expect(try all(store) == [bob])
        let failure = #expect(throws: ManagementError.self) {
            try store.transaction { (transaction) throws(ManagementError) in
                try transaction.remove(bob.identity)
                do { try move(folder.database, other) } catch { throw ManagementError(.damaged, "\(error)") }
                do { try move(away, folder.database) } catch { throw ManagementError(.damaged, "\(error)") }
            }
        }
        #expect(failure?.code == .unavailable && failure?.message.contains("replaced") == true)
        #expect(try all(store) == [ada])
        try put(bob, store)
        #expect(try all(SQLiteAccountStore(folder.database)) == [ada, bob])
    }

    @Test("is in a file that no other user may read", .rule("15.10"))
    func liesInAFileOfItsOwn() throws {
        let folder = try DatabaseFolder()
        let store = try SQLiteAccountStore(folder.database)
        try store.transaction { (transaction) throws(ManagementError) in
            try transaction.put(try record(damaging: "ada@contoso.com"))
        }
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            let mode = try FileManager.default.attributesOfItem(atPath: folder.path + "/" + name)[.posixPermissions]
            #expect((mode as? NSNumber)?.intValue == 0o600, "\(name)")
        }
    }

    /// Returns a record, with the one error that a transaction may throw.
    private func record(damaging name: String) throws(ManagementError) -> AccountRecord {
        do {
            var record = AccountRecord(try Identity(name), .enrolled, due: WallInstant(milliseconds: 1))
            (record.runs, record.policyText) = (7, "{\u{1F600}}")
            return record
        } catch {
            throw ManagementError(.damaged, "\(error)")
        }
    }

    @Test("that is being created is waited for when another process looks at it", .rule("15.10"))
    func isMadeOnceOthersHaveLooked() throws {
        let folder = try DatabaseFolder()
        nonisolated(unsafe) var other: OpaquePointer?
        #expect(sqlite3_open(folder.database, &other) == SQLITE_OK)
        #expect(sqlite3_exec(other, "BEGIN; SELECT * FROM sqlite_schema", nil, nil, nil) == SQLITE_OK)
        let refused = #expect(throws: ManagementError.self) {
            try SQLiteAccountStore(folder.database, patience: .zero)
        }
        #expect(refused?.code == .unavailable)
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(20)) { sqlite3_close(other) }
        _ = try SQLiteAccountStore(folder.database, patience: .seconds(60))
    }

    @Test("is refused for a while when another process has it locked, and then continues", .rule("15.10"))
    func isRefusedWhereAnotherHoldsIt() throws {
        let folder = try DatabaseFolder()
        let (one, other) = (
            try SQLiteAccountStore(folder.database),
            try SQLiteAccountStore(folder.database, patience: .milliseconds(20))
        )
        try one.transaction { (transaction) throws(ManagementError) in
            try transaction.put(try record(damaging: "ada@contoso.com"))
            expect(throws: ManagementError.Code.unavailable) {
                try other.transaction { (transaction) throws(ManagementError) in try transaction.accounts(nil).count }
            }
        }
        let count = try other.transaction { (transaction) throws(ManagementError) in
            try transaction.accounts(nil).count
        }
        #expect(count == 1)
    }

    #if compiler(>=6.3)  // an exit test that captures
    @Test("has whole changes or an error when its disk is full, and continues when there is space", .rule("15.10"))
    func whereItsDiskIsFull() async throws {
        let folder = try DatabaseFolder()
        await #expect(processExitsWith: .success) { [path = folder.database as String] in
            // Files may not grow: the call fails, as on a full disk, and does not end the process.
            signal(SIGXFSZ, SIG_IGN)
            let store = try SQLiteAccountStore(path)
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            let before = limit.rlim_cur
            limit.rlim_cur = 200_000
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            var (kept, failures) = (0, 0)
            while failures < 3 {
                var record = AccountRecord(try Identity("user\(kept).\(failures)@contoso.com"))
                record.policyText = String(repeating: "x", count: 10_000)
                do throws(ManagementError) {
                    try store.transaction { (transaction) throws(ManagementError) in try transaction.put(record) }
                    kept += 1
                } catch {
                    failures += 1
                }
            }
            limit.rlim_cur = before
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            let last = AccountRecord(try Identity("last@contoso.com"))
            try store.transaction { (transaction) throws(ManagementError) in try transaction.put(last) }
            let found = try store.transaction { (transaction) throws(ManagementError) in try transaction.accounts(nil)
            }
            exit(found.count == kept + 1 && kept > 2 ? 0 : 1)
        }
    }
    #endif

    @Test("with damaged bytes has its own accounts, or an error that says so", .rule("15.10"))
    func withDamagedBytes() throws {
        let folder = try DatabaseFolder()
        let names = (0..<200).map { "user\($0)@contoso.com" }
        do {
            let store = try SQLiteAccountStore(folder.database)
            try store.transaction { (transaction) throws(ManagementError) in
                for name in names { try transaction.put(try record(damaging: name)) }
            }
        }
        let whole = try Data(contentsOf: URL(fileURLWithPath: folder.database))
        var (dice, refused) = (Dice(7), 0)
        for number in 0..<100 {
            var damaged = whole
            for _ in 0..<(1 + dice.below(40)) { damaged[dice.below(damaged.count)] = UInt8(dice.below(256)) }
            let path = folder.path + "/damaged\(number).sqlite"
            try damaged.write(to: URL(fileURLWithPath: path))
            do throws(ManagementError) {
                let records = try SQLiteAccountStore(path).transaction { (transaction) throws(ManagementError) in
                    try transaction.accounts(nil)
                }
                for record in records { #expect(record.identity.name.count < 1_025) }
            } catch {
                refused += 1
                #expect(error.code == .damaged || error.code == .unsupportedVersion, "\(error)")
            }
        }
        #expect(refused > 10)
    }
}
