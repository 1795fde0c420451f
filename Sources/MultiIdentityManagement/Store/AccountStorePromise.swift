import MultiIdentity

/// The promises of an account store, for checks of every kind of store.
///
/// It is `@_spi`, for this repository's stores in any package.
@_spi(Checks) public enum AccountStorePromise: String, CaseIterable, Sendable {
    /// Stored values are found again, by every spelling of the name.
    case givesBackWhatWasPutIn
    /// A transaction that throws leaves nothing behind.
    case keepsNothingOfATransactionThatThrows
    /// Events are numbered without gaps, and kept for each present process that has not read them.
    case numbersHaveNoGaps
    /// Its clock never moves back, and does not change within a transaction.
    case itsClockNeverGoesBack

    /// Checks the promise.
    ///
    /// - Parameter store: An empty store.
    /// - Returns: A sentence for each fault; empty if the promise is kept.
    /// - Throws: Any error that the store throws where it should not.
    public func faults(of store: any AccountStore) throws -> [String] {
        var check = AccountStoreCheck()
        switch self {
        case .givesBackWhatWasPutIn: try check.givesBackWhatWasPutIn(store)
        case .keepsNothingOfATransactionThatThrows: try check.keepsNothingOfATransactionThatThrows(store)
        case .numbersHaveNoGaps: try check.numbersHaveNoGaps(store)
        case .itsClockNeverGoesBack: try check.itsClockNeverGoesBack(store)
        }
        return check.faults
    }
}

private struct AccountStoreCheck {
    private(set) var faults: [String] = []

    private mutating func expect<Value: Equatable>(_ what: String, _ found: Value, _ expected: Value) {
        if found != expected { faults.append("\(what): \(found), and not \(expected)") }
    }

    private static let onPurpose = ManagementError(.unavailable, "on purpose")

    private static func moment(_ milliseconds: Int64) -> WallInstant { WallInstant(milliseconds: milliseconds) }

    private static func record(_ name: String, due: Int64?) throws -> AccountRecord {
        var record = AccountRecord(try Identity(name), .enrolled, due: due.map(moment))
        (record.runs, record.lease, record.hadPolicy, record.policyText) = (7, "a/1", true, "{\u{1F600}}")
        record.lastRun = moment(-1)
        record.configurationText = "{}"
        record.policyConfirmed = StoreInstant(now: moment(3), elapsed: .milliseconds(4))
        (record.life, record.wasAsked, record.silence) = (9, true, .blocked)
        return record
    }

    mutating func givesBackWhatWasPutIn(_ store: any AccountStore) throws {
        let (ada, bob) = (try Self.record("Ada@contoso.com", due: 5), try Self.record("bob@contoso.com", due: nil))
        let other = try Identity("ADA@CONTOSO.COM")
        try store.transaction { (transaction) throws(ManagementError) in
            for one in [ada, bob] { try transaction.put(one) }
            try transaction.setAlias(.nobody, of: ada.identity)
        }
        try store.transaction { (transaction) throws(ManagementError) in
            let found = try transaction.account(other)
            expect("an account in another spelling", found, ada)
            expect("its name as it was spelled", found?.identity.name, "Ada@contoso.com")
            for account in [nil, other] {
                let aliases = try transaction.aliases(of: account)
                expect("aliases", aliases.map(\.alias), [""])
                expect("accounts of aliases", aliases.map(\.account), [ada.identity])
            }
            expect("aliases of another", try transaction.aliases(of: bob.identity).count, 0)
            let elapsed = try transaction.time().elapsed
            var process = AccountProcess(name: "one", settled: 7, until: elapsed)
            process.isAwaited = false
            try transaction.put(process)
            try transaction.put(AccountProcess(name: "two", settled: 8, until: elapsed))
            try transaction.removeProcess("two")
            try transaction.put(AccountProcess(name: "3", settled: 9, until: elapsed - .milliseconds(1)))
            expect("processes that are there", try transaction.processes(), [process])
            expect("due before", try transaction.due(at: Self.moment(4), limit: 9), [])
            expect("due", try transaction.due(at: Self.moment(5), limit: 9), [ada])
            expect("due next", try transaction.nextDue(), Self.moment(5))
            expect("enrolled", try Set(transaction.accounts(.enrolled)), [ada, bob])
            expect("being wiped", try transaction.accounts(.wiping), [])
            expect("silent", try transaction.silent(.blocked, since: Self.moment(3), limit: 1).count, 1)
            expect("silent before", try transaction.silent(.blocked, since: Self.moment(2), limit: 9), [])
            expect("silent and warned", try transaction.silent(.warned, since: Self.moment(3), limit: 9), [])
            try transaction.remove(other)
            expect("a removed account", try transaction.account(ada.identity), nil)
            expect("its alias", try transaction.account(ofAlias: .nobody), nil)
        }
    }

    mutating func keepsNothingOfATransactionThatThrows(_ store: any AccountStore) throws {
        let (ada, bob) = (try Self.record("ada@contoso.com", due: 5), try Self.record("bob@contoso.com", due: nil))
        let event = AccountEvent(ada.identity, .enrolled, "text", at: Self.moment(1), from: "one", ending: .enrolment)
        try store.transaction { (transaction) throws(ManagementError) in
            try transaction.put(ada)
            _ = try transaction.add(event)
        }
        do {
            try store.transaction { (transaction) throws(ManagementError) in
                try transaction.remove(ada.identity)
                try transaction.put(bob)
                try transaction.setAlias(bob.identity, of: ada.identity)
                _ = try transaction.add(event)
                try transaction.put(AccountProcess(name: "one", settled: 7, until: try transaction.time().elapsed))
                throw Self.onPurpose
            }
            faults.append("what its work threw was not thrown on")
        } catch {
            expect("the error", error, Self.onPurpose)
        }
        try store.transaction { (transaction) throws(ManagementError) in
            expect("accounts", try transaction.accounts(nil), [ada])
            expect("aliases", try transaction.account(ofAlias: bob.identity), nil)
            expect("processes", try transaction.processes(), [])
            let events = try transaction.events(after: 0, limit: 9)
            expect("events", events.map(\.number), [1])
            expect("the request that one ends", events.first?.request, .enrolment)
            expect("the last event", try transaction.lastEvent(), 1)
        }
    }

    mutating func numbersHaveNoGaps(_ store: any AccountStore) throws {
        let event = AccountEvent(try Identity("ada"), .enrolled, "text", at: Self.moment(1), from: "one")
        func add(_ failure: ManagementError?) throws(ManagementError) {
            try store.transaction { (transaction) throws(ManagementError) in
                for _ in 0..<600 { _ = try transaction.add(event) }
                if let failure { throw failure }
            }
        }
        for failure in [nil, Self.onPurpose, nil] {
            do { try add(failure) } catch { expect("the error", error, failure) }
        }
        try store.transaction { (transaction) throws(ManagementError) in
            let until = try transaction.time().elapsed + .seconds(60)
            let numbers = try transaction.events(after: 0, limit: .max).map(\.number)
            expect("numbers", numbers, Array(1...1_200))
            func first() throws(ManagementError) -> Int64? {
                try transaction.forgetEvents()
                return try transaction.events(after: 0, limit: 1).first?.number
            }
            expect("the first event while nobody is there", try first(), 1)
            try transaction.put(AccountProcess(name: "one", settled: 150, until: until))
            try transaction.put(AccountProcess(name: "two", settled: 90, until: until))
            expect("the first one that somebody has to read or to find", try first(), 90)
            try transaction.removeProcess("two")
            expect("the first one without the slower one", try first(), 150)
            try transaction.put(AccountProcess(name: "one", settled: 1_200, until: until))
            expect("the first one of those that stay", try first(), 201)
            expect("the last number", try transaction.lastEvent(), 1_200)
        }
    }

    mutating func itsClockNeverGoesBack(_ store: any AccountStore) throws {
        var last = StoreInstant(now: Self.moment(0), elapsed: .zero)
        for number in 0..<30 {
            func look(_ transaction: any AccountTransaction) throws(ManagementError) -> StoreInstant {
                if number % 3 > 0 { try transaction.removeProcess("none") }
                let (first, second) = (try transaction.time(), try transaction.time())
                expect("a later moment of one transaction", second, first)
                expect("behind the one before", first.now < last.now || first.elapsed < last.elapsed, false)
                last = first
                if number % 3 == 2 { throw Self.onPurpose }
                return first
            }
            do {
                _ = number % 3 == 0 ? try store.reading(look) : try store.transaction(look)
            } catch { expect("the error", error, Self.onPurpose) }
        }
    }
}
