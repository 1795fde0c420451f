import MultiIdentity

/// A store of accounts that ends with the process: for tests, and for programs that register everybody anew.
public final class AccountsInMemory: AccountStore, Sendable {
    fileprivate struct Contents {
        var accounts: [Identity: AccountRecord] = [:]
        var dues = DueHeap()
        var events: [AccountEvent] = []
        var lastEvent: Int64 = 0
        /// By the bytes of their caseless names: an identity made of one can be the account's.
        var aliases: [[UInt8]: Identity] = [:]
        var policies: [String: PolicyCopy] = [:]
        var processes: [String: AccountProcess] = [:]
    }

    private let contents = Locked(Contents())

    /// An empty store.
    public init() {}

    /// Runs `body` alone; what it changed stays only where it returns.
    public func transaction<Value: Sendable>(
        _ body: (any AccountTransaction) throws(AccountStoreError) -> Value
    ) throws(AccountStoreError) -> Value {
        try contents.withLock { (contents) throws(AccountStoreError) -> Value in
            let transaction = Transaction(contents)
            contents = Contents()
            defer { contents = transaction.contents }
            do throws(AccountStoreError) {
                return try body(transaction)
            } catch {
                transaction.undo()
                throw error
            }
        }
    }
}

extension AccountsInMemory {
    private final class Transaction: AccountTransaction {
        private(set) var contents: Contents
        /// Steps back, and no copy of all accounts for each transaction.
        private var steps: [(inout Contents) -> Void] = []

        init(_ contents: Contents) { self.contents = contents }

        func undo() { for step in steps.reversed() { step(&contents) } }

        func account(_ identity: Identity) -> AccountRecord? { contents.accounts[identity] }
        func put(_ record: AccountRecord) { set(record, of: record.identity) }

        func remove(_ identity: Identity) {
            set(nil, of: identity)
            for alias in contents.aliases.filter({ $0.value == identity }).keys { set(nil, ofAlias: alias) }
        }

        private func set(_ record: AccountRecord?, of identity: Identity) {
            // By removing, since a dictionary keeps the spelling of the key that it has.
            let before = contents.accounts.removeValue(forKey: identity)
            if let record { contents.accounts[record.identity] = record }
            Self.note(record, after: before, in: &contents)
            steps.append { contents in
                contents.accounts[identity] = nil
                if let before { contents.accounts[before.identity] = before }
                Self.note(before, after: record, in: &contents)
            }
        }

        private static func note(_ record: AccountRecord?, after before: AccountRecord?, in contents: inout Contents) {
            guard let record, let due = record.due, due != before?.due else { return }
            contents.dues.push(DueHeap.Entry(due: due, identity: record.identity))
        }

        private func set(_ identity: Identity?, ofAlias alias: [UInt8]) {
            let before = contents.aliases[alias]
            contents.aliases[alias] = identity
            steps.append { $0.aliases[alias] = before }
        }

        func accounts(_ stage: AccountRecord.Stage?) -> [AccountRecord] {
            contents.accounts.values.filter { stage == nil || $0.stage == stage }
        }

        func accounts(_ stage: AccountRecord.Stage, after last: Identity?, limit: Int) -> [AccountRecord] {
            let left = accounts(stage).filter { record in last.map { $0 < record.identity } ?? true }
            return Array(left.sorted { $0.identity < $1.identity }.prefix(limit))
        }

        func due(at moment: WallInstant, limit: Int) -> [AccountRecord] {
            var found: [AccountRecord] = []
            while found.count < limit, let entry = nextEntry(), entry.due <= moment {
                _ = contents.dues.pop()
                // The same one can be there twice, one after the other.
                if let record = contents.accounts[entry.identity], found.last?.identity != entry.identity {
                    found.append(record)
                }
            }
            for record in found { Self.note(record, after: nil, in: &contents) }
            return found
        }

        func due(after moment: WallInstant) -> [AccountRecord] {
            contents.accounts.values.filter { record in record.due.map { $0 > moment } ?? false }
        }

        func nextDue() -> WallInstant? { nextEntry()?.due }

        /// The first entry that its account still has.
        private func nextEntry() -> DueHeap.Entry? {
            while let entry = contents.dues.first {
                if contents.accounts[entry.identity]?.due == entry.due { return entry }
                _ = contents.dues.pop()
            }
            return nil
        }

        func setDueOfRegistered(_ due: WallInstant?) {
            for var record in accounts(.registered) {
                record.due = due
                record.lease = nil
                put(record)
            }
        }

        func add(_ event: AccountEvent) -> Int64 {
            contents.lastEvent += 1
            contents.events.append(event.numbered(contents.lastEvent))
            steps.append { contents in
                contents.lastEvent -= 1
                contents.events.removeLast()
            }
            return contents.lastEvent
        }

        func events(after number: Int64, limit: Int) -> [AccountEvent] {
            // From the end, where what was not read yet is.
            let unread = contents.events.reversed().prefix { $0.number > number }
            return Array(unread.reversed().prefix(limit))
        }

        func lastEvent() -> Int64 { contents.lastEvent }

        func forgetEvents(before moment: WallInstant) {
            guard let oldest = contents.events.first, oldest.moment < moment else { return }
            let before = contents.events
            contents.events.removeAll { $0.moment < moment }
            steps.append { $0.events = before }
        }

        func account(ofAlias alias: Identity) -> Identity? { contents.aliases[Array(alias.caselessName.utf8)] }
        func aliases(of identity: Identity?) -> [(alias: String, account: Identity)] {
            contents.aliases.filter { identity == nil || $0.value == identity }.map {
                (String(decoding: $0.key, as: UTF8.self), $0.value)
            }
        }
        func setAlias(_ alias: Identity, of identity: Identity) {
            set(identity, ofAlias: Array(alias.caselessName.utf8))
        }

        func policyCopy(of source: String) -> PolicyCopy? { contents.policies[source] }

        func put(_ copy: PolicyCopy) {
            let before = contents.policies.updateValue(copy, forKey: copy.source)
            steps.append { $0.policies[copy.source] = before }
        }

        func processes() -> [AccountProcess] { Array(contents.processes.values) }

        func put(_ process: AccountProcess) {
            let before = contents.processes
            contents.processes = before.filter { $0.value.until >= process.until.advanced(by: .seconds(-86_400)) }
            contents.processes[process.name] = process
            steps.append { $0.processes = before }
        }

        func removeProcess(_ name: String) {
            let before = contents.processes.removeValue(forKey: name)
            steps.append { $0.processes[name] = before }
        }
    }
}
