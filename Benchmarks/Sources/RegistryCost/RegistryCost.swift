import ArgumentParser
import CAllocationCount
import Foundation
import MultiIdentity
import MultiIdentityManagement
import MultiIdentityPolicy
import Synchronization

@main
struct RegistryCost: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "registry-cost",
        abstract: "Opens and asks a registry of many accounts, for Benchmarks/registry-cost to tell what that takes."
    )

    enum Way: String, CaseIterable, ExpressibleByArgument { case fill, open, start, store, memory, telemetry, none }

    @Argument(
        help:
            "fill makes the database, open opens it, start has its accounts managed, store and memory look one up, telemetry counts allocations."
    )
    var way: Way

    @Argument(help: "The database.")
    var database: String

    @Argument(help: "The number of accounts.")
    var accounts: Int

    @Argument(help: "How often something is looked up.")
    var count = 0

    private func name(_ number: Int) -> String { "user\(number)@tenant\(number % 997).example" }

    func run() async throws {
        let begin = Self.processorTime
        switch way {
        case .none: break
        case .fill: try fill()
        case .open:
            let store = try SQLiteAccountStore(database)
            withExtendedLifetime(store) { report(since: begin, 1) }
        case .start:
            let registry = try registry(policy: .everything)
            try await registry.start()
            report(since: begin, 1)
            guard registry.accounts.enrolledIdentities.count == accounts else {
                throw ValidationError("Some are missing.")
            }
        case .telemetry: try countTelemetry()
        case .store:
            let registry = try registry(policy: nil)
            let identities = try sample()
            let asked = Self.processorTime
            for number in 0..<count where try registry.account(identities[number % identities.count]) == nil {
                throw ValidationError("An account is missing.")
            }
            report(since: asked, count)
        case .memory:
            let registry = try registry(policy: .everything)
            // As many enrolled as are needed to tell: a look-up does not depend on their number.
            let identities = try sample()
            for identity in identities { try registry.accounts.enroll(identity) }
            let asked = Self.processorTime
            var managed = 0
            for number in 0..<count where registry.accounts.isManaged(identities[number % identities.count]) {
                managed += 1
            }
            report(since: asked, count)
            guard managed == count else { throw ValidationError("An account is not managed.") }
        }
    }

    private func sample() throws -> [Identity] {
        var (number, identities) = (12_345, [Identity]())
        for _ in 0..<min(accounts, 10_000) {
            number = (number &* 1_103_515_245 &+ 12_345) & 0x7fff_ffff
            identities.append(try Identity(name(number % accounts)))
        }
        return identities
    }

    /// The time that the process had of the processors, in nanoseconds: it hardly depends on what else the machine does.
    private static var processorTime: Int {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }

    /// Prints the nanoseconds of each, and the kilobytes of memory that the process had at most.
    private func report(since begin: Int, _ count: Int) {
        let time = Self.processorTime - begin
        var usage = rusage()
        #if canImport(Darwin)
        getrusage(RUSAGE_SELF, &usage)
        #else
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        #endif
        print(time / max(count, 1), usage.ru_maxrss)
    }

    /// Prints the allocations of a change that telemetry tells of: without a sink, with one and the setting off, and with it on; and
    /// how many events each sink got.
    private func countTelemetry() throws {
        for (sink, isOn) in [(nil, false), (CountingSink(), false), (CountingSink(), true)] as [(CountingSink?, Bool)] {
            let feed = PolicyFeed(PolicySet())
            let registry = AccountRegistry(
                accounts: Accounts(mode: .multi, policies: feed),
                store: try SQLiteAccountStore(database),
                service: NoService(),
                credentials: NoService(),
                policies: feed,
                settings: try IdentitySettings(code: [.telemetry: .boolean(isOn)]),
                telemetry: sink
            )
            // Sets of another policy each, so that each is a change; the first ones make what is kept.
            let sets = [PolicySet(standard: .everything), PolicySet(standard: .nothing)]
            for set in sets { feed.publish(set) }
            let before = allocation_count()
            for number in 0..<count { feed.publish(sets[number % 2]) }
            print(Double(allocation_count() - before) / Double(count), sink?.count ?? 0)
            withExtendedLifetime(registry) {}
        }
    }

    private func registry(policy: Policy?) throws -> AccountRegistry {
        let feed = PolicyFeed(PolicySet(standard: policy))
        return AccountRegistry(
            accounts: Accounts(mode: .multi, policies: feed),
            store: try SQLiteAccountStore(database),
            service: NoService(),
            credentials: NoService(),
            policies: feed
        )
    }

    private func fill() throws {
        let store = try SQLiteAccountStore(database)
        let now = SystemWallClock().now
        for start in stride(from: 0, to: accounts, by: 10_000) {
            let records = try (start..<min(start + 10_000, accounts)).map { number in
                var record = AccountRecord(try Identity(name(number)), .enrolled)
                record.due = now.advanced(by: .milliseconds(number))
                record.hadPolicy = true
                return record
            }
            try store.transaction { (transaction) throws(AccountStoreError) in
                for record in records { try transaction.put(record) }
            }
        }
    }
}

/// A service that is not asked.
private struct NoService: EnrollmentService, CredentialProvider {
    func enroll(_ credential: AccountCredential) async throws -> EnrolledPolicy { .fromSource }
    func checkPolicy(_ credential: AccountCredential) async throws -> PolicyCheckAnswer { .unchanged }
    func unenroll(_ credential: AccountCredential) async throws {}
    func credential(for identity: Identity?, prompting: Bool, settings: IdentitySettings) async throws
        -> AccountCredential?
    { nil }
}

/// A sink that counts what it gets.
private final class CountingSink: TelemetrySink {
    private let counted = Atomic(0)
    var count: Int { counted.load(ordering: .relaxed) }

    func record(_ event: TelemetryEvent) { counted.add(1, ordering: .relaxed) }
}
