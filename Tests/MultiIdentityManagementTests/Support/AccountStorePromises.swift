import MultiIdentity
import MultiIdentityManagement
import Testing

/// The promises of a store of accounts, for each store that there is.
enum AccountStorePromises {
    private static func record(_ name: String, due: Int64?) throws -> AccountRecord {
        var record = AccountRecord(try Identity(name), .enrolled, due: due.map(WallInstant.init(milliseconds:)))
        (record.runs, record.lease, record.hadPolicy, record.policyText) = (7, "a/1", true, "{\u{1F600}}")
        record.lastRun = WallInstant(milliseconds: -1)
        record.configurationText = "{}"
        record.policyConfirmed = WallInstant(milliseconds: 3)
        return record
    }

    static func givesBackWhatWasPutIn(_ store: any AccountStore) throws {
        let (ada, bob) = (try record("Ada@contoso.com", due: 5), try record("bob@contoso.com", due: nil))
        let other = try Identity("ADA@CONTOSO.COM")
        try store.transaction { (transaction) throws(AccountStoreError) in
            for one in [ada, bob] { try transaction.put(one) }
            try transaction.setAlias(.nobody, of: ada.identity)
        }
        try store.transaction { (transaction) throws(AccountStoreError) in
            let found = try transaction.account(other)
            #expect(found == ada && found?.identity.name == "Ada@contoso.com")
            for account in [nil, other] {
                let aliases = try transaction.aliases(of: account)
                #expect(aliases.map(\.alias) == [""] && aliases.map(\.account) == [ada.identity])
            }
            let isNoneOfBob = try transaction.aliases(of: bob.identity).isEmpty
            #expect(isNoneOfBob)
            let process = AccountProcess(name: "one", settled: 7, until: WallInstant(milliseconds: 86_400_000))
            try transaction.put(process)
            try transaction.put(AccountProcess(name: "two", settled: 8, until: WallInstant(milliseconds: 86_400_000)))
            try transaction.removeProcess("two")
            let one = try transaction.processes()
            #expect(one == [process])
            try transaction.put(AccountProcess(name: "3", settled: 9, until: WallInstant(milliseconds: 172_800_001)))
            let others = try transaction.processes().map(\.name)
            #expect(others == ["3"], "who has been gone for a day is forgotten")
            let isNoneBefore = try transaction.due(at: WallInstant(milliseconds: 4), limit: 9).isEmpty
            #expect(isNoneBefore)
            let isDue = try transaction.due(at: WallInstant(milliseconds: 5), limit: 9) == [ada]
            #expect(isDue)
            let isNext = try transaction.nextDue() == WallInstant(milliseconds: 5)
            #expect(isNext)
            let areEnrolled = try Set(transaction.accounts(.enrolled)) == [ada, bob]
            #expect(areEnrolled)
            let noneIsWiped = try transaction.accounts(.wiping).isEmpty
            #expect(noneIsWiped)
            try transaction.remove(other)
            let (gone, alias) = (try transaction.account(ada.identity), try transaction.account(ofAlias: .nobody))
            #expect(gone == nil && alias == nil)
        }
    }

    static func keepsNothingOfATransactionThatThrows(_ store: any AccountStore) throws {
        let (ada, bob) = (try record("ada@contoso.com", due: 5), try record("bob@contoso.com", due: nil))
        let event = AccountEvent(ada.identity, .enrolled, "text", at: WallInstant(milliseconds: 1), from: "one")
        try store.transaction { (transaction) throws(AccountStoreError) in
            try transaction.put(ada)
            _ = try transaction.add(event)
        }
        #expect(throws: AccountStoreError.self) {
            try store.transaction { (transaction) throws(AccountStoreError) in
                try transaction.remove(ada.identity)
                try transaction.put(bob)
                try transaction.setAlias(bob.identity, of: ada.identity)
                _ = try transaction.add(event)
                try transaction.forgetEvents(before: WallInstant(milliseconds: 9))
                try transaction.put(AccountProcess(name: "one", settled: 7, until: WallInstant(milliseconds: 9)))
                throw AccountStoreError(.unavailable, "on purpose")
            }
        }
        try store.transaction { (transaction) throws(AccountStoreError) in
            let (left, alias) = (try transaction.accounts(nil), try transaction.account(ofAlias: bob.identity))
            let processes = try transaction.processes()
            #expect(left == [ada] && alias == nil && processes.isEmpty)
            let (events, last) = (try transaction.events(after: 0, limit: 9), try transaction.lastEvent())
            #expect(events.map(\.number) == [1] && last == 1)
        }
    }
}
