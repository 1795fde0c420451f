import ArgumentParser
import CCosts
import Dispatch
import Foundation
import MultiIdentity
@_spi(Stores) import MultiIdentityManagement
import MultiIdentityPolicy

/// Measures a registry of many accounts.
struct Registry: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measures look-ups in a registry of many accounts.",
        discussion: "Times are the processor times of the process. Valgrind counts the instructions."
    )

    @Option(help: "The number of accounts.")
    var accounts = 1_000_000

    func run() throws {
        var limits = Limits()
        try withTemporaryFolder { folder in
            let database = "\(folder)/accounts.sqlite"
            try RegistryLoop.fill(database, accounts)
            let opening = try ProcessorClock.seconds { _ = try SQLiteAccountStore(database) }
            limits.hold("the database opened", opening * 1e3, atMost: 1_000, "ms")
            let before = bytes_in_use()
            for way in RegistryLoop.Way.allCases {
                let lookUp = try RegistryLoop.lookUp(way, database, accounts)
                let times = way == .store ? 50_000 : 2_000_000
                let seconds = try ProcessorClock.seconds { try lookUp(times) } / Double(times)
                limits.hold("an account looked up in \(way)", seconds * 1e6, atMost: way.mostMicroseconds, "µs")
                let run = CountedRun(arguments: ["registry-loop", way.rawValue])
                limits.hold("the same", try run.instructions(), atMost: way.mostInstructions, "instructions")
                if way == .store {
                    limits.hold("memory for it", Double(bytes_in_use() - before) / 1e6, atMost: 64, "MB")
                }
            }
        }
        try limits.end()
    }
}

/// Looks accounts up: `costs registry` times and counts it.
struct RegistryLoop: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "registry-loop", shouldDisplay: false)

    enum Way: String, CaseIterable, ExpressibleByArgument {
        case store, memory

        var mostMicroseconds: Double { self == .store ? 20 : 0.1 }
        var mostInstructions: Double { self == .store ? 60_000 : 900 }
    }

    @Argument var way: Way
    @Argument var count: Int

    func run() throws {
        try withTemporaryFolder { folder in
            try Self.fill("\(folder)/accounts.sqlite", 1_000)
            try Self.lookUp(way, "\(folder)/accounts.sqlite", 1_000)(count)
        }
    }

    /// Returns a loop of look-ups in an open registry.
    static func lookUp(_ way: Way, _ database: String, _ accounts: Int) throws -> (_ times: Int) throws -> Void {
        // Only a few names: a look-up does not depend on the number of enrolled accounts.
        var number = 12_345
        let identities = try (0..<min(accounts, 10_000)).map { _ in
            number = (number &* 1_103_515_245 &+ 12_345) & 0x7fff_ffff
            return try Identity(name(number % accounts))
        }
        switch way {
        case .store:
            let registry = try registry(database, PolicyFeed(PolicySet()))
            return { times in
                for number in 0..<times where try registry.account(identities[number % identities.count]) == nil {
                    throw ValidationError("An account is missing.")
                }
            }
        case .memory:
            let registry = try registry(database, PolicyFeed(PolicySet(standard: .everything)))
            for identity in identities { try registry.accounts.enroll(identity) }
            return { times in
                for number in 0..<times where !registry.accounts.isManaged(identities[number % identities.count]) {
                    throw ValidationError("An account is not managed.")
                }
            }
        }
    }

    static func registry(_ database: String, _ feed: PolicyFeed) throws -> AccountRegistry {
        AccountRegistry(
            accounts: Accounts(mode: .multi, policies: feed),
            store: try SQLiteAccountStore(database),
            service: NoService(),
            credentials: NoService(),
            policies: feed
        )
    }

    static func fill(_ database: String, _ accounts: Int) throws {
        let store = try SQLiteAccountStore(database)
        let now = SystemWallClock().now
        for start in stride(from: 0, to: accounts, by: 10_000) {
            let records = try (start..<min(start + 10_000, accounts)).map { number in
                var record = AccountRecord(try Identity(name(number)), .enrolled)
                record.due = now.advanced(by: .milliseconds(number))
                record.hadPolicy = true
                return record
            }
            try store.transaction { (transaction) throws(ManagementError) in
                for record in records { try transaction.put(record) }
            }
        }
    }

    private static func name(_ number: Int) -> String { "user\(number)@tenant\(number % 997).example" }
}

/// A service that is not called.
private struct NoService: EnrollmentService, CredentialProvider {
    func enroll(_ credential: AccountCredential) async throws -> String? { nil }
    func checkPolicy(_ credential: AccountCredential) async throws -> PolicyCheckAnswer { .unchanged }
    func unenroll(_ credential: AccountCredential) async throws {}
    func credential(for identity: Identity?, prompting: Bool, settings: AccountSettings) async throws
        -> AccountCredential?
    { nil }
}
