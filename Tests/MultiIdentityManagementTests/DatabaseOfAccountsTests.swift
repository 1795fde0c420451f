import CMultiIdentitySQLite
import Foundation
import MultiIdentity
import MultiIdentityManagement
import Testing

@Suite("A database of accounts") struct DatabaseOfAccountsTests {
    /// Changes a database as another program would.
    private func run(_ statements: String, on path: String) {
        var database: OpaquePointer?
        #expect(sqlite3_open(path, &database) == SQLITE_OK)
        #expect(sqlite3_exec(database, statements, nil, nil, nil) == SQLITE_OK)
        sqlite3_close(database)
    }

    @Test("is refused where it is no database, another program's, or a later version's", .rule("15.10"))
    func isRefused() throws {
        let folder = try DatabaseFolder()
        _ = FileManager.default.createFile(atPath: folder.database, contents: Data("no database at all".utf8))
        let none = #expect(throws: AccountStoreError.self) { try SQLiteAccountStore(folder.database) }
        #expect(none?.code == .damaged)
        let missing = #expect(throws: AccountStoreError.self) { try SQLiteAccountStore(folder.path + "/no/where") }
        #expect(missing?.code == .unavailable)
        for (statements, code) in [
            ("CREATE TABLE of_others (name TEXT)", AccountStoreError.Code.damaged),
            ("PRAGMA user_version = 2; PRAGMA application_id = 7", .damaged),
            ("PRAGMA user_version = 99", .unsupportedVersion),
        ] {
            let path = "\(folder.path)/\(code)-\(statements.count).sqlite"
            run(statements, on: path)
            let failure = #expect(throws: AccountStoreError.self, "\(statements)") { try SQLiteAccountStore(path) }
            #expect(failure?.code == code, "\(statements)")
        }
    }

    @Test("lies in a file that nobody else may read", .rule("15.10"))
    func liesInAFileOfItsOwn() throws {
        let folder = try DatabaseFolder()
        let store = try SQLiteAccountStore(folder.database)
        try store.transaction { (transaction) throws(AccountStoreError) in
            try transaction.put(try record(damaging: "ada@contoso.com"))
        }
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            let mode = try FileManager.default.attributesOfItem(atPath: folder.path + "/" + name)[.posixPermissions]
            #expect((mode as? NSNumber)?.intValue == 0o600, "\(name)")
        }
    }

    /// A record, with the one error that a transaction may throw.
    private func record(damaging name: String) throws(AccountStoreError) -> AccountRecord {
        do {
            var record = AccountRecord(try Identity(name), .enrolled, due: WallInstant(milliseconds: 1))
            (record.runs, record.policyText) = (7, "{\u{1F600}}")
            return record
        } catch {
            throw AccountStoreError(.damaged, "\(error)")
        }
    }

    @Test("is refused for a while where another process holds it, and then goes on", .rule("15.10"))
    func isRefusedWhereAnotherHoldsIt() throws {
        let folder = try DatabaseFolder()
        let (one, other) = (
            try SQLiteAccountStore(folder.database),
            try SQLiteAccountStore(folder.database, patience: .milliseconds(20))
        )
        try one.transaction { (transaction) throws(AccountStoreError) in
            try transaction.put(try record(damaging: "ada@contoso.com"))
            let failure = #expect(throws: AccountStoreError.self) {
                try other.transaction { (transaction) throws(AccountStoreError) in try transaction.accounts(nil).count }
            }
            #expect(failure?.code == .unavailable)
        }
        let count = try other.transaction { (transaction) throws(AccountStoreError) in
            try transaction.accounts(nil).count
        }
        #expect(count == 1)
    }

    #if compiler(>=6.3)  // an exit test that captures
    @Test("has whole changes or an error where its disk is full, and goes on when there is room", .rule("15.10"))
    func whereItsDiskIsFull() async throws {
        let folder = try DatabaseFolder()
        await #expect(processExitsWith: .success) { [path = folder.database as String] in
            // A file may not grow: the call fails, as on a full disk, and does not end the process.
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
                do throws(AccountStoreError) {
                    try store.transaction { (transaction) throws(AccountStoreError) in try transaction.put(record) }
                    kept += 1
                } catch {
                    failures += 1
                }
            }
            limit.rlim_cur = before
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            let last = AccountRecord(try Identity("last@contoso.com"))
            try store.transaction { (transaction) throws(AccountStoreError) in try transaction.put(last) }
            let found = try store.transaction { (transaction) throws(AccountStoreError) in try transaction.accounts(nil)
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
            try store.transaction { (transaction) throws(AccountStoreError) in
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
            do throws(AccountStoreError) {
                let records = try SQLiteAccountStore(path).transaction { (transaction) throws(AccountStoreError) in
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
