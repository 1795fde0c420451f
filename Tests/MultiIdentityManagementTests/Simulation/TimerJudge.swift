import MultiIdentity
import MultiIdentityManagement

/// Says what may happen to each account and when, by the rules alone, and notes what happens otherwise.
///
/// It knows what a program and a service see: calls, the answers that the service gives, events and the end of a process. It
/// reads no record of the store, and shares no code and no constant with the registry.
final class TimerJudge: Sendable {
    enum Call: String, Hashable, Sendable { case credential, enroll, check, unenroll, wipe }

    /// The rules in force, as figures.
    struct Rules: Sendable {
        var retry = Duration.seconds(24 * 3_600)
        var check = Duration.seconds(8 * 3_600)
        var spread = 0.05
        /// The longest time of a call, which the program sets.
        var limit = Duration.seconds(120)
        /// The time after which the request of a process that ended is made again.
        var lease = Duration.seconds(540)
        var mode = AccountsModeOfRules.manyManaged
        /// The time by which a request may be late where the process runs: what it takes to look.
        var tardiness = Duration.zero
    }

    enum AccountsModeOfRules: Sendable { case manyManaged, oneManaged }

    enum Kind: String, Sendable { case enroll, check, wipe }

    /// When the next request may begin.
    struct Window: Sendable {
        var kind: Kind
        var from: WallInstant
        var to: WallInstant
        /// The process that owes it, and when it took that on: where it ends before, another one makes it after a lease.
        var owed: (by: Int, since: WallInstant)?
        /// The time that a credential may take before, by which the service is notified.
        var slack = Duration.zero
    }

    /// A request that has begun, and how and when it has to end.
    struct Request: Sendable {
        var kind: Kind
        var begin: WallInstant
        var process: Int
        var asked = false
        /// Another one was enrolled meanwhile, where one is managed at a time.
        var loses = false
        var end: WallInstant?
        var outcome: SimulatedService.Outcome?
        var timesOut = false
    }

    enum Happening: Sendable {
        case call(Call, SimulatedService.Plan)
        case event(AccountEventStatus)
    }

    struct Remembered: Sendable, CustomStringConvertible {
        let moment: Int64
        let process: Int
        let what: Happening

        var description: String {
            switch what {
            case .call(let call, let plan): "\(moment) in \(process): \(call.rawValue), \(plan)"
            case .event(let status): "\(moment) in \(process): event \(status)"
            }
        }
    }

    struct Life: Sendable {
        var window: Window?
        var request: Request?
        var isRegistered = false
        /// Indicates whether nobody knows if it is registered: the process ended meanwhile.
        var isUnsure = false
        var isEnrolled = false
        var hadFirst = false
        var wantsRestart = false
        var wipes = false
        /// Indicates whether the service may have to hear that it is not enrolled.
        var owesNotice = false
        /// The moment up to which an answer can come that came too late.
        var answersUntil: WallInstant?
        /// Indicates whether the service has it enrolled.
        var isAccepted = false
        /// The end of the lease of a request whose process ended.
        var deadLease: WallInstant?
        /// Indicates whether a process that ended can have left a lease, so that its next request comes when that ends.
        var mayHaveLease = false
        /// The last steps, to be shown with a fault.
        var history: [Remembered] = []
    }

    struct Findings: Sendable {
        var faults: [String] = []
        var requests: [Kind: Int] = [:]
        var interrupted = 0
        var latest = Duration.zero
        var events = 0
        /// The events that no program is told of.
        var untold: Set<Int64> = []
    }

    struct State {
        var lives: [Identity: Life] = [:]
        var findings = Findings()
        var upSince: WallInstant?
        var process = 0
        var lastEvent: Int64 = 0
        var calls: [Int: Int] = [:]
    }

    let rules: Rules
    private let store: any AccountStore
    let state = Locked(State())

    init(_ rules: Rules, watching store: any AccountStore) {
        self.rules = rules
        self.store = store
    }

    /// The number of the last event that it has seen.
    var lastEvent: Int64 { state.withLock { $0.lastEvent } }

    /// The number of calls that a process has made.
    func calls(of process: Int) -> Int { state.withLock { $0.calls[process, default: 0] } }

    var findings: Findings { state.withLock { $0.findings } }

    func life(of identity: Identity) -> Life { state.withLock { $0.lives[identity] ?? Life() } }

    var enrolled: Identity? { state.withLock { $0.lives.filter { $0.value.isEnrolled }.keys.min() } }

    // MARK: What is seen

    /// The process that goes on from here, as the simulation runs it.
    func runs(_ process: Int) { state.withLock { $0.process = process } }

    /// Requests can be made from here on: somebody runs.
    func isUp(at now: WallInstant) { state.withLock { $0.upSince = $0.upSince ?? now } }

    /// The program registers an account.
    func registers(_ identity: Identity, at now: WallInstant) {
        change(identity) { life, _ in
            life.isRegistered = true
            // The service hears first that it left.
            let wait = life.owesNotice ? self.rules.limit * 2 + self.rules.lease : .zero
            if life.request == nil, !life.isEnrolled {
                life.window = Window(kind: .enroll, from: now, to: now.advanced(by: wait))
            }
        }
    }

    /// The program has an account leave, with or without a wipe.
    func deregisters(_ identity: Identity, wiping: Bool) { change(identity) { life, _ in life.wipes = wiping } }

    /// The process ended while the program registered an account, or that was refused.
    func isUnsure(of identity: Identity) { change(identity) { life, _ in life.isUnsure = true } }

    func called(_ call: Call, _ identity: Identity, _ plan: SimulatedService.Plan, at now: WallInstant) {
        looks()
        state.withLock { $0.calls[$0.process, default: 0] += 1 }
        remember(identity, .call(call, plan), now)
        change(identity) { life, state in
            switch call {
            case .credential:
                let isForTelling = life.window.map { now < $0.from || $0.kind == .wipe } ?? true
                if life.owesNotice, isForTelling { return }
                self.begins(nil, identity, &life, &state, at: now)
                self.plans(plan, &life, at: now, unlessGood: true)
            case .wipe:
                self.begins(.wipe, identity, &life, &state, at: now)
                self.plans(plan, &life, at: now, unlessGood: false)
            case .enroll, .check:
                guard var request = life.request else {
                    return self.fault("\(call) of \(identity), which makes no request", &state, now)
                }
                if request.asked { self.fault("\(call) of \(identity) twice in a request", &state, now) }
                if request.kind.rawValue != call.rawValue {
                    self.fault("\(call) of \(identity) where \(request.kind) was due", &state, now)
                }
                request.asked = true
                life.request = request
                self.plans(plan, &life, at: now, unlessGood: false)
                if call == .enroll { self.accepts(plan, &life, at: now) }
                if plan.outcome == .removed { life.isAccepted = false }
            case .unenroll:
                let isUnwanted = life.request.map { $0.asked && ($0.loses || $0.outcome == .malformed) } ?? false
                if !life.owesNotice, !isUnwanted, life.answersUntil.map({ $0 < now }) ?? true {
                    self.fault("unenroll of \(identity), which is wanted", &state, now)
                }
                life.isAccepted = false
            }
        }
    }

    /// A process ended, and with it what it was at.
    func killed(_ process: Int, othersRun: Bool, at now: WallInstant) {
        state.withLock { state in
            if !othersRun { state.upSince = nil }
            for (identity, life) in state.lives {
                var life = life
                // It can have had the lease: of a request that has called nobody yet, or to notify the service.
                if life.isRegistered, !life.isEnrolled, life.owesNotice || life.window.map({ $0.from <= now }) ?? false
                {
                    (life.owesNotice, life.mayHaveLease) = (true, true)
                }
                if let window = life.window, let owed = window.owed, owed.by == process {
                    let end = owed.since.advanced(by: rules.lease)
                    life.window = Window(kind: window.kind, from: end, to: end)
                    if window.kind == .wipe, life.owesNotice { life.window?.slack = rules.limit }
                }
                if let request = life.request, request.process == process {
                    let end = request.begin.advanced(by: rules.lease)
                    if life.isRegistered || request.kind == .wipe {
                        life.window = Window(kind: request.kind, from: end, to: end)
                        if request.kind == .enroll, request.loses { life.window = nil }
                        if request.kind == .wipe, life.owesNotice { life.window?.slack = rules.limit }
                    }
                    if request.kind == .enroll { (life.owesNotice, life.deadLease) = (true, end) }
                    life.request = nil
                    state.findings.interrupted += 1
                }
                state.lives[identity] = life
            }
        }
    }

    /// Looks at the events that came: what is in no event has not happened.
    func looks() {
        let after = lastEvent
        do throws(ManagementError) {
            let events = try store.transaction { (transaction) throws(ManagementError) in
                try transaction.events(after: after, limit: .max)
            }
            for event in events { happened(event) }
        } catch {
            state.withLock { [error] state in fault("\(error)", &state, WallInstant(milliseconds: 0)) }
        }
    }

    private func happened(_ event: AccountEvent) {
        state.withLock { state in
            if event.number != state.lastEvent + 1 {
                fault("event \(event.number) after \(state.lastEvent)", &state, event.moment)
            }
            state.lastEvent = event.number
        }
        remember(event.identity, .event(event.status), event.moment)
        change(event.identity) { life, state in
            state.findings.events += 1
            life.isUnsure = false
            switch event.status {
            case .restartWanted:
                if !life.wantsRestart { self.fault("\(event), not after a first policy", &state, event.moment) }
                life.wantsRestart = false
            case .registered: state.findings.untold.insert(event.number)
            case .wipeBegan: break
            // The service is told once, and again when an account that waits is due.
            case _ where event.request == .unenrolment && life.isRegistered && event.status != .serviceTold: break
            case _ where event.request == .unenrolment: (life.owesNotice, life.isAccepted) = (false, false)
            case .deregistered: self.leaves(event, life.wipes && life.isEnrolled, &life, &state)
            case .removed:
                if life.request?.outcome != .removed { self.fault("\(event), which nobody said", &state, event.moment) }
                self.leaves(event, true, &life, &state)
            default: self.ended(event, &life, &state)
            }
        }
    }

    /// Notes what should have begun by now.
    func ends(at now: WallInstant) {
        state.withLock { state in
            for (identity, life) in state.lives {
                if let window = life.window, !life.isUnsure, isOver(window, state, now) {
                    fault("\(window.kind) of \(identity) missed, due at \(window.to.milliseconds)", &state, now)
                }
                if let end = life.request?.end, end < now {
                    fault("the request of \(identity) has no end", &state, now)
                }
                if life.isAccepted, !life.isRegistered, !life.isUnsure {
                    fault("the service has \(identity) enrolled, which left", &state, now)
                }
            }
        }
    }
}
