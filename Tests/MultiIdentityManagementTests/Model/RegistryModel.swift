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
    private(set) var differences: [String] = []
    private(set) var lastEvent: Int64 = 0
    private var before: AccountEvent?
    private var recent: [String] = []
    /// The events that no program is told of.
    private var untold: Set<Int64> = []
    private let limits: (warn: Duration?, block: Duration?, wipe: Duration?)
    let managesOne: Bool
    var now = WallInstant(milliseconds: 0)

    init(_ settings: ModelSettings) {
        limits = settings.silence
        accounts = Array(repeating: Account(), count: settings.accounts)
        managesOne = settings.managesOne
    }

    mutating func expect(_ holds: Bool, _ text: @autoclosure () -> String) { if !holds { differences.append(text()) } }

    // MARK: What the service sees

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

    // MARK: What the store sees

    /// Takes note of an event, in the order of their numbers.
    mutating func sees(_ event: AccountEvent, of place: Int) {
        let last = lastEvent
        expect(event.number == last + 1, "event \(event.number) comes after \(last)")
        lastEvent = event.number
        recent = recent.suffix(14) + ["\(event.number) by \(event.origin.prefix(4)): \(event)"]
        defer { before = event }
        guard accounts.indices.contains(place) else { return }
        let process = processes.first { $0.value.origin == event.origin }?.key
        let (account, follows) = (accounts[place], before.map { $0.identity == event.identity ? $0.status : .failed })
        func allow(_ holds: Bool) -> Bool {
            expect(holds, "event \(event.number) of p\(process ?? -1) is not allowed: \(event), after \(account)")
            return holds
        }
        // The answer of a request counts that was the last one to ask, in this life, and only in the process that made it.
        let asked = account.asked.flatMap { $0.gate.process == process && $0.life == account.life ? $0 : nil }
        if event.request == .enrolment || event.request == .policyCheck { accounts[place].ended = now }
        switch event.status {
        case .registered:
            untold.insert(event.number)
            (accounts[place].registered, accounts[place].ended) = (event.number, nil)
        case .enrolled:
            guard allow(account.stage == .registered && asked?.gate.call == .enroll && asked?.answer == .yes) else {
                return
            }
            accounts[place].stage = .enrolled
            accounts[place].policy = asked.map { ModelService.text($0.gate.number) }
            isHeard(place)
        case .policyReplaced:
            let isAnswered = asked?.answer == .yes || asked?.answer == .unchanged
            guard allow(account.stage == .enrolled && asked?.gate.call == .check && isAnswered) else { return }
            if asked?.answer == .yes { accounts[place].policy = asked.map { ModelService.text($0.gate.number) } }
            isHeard(place)
        case .policyUnchanged:
            let isSame = asked?.answer == .yes && asked.map { ModelService.text($0.gate.number) } == account.policy
            _ = allow(
                account.stage == .enrolled && asked?.gate.call == .check && (asked?.answer == .unchanged || isSame)
            )
            isHeard(place)
        case .deregistered:
            let left = process.flatMap { processes[$0]?.leaving.removeValue(forKey: place) }
            let mayLeave = process.flatMap { processes[$0]?.mayLeave.removeValue(forKey: place) } ?? 0 >= account.life
            // Of one that a program wipes each process that hears of it may say so.
            let leaves = left?.life == account.life || mayLeave || account.revoked > account.life
            guard allow(leaves && [.registered, .enrolled].contains(account.stage)) else { return }
            // A sign-out that was owed came first.
            accounts[place].stage = left?.wiping == true && event.text.hasPrefix("the program") ? .wiping : nil
            if accounts[place].stage == nil { accounts[place].isNamed = false }
        case .wipeBegan:
            let isProgram = process.map { processes[$0]?.wipes.contains(place) } == true
            _ = allow(account.stage == .wiping && follows == .deregistered || isProgram)
            if let process, isProgram { revokes(place, in: process) }
            accounts[place].revoked = event.number
        case .aliasAdded:
            _ = allow(process.map { processes[$0]?.naming } == place)
            accounts[place].isNamed = true
        case .serviceSilent:
            _ = allow(isSilent(account, limits.warn, after: .heard))
            accounts[place].silence = .warned
        case .blocked:
            _ = allow(isSilent(account, limits.block, after: .warned))
            (accounts[place].silence, accounts[place].failed) = (.blocked, 0)
        case .removed where event.text.hasPrefix("the service has confirmed"):
            guard allow(isSilent(account, limits.wipe, after: .blocked) && account.failed > 1) else { return }
            (accounts[place].stage, accounts[place].revoked) = (.wiping, event.number)
            if let process { revokes(place, in: process) }
        case .removed:
            let removal = removals.removeValue(forKey: event.text)
            let isHis = removal?.process == process && removal?.account == place
            // Where the one before wiped it or not, it did not.
            let stage = account.isEither ? nil : account.stage
            guard allow(isHis && stage != .wiping) else { return }
            // Owed, of one who is back meanwhile: it is not wiped for what was before.
            if let process { processes[process]?.leaving[place] = nil }
            // One that has left again since has left no trace.
            let isThere = stage != nil || account.registered > account.life
            let life = max(account.life, account.registered)
            let isBack = isThere && removal?.owed.map { $0 < life } ?? false
            // Whether it is back is not known to a process that had not heard of a registration.
            let isHeard = life <= removal?.announced ?? 0
            accounts[place].isEither = isThere && removal?.owed != nil && isBack == isHeard
            let isWiped = !isBack || accounts[place].isEither
            accounts[place].stage = removal?.wiping == true && isWiped ? .wiping : nil
            accounts[place].revoked = event.number
            accounts[place].isAtService = false
            // Owed, of one that was readmitted meanwhile.
            if let process, event.text.hasPrefix("gate") || removal?.owed != nil { revokes(place, in: process) }
        case .wiped:
            guard allow(account.stage == .wiping) else { return }
            accounts[place].stage = nil
        case .wipeIncomplete: _ = allow(account.stage == .wiping)
        case .restartWanted: _ = allow(follows == .enrolled)
        default:
            if event.request == .policyCheck { accounts[place].failed += 1 }
            // A request that failed; of one that has left, the service was not notified.
            if event.text.hasPrefix("the service was not") { accounts[place].isAtService = false }
        }
    }

    private mutating func revokes(_ place: Int, in process: Int) {
        if processes[process]?.revoked[place] != nil { processes[process]?.revoked[place] = true }
    }

    private mutating func isHeard(_ place: Int) {
        (accounts[place].heard, accounts[place].silence) = (now, .heard)
    }

    private func isSilent(_ account: Account, _ limit: Duration?, after step: AccountRecord.Silence) -> Bool {
        guard account.stage == .enrolled, account.silence == step, let limit else { return false }
        return account.heard.duration(to: now) >= limit
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
