import Foundation
import MultiIdentity
import MultiIdentityManagement
import MultiIdentityPolicy
@_spi(Checks) import MultiIdentityTesting
import PostgreSQLAccounts
import PostgreSQLIdentity

/// A process that works for all users at once: database rows, delayed work on a queue, and streams.
struct LeavingMember {
    private let url: String
    private let data: String
    private let users: [Identity]
    private let number: Int
    private let seed: UInt64
    private let pause: Int
    private let sabotage: Leavers.Sabotage?

    init(_ options: Options) throws {
        url = try options.text("url")
        data = try options.text("data")
        users = try (0..<options.number("users")).map { try Identity(Self.name(of: $0)) }
        number = try options.number("number")
        seed = try options.seed()
        pause = try options.number("pause")
        sabotage = try options.sabotage()
    }

    static func name(of user: Int) -> String { "user\(user)@contoso.com" }

    func run() async throws {
        IdentityRevocation.isOn = true
        var configuration = ManagementConfiguration()
        configuration.heartbeatTimeout = .seconds(15)
        let registry = AccountRegistry(
            accounts: Accounts(mode: .multi, policies: PolicyFeed(PolicySet(standard: .everything))),
            store: try PostgreSQLAccountStore(url),
            service: EverybodyEnrolled(),
            credentials: EverybodyEnrolled(),
            configuration: configuration
        )
        try await registry.start()
        let timers = Task { await registry.run() }
        if number == 0 { for user in users { try registry.register(user) } }
        while registry.accounts.enrolledIdentities.count < users.count { try await Task.sleep(for: .milliseconds(20)) }
        let database = try PostgreSQLDatabase(data, connections: 4)
        let load = LeavingLoad(registry, database, users, pause: pause, admits: sabotage != .unadmitted)
        load.leavesNext(0)
        for task in 0..<6 { Task { await load.run(SeededGenerator(seed: seed &+ UInt64(task) &* 104_729)) } }
        say("ready")
        await obey(load, registry)
        timers.cancel()
    }

    /// Follows the parent's commands until its input ends.
    private func obey(_ load: LeavingLoad, _ registry: AccountRegistry) async {
        let (lines, continuation) = AsyncStream.makeStream(of: [String].self)
        Thread.detachNewThread {
            while let line = readLine() { continuation.yield(line.split(separator: " ").map(String.init)) }
            continuation.finish()
        }
        for await words in lines {
            let user = words.count == 2 ? Int(words[1]) : nil
            switch (words.first, user) {
            case ("next", let user?): load.leavesNext(user)
            case ("leave", let user?): await leave(users[user], registry)
            default:
                for (user, moment) in load.last.enumerated() where moment > 0 { say("last \(user) \(moment)") }
                say("end")
            }
        }
    }

    /// Removes a user, and acknowledges it once none of the user's work runs in any process.
    private func leave(_ user: Identity, _ registry: AccountRegistry) async {
        let begun = LeavingLoad.now
        var isSettled = true
        do {
            try registry.remove(user, because: "the parent says so")
            if sabotage != .unsettled { isSettled = try await registry.waitUntilSettled(timeout: .seconds(10)) }
        } catch {
            isSettled = false
        }
        say("acknowledged \(begun) \(LeavingLoad.now) \(isSettled ? 1 : 0)")
    }
}

/// A service that enrolls every account.
private struct EverybodyEnrolled: EnrollmentService, CredentialProvider {
    func enroll(_ credential: AccountCredential) async throws -> String? { nil }
    func checkPolicy(_ credential: AccountCredential) async throws -> PolicyCheckAnswer { .unchanged }
    func unenroll(_ credential: AccountCredential) async throws {}

    func credential(
        for identity: Identity?,
        prompting: Bool,
        settings: AccountSettings
    ) async throws -> AccountCredential? { identity.map { AccountCredential($0, token: "secret") } }
}
