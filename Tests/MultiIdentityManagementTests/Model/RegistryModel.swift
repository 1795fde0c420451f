import MultiIdentity
@_spi(Stores) import MultiIdentityManagement

/// What each account is by the rules alone, derived from the calls, the answers of the service and the events; a plain value.
///
/// It shares no code and no constant with the registry. What is against the rules is a difference.
struct RegistryModel {
    enum Stage: String { case registered, enrolled, wiping }

    struct Account: CustomStringConvertible {
        var stage: Stage?
        /// The event of the registration that it lives by, and of the last one.
        var (life, registered): (Int64, Int64) = (0, 0)
        /// The text of its policy, as the service gave it.
        var policy: String?
        /// The number of the last event that revoked it everywhere.
        var revoked: Int64 = 0
        /// The request that asked the service last: only its answer counts.
        var asked: Asked?
        /// Whether it may be wiped or not, which the store tells.
        var isEither = false
        /// Whether the service is still to be notified that it has left.
        var isLeaving = false
        /// Whether it has another name.
        var isNamed = false
        /// The moment when the service last gave or confirmed its policy, what its silence since then has led to, and the checks that
        /// have failed since it was blocked.
        var (heard, silence, failed) = (WallInstant(milliseconds: 0), AccountRecord.Silence.heard, 0)
        /// Whether the service may have it enrolled, by an answer that nobody has taken back.
        var isAtService = false
        /// The moment when its last request ended, in this life, after which the next one has to wait; `nil` where it need not.
        var ended: WallInstant?
        /// The lease that it has, and since when.
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
        /// The life that it meant, where the store did not take it at once.
        var owed: Int64?
        /// The last event that its process knew of then.
        var announced: Int64 = 0
    }

    /// What one process knows.
    struct Process {
        /// The accounts that are revoked in it; `nil` where that is not known, since its store failed meanwhile.
        var revoked: [Bool?]
        /// The accounts that left it, by the life that they had, and whether a wipe was asked for; until the store has it.
        var leaving: [Int: (life: Int64, wiping: Bool)] = [:]
        /// The lives of accounts that can have come before a sign-out that was owed when they were not registered, or after it.
        var mayLeave: [Int: Int64] = [:]
        /// The account that it may be registering now, the one that it registers at its launch, and the one that it names.
        var registering, launching, naming: Int?
        /// The accounts that its program has wiped, and those of which that is not over.
        var wipes: Set<Int> = []
        var wiping: Set<Int> = []
        /// The accounts that were readmitted after they were enrolled elsewhere, which it need not hear of.
        var readmitted: Set<Int> = []
        /// The event after which its announcements begin, and the last one that was announced.
        var announced: Int64
        /// The event that was the last one when the program last readmitted an account here.
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
    /// The events that no program is told of.
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
        // Who is blocked is asked for at once by a process that starts.
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
                // What was owed before it is over with that.
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

    /// Expects that no second request has the lease of one that has not ended, before that has.
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

    /// The event that a program is told of after another one.
    func next(after number: Int64) -> Int64 {
        var next = number + 1
        while untold.contains(next) { next += 1 }
        return next
    }

    /// Indicates whether a process has announced all events.
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
            // Of one who signed in again, here as well, only what was before is over.
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
