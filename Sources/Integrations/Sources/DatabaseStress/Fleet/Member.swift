import Foundation
import MultiIdentity
import MultiIdentityManagement
import MultiIdentityPolicy
@_spi(Checks) import MultiIdentityTesting
import PostgreSQLAccounts
import Synchronization

/// A process of the fleet: a registry with its timers, which does what its parent says and writes a journal.
struct Member {
    private let url: String
    private let journal: Journal
    private let clock: HurriedClock
    private let seed: UInt64
    private let sabotage: FleetRun.Sabotage?

    init(_ options: Options) throws {
        url = try options.text("url")
        clock = HurriedClock(begin: try options.number("begin"), hours: try options.number("hours"))
        journal = Journal(try options.text("journal"), life: try options.number("life"), clock)
        seed = try options.seed()
        sabotage = try options.sabotage()
    }

    /// The longest time that a request may take here, of which a lease has four and a minute.
    static let requestLimit = Duration.seconds(6 * 3_600)

    func run() async throws {
        let service = JournaledService(journal, clock, seed, sabotage)
        var options = AccountRegistryOptions()
        options.requestLimit = Self.requestLimit
        options.lookInterval = .seconds(6 * 3_600)
        let registry = AccountRegistry(
            accounts: Accounts(mode: .multi, policies: PolicyFeed(PolicySet(standard: .everything))),
            store: try PostgreSQLAccountStore(url),
            service: service,
            credentials: service,
            options: options,
            clock: clock,
            wipe: { await service.wipe($0) }
        )
        let subscription = registry.onEvent { event in
            if sabotage == .unheard, event.number % 100 == 7 { return }
            journal.write(
                .event(
                    number: event.number,
                    account: event.identity.name,
                    status: event.status.rawValue,
                    moment: event.moment.milliseconds
                )
            )
        }
        try await registry.start()
        Thread.detachNewThread {
            while let line = readLine() {
                let words = line.split(separator: " ").map(String.init)
                guard words.count == 2, let identity = try? Identity(words[1]) else { continue }
                if words[0] == "register", (try? registry.register(identity)) != nil {
                    journal.write(.registered(account: identity.name))
                }
                if words[0] == "remove" { try? registry.remove(identity, because: "the parent says so") }
            }
            // The parent is gone.
            Foundation.exit(0)
        }
        journal.write(.up)
        await registry.run()
        withExtendedLifetime(subscription) {}
    }
}

/// A service that answers after some time, well or not, and notes that in the journal.
final class JournaledService: EnrollmentService, CredentialProvider {
    private let journal: Journal
    private let clock: HurriedClock
    private let dice: Mutex<SeededGenerator>
    private let sabotage: FleetRun.Sabotage?

    init(_ journal: Journal, _ clock: HurriedClock, _ seed: UInt64, _ sabotage: FleetRun.Sabotage?) {
        self.journal = journal
        self.clock = clock
        dice = Mutex(SeededGenerator(seed: seed))
        self.sabotage = sabotage
    }

    func enroll(_ credential: AccountCredential) async throws -> EnrolledPolicy {
        guard await asked("enroll", credential.identity) else { throw EnrollmentFailure(.unreachable, "on purpose") }
        return .fromSource
    }

    func checkPolicy(_ credential: AccountCredential) async throws -> PolicyCheckAnswer {
        guard await asked("check", credential.identity) else { throw EnrollmentFailure(.unreachable, "on purpose") }
        return .unchanged
    }

    func unenroll(_ credential: AccountCredential) async throws {}

    func wipe(_ identity: Identity) async -> Bool { await asked("wipe", identity) }

    func credential(
        for identity: Identity?,
        prompting: Bool,
        settings: IdentitySettings
    ) async throws -> AccountCredential? { identity.map { AccountCredential($0, token: "secret") } }

    /// Returns whether the answer is a good one.
    private func asked(_ kind: String, _ identity: Identity) async -> Bool {
        let (number, hours, isGood, falls) = dice.withLock {
            ($0.next(), $0.below(3), $0.below(10) > 0, $0.below(20) == 0)
        }
        if sabotage == .missed, identity.name.contains("7@") { return isGood }
        let request = String(number, radix: 36)
        journal.write(.begins(kind: kind, account: identity.name, request: request))
        if falls, let sabotage, [.early, .twice].contains(sabotage) {
            if sabotage == .early { journal.write(.ends(request: request, isGood: isGood)) }
            journal.write(.begins(kind: kind, account: identity.name, request: request + "+"))
            journal.write(.ends(request: request + "+", isGood: isGood))
            if sabotage == .early { return isGood }
        }
        try? await clock.sleep(until: clock.now.advanced(by: .seconds(hours * 900)), tolerance: nil)
        journal.write(.ends(request: request, isGood: isGood))
        return isGood
    }
}
