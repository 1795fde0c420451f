import MultiIdentity

/// The promises of a store of accounts, to be checked on every kind of store.
///
/// By `@_spi`, for the stores of this repository, in whichever package they are.
@_spi(Checks) public enum AccountStorePromise: String, CaseIterable, Sendable {
    /// What was put in comes back, in every spelling of the name.
    case givesBackWhatWasPutIn
    /// A transaction that throws leaves nothing behind.
    case keepsNothingOfATransactionThatThrows

    /// Checks the promise.
    ///
    /// - Parameter store: An empty store.
    /// - Returns: What is broken, a sentence each; nothing where the promise is kept.
    /// - Throws: What the store throws where it should not.
    public func faults(of store: any AccountStore) throws -> [String] {
        var check = AccountStoreCheck()
        switch self {
        case .givesBackWhatWasPutIn: try check.givesBackWhatWasPutIn(store)
        case .keepsNothingOfATransactionThatThrows: try check.keepsNothingOfATransactionThatThrows(store)
        }
        return check.faults
    }
}

private struct AccountStoreCheck {
    private(set) var faults: [String] = []

    private mutating func expect<Value: Equatable>(_ what: String, _ found: Value, _ expected: Value) {
        if found != expected { faults.append("\(what): \(found), and not \(expected)") }
    }

    private static func moment(_ milliseconds: Int64) -> WallInstant { WallInstant(milliseconds: milliseconds) }

    private static func record(_ name: String, due: Int64?) throws -> AccountRecord {
        var record = AccountRecord(try Identity(name), .enrolled, due: due.map(moment))
        (record.runs, record.lease, record.hadPolicy, record.policyText) = (7, "a/1", true, "{\u{1F600}}")
        record.lastRun = moment(-1)
        record.configurationText = "{}"
        record.policyConfirmed = moment(3)
        return record
    }

    mutating func givesBackWhatWasPutIn(_ store: any AccountStore) throws {
        let (ada, bob) = (try Self.record("Ada@contoso.com", due: 5), try Self.record("bob@contoso.com", due: nil))
        let other = try Identity("ADA@CONTOSO.COM")
        try store.transaction { (transaction) throws(AccountStoreError) in
            for one in [ada, bob] { try transaction.put(one) }
            try transaction.setAlias(.nobody, of: ada.identity)
        }
        try store.transaction { (transaction) throws(AccountStoreError) in
            let found = try transaction.account(other)
            expect("an account in another spelling", found, ada)
            expect("its name as it was spelled", found?.identity.name, "Ada@contoso.com")
            for account in [nil, other] {
                let aliases = try transaction.aliases(of: account)
                expect("aliases", aliases.map(\.alias), [""])
                expect("accounts of aliases", aliases.map(\.account), [ada.identity])
            }
            expect("aliases of another", try transaction.aliases(of: bob.identity).count, 0)
            let process = AccountProcess(name: "one", settled: 7, until: Self.moment(86_400_000))
            try transaction.put(process)
            try transaction.put(AccountProcess(name: "two", settled: 8, until: Self.moment(86_400_000)))
            try transaction.removeProcess("two")
            expect("processes", try transaction.processes(), [process])
            try transaction.put(AccountProcess(name: "3", settled: 9, until: Self.moment(172_800_001)))
            expect("processes after one was gone for a day", try transaction.processes().map(\.name), ["3"])
            expect("due before", try transaction.due(at: Self.moment(4), limit: 9), [])
            expect("due", try transaction.due(at: Self.moment(5), limit: 9), [ada])
            expect("due next", try transaction.nextDue(), Self.moment(5))
            expect("enrolled", try Set(transaction.accounts(.enrolled)), [ada, bob])
            expect("being wiped", try transaction.accounts(.wiping), [])
            try transaction.remove(other)
            expect("a removed account", try transaction.account(ada.identity), nil)
            expect("its alias", try transaction.account(ofAlias: .nobody), nil)
        }
    }

    mutating func keepsNothingOfATransactionThatThrows(_ store: any AccountStore) throws {
        let (ada, bob) = (try Self.record("ada@contoso.com", due: 5), try Self.record("bob@contoso.com", due: nil))
        let event = AccountEvent(ada.identity, .enrolled, "text", at: Self.moment(1), from: "one")
        try store.transaction { (transaction) throws(AccountStoreError) in
            try transaction.put(ada)
            _ = try transaction.add(event)
        }
        let onPurpose = AccountStoreError(.unavailable, "on purpose")
        do throws(AccountStoreError) {
            try store.transaction { (transaction) throws(AccountStoreError) in
                try transaction.remove(ada.identity)
                try transaction.put(bob)
                try transaction.setAlias(bob.identity, of: ada.identity)
                _ = try transaction.add(event)
                try transaction.forgetEvents(before: Self.moment(9))
                try transaction.put(AccountProcess(name: "one", settled: 7, until: Self.moment(9)))
                throw onPurpose
            }
            faults.append("what its work threw was not thrown on")
        } catch {
            expect("the error", error, onPurpose)
        }
        try store.transaction { (transaction) throws(AccountStoreError) in
            expect("accounts", try transaction.accounts(nil), [ada])
            expect("aliases", try transaction.account(ofAlias: bob.identity), nil)
            expect("processes", try transaction.processes(), [])
            expect("events", try transaction.events(after: 0, limit: 9).map(\.number), [1])
            expect("the last event", try transaction.lastEvent(), 1)
        }
    }
}
