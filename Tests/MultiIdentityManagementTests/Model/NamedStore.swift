import MultiIdentity
@_spi(Stores) import MultiIdentityManagement

/// A process's access to a store in which accounts have other names than in the process.
///
/// A revocation applies to the whole test process. Each simulated process has its own names, and so knows only what it was notified of.
final class NamedStore: AccountStore, Sendable {
    private let base: any AccountStore
    private let names: ModelNames

    init(_ base: any AccountStore, _ names: ModelNames) { (self.base, self.names) = (base, names) }

    func transaction<Value: Sendable>(
        _ body: (any AccountTransaction) throws(ManagementError) -> Value
    ) throws(ManagementError) -> Value {
        try base.transaction { [names] (transaction) throws(ManagementError) in
            try body(NamedTransaction(base: transaction, names: names))
        }
    }

    func reading<Value: Sendable>(
        _ body: (any AccountTransaction) throws(ManagementError) -> Value
    ) throws(ManagementError) -> Value {
        try base.reading { [names] (transaction) throws(ManagementError) in
            try body(NamedTransaction(base: transaction, names: names))
        }
    }
}

/// The accounts of a model and their aliases, as one process names them and as the store does.
struct ModelNames: Sendable {
    let here, there: [Identity]
    private let places: [String: Int]
    private let count: Int

    init(_ process: Int, count: Int) throws {
        func all(_ domain: String) throws -> [Identity] {
            try ["a", "other"].flatMap { name in try (0..<count).map { try Identity("\(name)\($0)@\(domain)") } }
        }
        (here, there) = (try all("p\(process).model.example"), try all("model.example"))
        self.count = count
        let all = (here + there).enumerated()
        places = Dictionary(uniqueKeysWithValues: all.map { [here] in ($1.caselessName, $0 % here.count) })
    }

    var others: ArraySlice<Identity> { here[count...] }
    func other(_ place: Int) -> Identity { here[count + place] }

    func place(of identity: Identity) -> Int { places[identity.caselessName] ?? -1 }
    func here(_ identity: Identity) -> Identity { places[identity.caselessName].map { here[$0] } ?? identity }
    func there(_ identity: Identity) -> Identity { places[identity.caselessName].map { there[$0] } ?? identity }
}

extension AccountRecord {
    fileprivate func named(_ name: Identity) -> AccountRecord {
        var record = AccountRecord(name, stage, due: due)
        (record.lastRun, record.runs, record.lease, record.life) = (lastRun, runs, lease, life)
        (record.hadPolicy, record.policyText, record.policyConfirmed) = (hadPolicy, policyText, policyConfirmed)
        (record.silence, record.wasAsked) = (silence, wasAsked)
        (record.configurationText, record.overridesText) = (configurationText, overridesText)
        return record
    }
}

private struct NamedTransaction: AccountTransaction {
    let base: any AccountTransaction
    let names: ModelNames

    private func here(_ records: [AccountRecord]) -> [AccountRecord] {
        records.map { $0.named(names.here($0.identity)) }
    }

    func time() throws(ManagementError) -> StoreInstant { try base.time() }

    func account(_ identity: Identity) throws(ManagementError) -> AccountRecord? {
        try base.account(names.there(identity))?.named(identity)
    }

    func put(_ record: AccountRecord) throws(ManagementError) {
        try base.put(record.named(names.there(record.identity)))
    }

    func remove(_ identity: Identity) throws(ManagementError) { try base.remove(names.there(identity)) }

    func accounts(_ stage: AccountRecord.Stage?) throws(ManagementError) -> [AccountRecord] {
        here(try base.accounts(stage))
    }

    func accounts(
        _ stage: AccountRecord.Stage,
        after last: Identity?,
        limit: Int
    ) throws(ManagementError) -> [AccountRecord] {
        here(try base.accounts(stage, after: last.map { names.there($0) }, limit: limit))
    }

    func silent(
        _ silence: AccountRecord.Silence,
        since moment: WallInstant,
        limit: Int
    ) throws(ManagementError) -> [AccountRecord] {
        here(try base.silent(silence, since: moment, limit: limit))
    }

    func due(at moment: WallInstant, limit: Int) throws(ManagementError) -> [AccountRecord] {
        here(try base.due(at: moment, limit: limit))
    }

    func nextDue() throws(ManagementError) -> WallInstant? { try base.nextDue() }

    func setDueOfRegistered(_ due: WallInstant?) throws(ManagementError) { try base.setDueOfRegistered(due) }

    private func named(_ event: AccountEvent, _ name: Identity) -> AccountEvent {
        let moved = AccountEvent(
            name,
            event.status,
            event.text,
            at: event.moment,
            from: event.origin,
            ending: event.request
        )
        return moved.numbered(event.number)
    }

    func add(_ event: AccountEvent) throws(ManagementError) -> Int64 {
        try base.add(named(event, names.there(event.identity)))
    }

    func events(after number: Int64, limit: Int) throws(ManagementError) -> [AccountEvent] {
        try base.events(after: number, limit: limit).map { named($0, names.here($0.identity)) }
    }

    func lastEvent() throws(ManagementError) -> Int64 { try base.lastEvent() }

    func forgetEvents() throws(ManagementError) { try base.forgetEvents() }

    func account(ofAlias alias: Identity) throws(ManagementError) -> Identity? {
        try base.account(ofAlias: names.there(alias)).map { names.here($0) }
    }

    func aliases(of identity: Identity?) throws(ManagementError) -> [(alias: String, account: Identity)] {
        try base.aliases(of: identity.map { names.there($0) }).map { name in
            (names.here(Identity(caselessName: name.alias)).caselessName, names.here(name.account))
        }
    }

    func setAlias(_ alias: Identity, of identity: Identity) throws(ManagementError) {
        try base.setAlias(names.there(alias), of: names.there(identity))
    }

    func policyCopy(of source: String) throws(ManagementError) -> PolicyCopy? { try base.policyCopy(of: source) }

    func put(_ copy: PolicyCopy) throws(ManagementError) { try base.put(copy) }

    func processes() throws(ManagementError) -> [AccountProcess] { try base.processes() }

    func put(_ process: AccountProcess) throws(ManagementError) { try base.put(process) }

    func removeProcess(_ name: String) throws(ManagementError) { try base.removeProcess(name) }
}
