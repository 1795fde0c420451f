import MultiIdentity
@_spi(Stores) import MultiIdentityManagement

/// The state of each account by the rules alone, derived from the calls, the service's answers and the events; a plain value.
///
/// It shares no code and no constant with the registry. Any contradiction to the rules is a difference.
struct RegistryModel {
    enum Stage: String { case registered, enrolled, wiping }

    struct Account: CustomStringConvertible {
        var stage: Stage?
        /// The event of the registration that began its life, and that of its last registration.
        var (life, registered): (Int64, Int64) = (0, 0)
        /// The text of its policy, as the service sent it.
        var policy: String?
        /// The number of the last event that revoked it everywhere.
        var revoked: Int64 = 0
        /// The last request to the service: only its answer counts.
        var asked: Asked?
        /// Whether its stage is uncertain: only the store knows whether it is to be wiped.
        var isEither = false
        /// Whether the service must still be notified that it has left.
        var isLeaving = false
        /// Whether it has an alias.
        var isNamed = false
        /// When the service last sent or confirmed its policy, the effect of the silence since then, and the failed checks since it was
        /// blocked.
        var (heard, silence, failed) = (WallInstant(milliseconds: 0), AccountRecord.Silence.heard, 0)
        /// Whether the service may have it enrolled, by an answer that was not undone.
        var isAtService = false
        /// When its last request of this life ended, if the next one must wait; `nil` if it need not.
        var ended: WallInstant?
        /// Its lease, and when the lease began.
        var lease: (name: String, since: WallInstant, life: Int64)?

        var description: String {
            "\(stage.map { "\($0)" } ?? "none"), life \(life), revoked \(revoked), \(asked.map { "\($0)" } ?? "never asked")"
                + (isAtService ? ", at the service" : "")
        }
    }

    struct Asked: CustomStringConvertible {
        let gate: ModelGate
        let life: Int64
        var answer: ModelAnswer?

        var description: String {
            "\(gate.call) \(gate.number) of p\(gate.process) in life \(life): \(answer.map { "\($0)" } ?? "waits")"
        }
    }

    /// A program's reason for a removal, which is the text of its event.
    struct Removal {
        let process, account: Int
        let wiping: Bool
        /// The life that it applied to, if the store did not accept it at once.
        var owed: Int64?
        /// The last event that its process then knew.
        var announced: Int64 = 0
    }

    /// The knowledge of one process.
    struct Process {
        /// The accounts that are revoked in it; `nil` if that is unknown because its store failed meanwhile.
        var revoked: [Bool?]
        /// The accounts that left it, by their life, and whether a wipe was requested; until the store has recorded it.
        var leaving: [Int: (life: Int64, wiping: Bool)] = [:]
        /// The lives of accounts that were signed out while unregistered here: each may have begun before or after that sign-out.
        var mayLeave: [Int: Int64] = [:]
        /// The account that it may be registering now, the one that it registers at its launch, and the one that it gives an alias.
        var registering, launching, naming: Int?
        /// The accounts that its program has begun to wipe; `wiping` contains those whose wipe is in progress.
        var wipes: Set<Int> = []
        var wiping: Set<Int> = []
        /// The accounts that were readmitted after they were enrolled elsewhere; it need not be notified of them.
        var readmitted: Set<Int> = []
        /// The event after which its announcements begin, and the last announced event.
        var announced: Int64
        /// The last event when the program last readmitted an account here.
        var admitted: [Int: Int64] = [:]
        var origin: String
    }

    var accounts: [Account]
    var processes: [Int: Process] = [:]
    var removals: [String: Removal] = [:]
    var differences: [String] = []
    var lastEvent: Int64 = 0
    var before: AccountEvent?
    var recent: [String] = []
    /// The events that no program is notified of.
    var untold: Set<Int64> = []
    let limits: (warn: Duration?, block: Duration?, wipe: Duration?)
    let managesOne: Bool
    var now = WallInstant(milliseconds: 0)

    init(_ settings: ModelSettings) {
        limits = settings.silence
        accounts = Array(repeating: Account(), count: settings.accounts)
        managesOne = settings.managesOne
    }

    mutating func expect(_ holds: Bool, _ text: @autoclosure () -> String) { if !holds { differences.append(text()) } }

    // MARK: What the service and the rows of the store say

    mutating func asks(_ gate: ModelGate) {
        guard gate.call == .enroll || gate.call == .check else { return }
        let account = accounts[gate.account]
        // A process that starts asks for a blocked account at once.
        if let ended = account.ended, account.silence != .blocked {
            let wait = Duration.seconds((gate.call == .check ? 8 : 24) * 3_600)
            expect(ended.duration(to: now) >= wait, "account \(gate.account) is early: \(gate.call) after \(account)")
        }
        accounts[gate.account].asked = Asked(gate: gate, life: accounts[gate.account].life)
    }

    mutating func answers(_ gate: ModelGate, _ answer: ModelAnswer) {
        if accounts[gate.account].asked?.gate.number == gate.number { accounts[gate.account].asked?.answer = answer }
        switch (gate.call, answer) {
        case (.enroll, .yes), (.enroll, .malformed): accounts[gate.account].isAtService = true
        case (.unenroll, _), (.check, .removed): accounts[gate.account].isAtService = false
        case (.launch, .yes):
            processes[gate.process]?.launching = gate.account
            accounts[gate.account].ended = nil
        default: break
        }
        if gate.call == .check, answer == .removed {
            removals["gate \(gate.number)"] = Removal(process: gate.process, account: gate.account, wiping: true)
        }
    }

    /// Compares the rows of the store with the accounts, which a registration changes without an event.
    mutating func compares(_ rows: [Int: AccountRecord], in process: Int?) {
        for place in accounts.indices {
            let row = rows[place].flatMap { $0.stage == .leaving ? nil : $0 }
            leases(place, rows[place])
            accounts[place].isLeaving = row == nil && rows[place] != nil
            let isWiped = accounts[place].stage == .wiping && row?.stage != .wiping
            if accounts[place].isEither, isWiped { accounts[place].stage = nil }
            accounts[place].isEither = false
            if accounts[place].stage == nil { accounts[place].isNamed = false }
            let account = accounts[place]
            if account.stage == nil, row?.stage == .registered {
                let knowing = process.flatMap { processes[$0] }
                let isRegistering = knowing?.registering == place || knowing?.launching == place
                expect(isRegistering && row?.lease != nil || managesOne, "account \(place) is registered by nobody")
                accounts[place].stage = .registered
                // This cancels what was still to be written.
                if let process, processes[process]?.registering == place { processes[process]?.revoked[place] = false }
                accounts[place].life = row?.life ?? 0
                expect(account.life < account.registered, "account \(place) is registered, and no event says so")
                expect(row?.life == account.registered, "account \(place) has life \(row?.life ?? 0)")
            } else {
                let stage = row?.stage.rawValue
                expect(stage == account.stage?.rawValue, "account \(place) is \(stage ?? "gone"), not \(account)")
            }
            if account.stage == .enrolled {
                expect(
                    row?.policyText == account.policy,
                    "account \(place) has \(row?.policyText ?? "-"), not \(account)"
                )
            }
        }
        let enrolled = accounts.count { $0.stage == .enrolled }
        expect(!managesOne || enrolled <= 1, "\(enrolled) are enrolled at a time")
    }

    /// Expects that no second request has a lease before the lease of the first has ended.
    private mutating func leases(_ place: Int, _ row: AccountRecord?) {
        let before = accounts[place].lease
        guard let row, let name = row.lease else { return accounts[place].lease = nil }
        if before?.name == name { return }
        if let before, before.life == row.life, row.stage == .registered || row.stage == .enrolled {
            expect(before.since.duration(to: now) >= .seconds(540), "account \(place) has two requests at once")
        }
        accounts[place].lease = (name, now, row.life)
    }

    // MARK: What a process hears

    /// Returns the event that a program is notified of after another one.
    func next(after number: Int64) -> Int64 {
        var next = number + 1
        while untold.contains(next) { next += 1 }
        return next
    }

    /// Returns whether a process has announced all events.
    func hasHeardAll(_ process: Int) -> Bool {
        processes[process].map { next(after: $0.announced) == lastEvent + 1 } == true
    }

    mutating func announces(_ event: AccountEvent, of place: Int, in process: Int) {
        guard var knowing = processes[process] else { return }
        expect(
            event.number == next(after: knowing.announced),
            "p\(process) announces \(event.number) after \(knowing.announced)"
        )
        knowing.announced = event.number
        let isOfAnother = event.origin != knowing.origin && accounts.indices.contains(place)
        if [.removed, .wipeBegan].contains(event.status), isOfAnother {
            // If it signed in again, here as well, only its earlier life is over.
            let isThere = accounts[place].stage != nil && accounts[place].stage != .wiping
            let isBack = isThere && accounts[place].life > event.number && knowing.revoked[place] == false
            knowing.revoked[place] = knowing.revoked[place] == nil ? nil : !isBack
        }
        if [.enrolled, .policyReplaced].contains(event.status) { knowing.readmitted.remove(place) }
        processes[process] = knowing
    }

    func describe() -> String {
        accounts.enumerated().map { "a\($0): \($1)" }.joined(separator: "\n")
            + "\n" + processes.map { "p\($0): \($1)" }.joined(separator: "\n") + "\n" + recent.joined(separator: "\n")
    }
}
