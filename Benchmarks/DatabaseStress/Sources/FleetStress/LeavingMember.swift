import ArgumentParser
import Foundation
import JobQueue
import MultiIdentity
import MultiIdentityManagement
import MultiIdentityPolicy
import PostgreSQLAccounts
import PostgreSQLIdentity

/// A process that works for all users at once: rows in the database, jobs and work on a queue that are due later, and streams.
struct LeavingMember: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "leaving-member", shouldDisplay: false)

    @Option var url: String
    @Option var data: String
    @Option var workers: String
    @Option var users: Int
    @Option var number: Int
    @Option var seed: UInt64
    @Option var pause: Int
    @Option var sabotage: LeavingSabotage?

    static func name(of user: Int) -> String { "user\(user)@contoso.com" }

    func run() async throws {
        IdentityRevocation.isOn = true
        let users = try (0..<users).map { try Identity(Self.name(of: $0)) }
        var options = AccountRegistryOptions()
        options.presence = .seconds(15)
        let registry = AccountRegistry(
            accounts: Accounts(mode: .multi, policies: PolicyFeed(PolicySet(standard: .everything))),
            store: try PostgreSQLAccountStore(url),
            service: EverybodyEnrolled(),
            credentials: EverybodyEnrolled(),
            options: options
        )
        try await registry.start()
        let timers = Task { await registry.run() }
        if number == 0 { for user in users { try registry.register(user) } }
        while registry.accounts.enrolledIdentities.count < users.count { try await Task.sleep(for: .milliseconds(20)) }
        let (database, jobs) = (try PostgreSQLDatabase(data, connections: 4), try LeavingJobs())
        let load = LeavingLoad(registry, database, jobs, users, pause: pause, admits: sabotage != .unadmitted)
        var admits: (@Sendable (Identity) throws -> Void)? = { identity in try registry.admit(identity) }
        if sabotage == .jobs { admits = nil }
        let workers = try jobs.workers(
            self.workers,
            // Its own connections, since work that waits for one holds up jobs, and the other way round.
            try PostgreSQLDatabase(data, connections: 4),
            admits: admits,
            note: { load.note($0) }
        )
        load.leavesNext(0)
        let running = Task { try await workers.run() }
        for task in 0..<6 { Task { await load.run(SeededGenerator(seed: seed &+ UInt64(task) &* 104_729)) } }
        let connection = try await PostgreSQLConnection.open(data)
        Self.say("ready")
        await obey(load, registry, users, connection)
        running.cancel()
        timers.cancel()
    }

    /// Writes past the buffers, which the thread that reads lines has locked.
    private static func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

    /// Does what the parent says, until it says nothing more.
    private func obey(
        _ load: LeavingLoad,
        _ registry: AccountRegistry,
        _ users: [Identity],
        _ connection: PostgreSQLConnection
    ) async {
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
            case ("wipe", let user?): await wipe(users[user], connection)
            default:
                for (user, moment) in load.last.enumerated() where moment > 0 { Self.say("last \(user) \(moment)") }
                Self.say("end")
            }
        }
    }

    /// Has a user leave, and acknowledges that once no work of theirs runs in any process.
    private func leave(_ user: Identity, _ registry: AccountRegistry) async {
        let begun = HurriedClock.machine
        var isSettled = true
        do {
            try registry.remove(user, because: "the parent says so")
            if sabotage != .unsettled { isSettled = try await registry.settled(within: .seconds(10)) }
        } catch {
            isSettled = false
        }
        Self.say("acknowledged \(begun) \(HurriedClock.machine) \(isSettled ? 1 : 0)")
    }

    private func wipe(_ user: Identity, _ connection: PostgreSQLConnection) async {
        do {
            let putAside = sabotage == .unwiped ? 0 : try await LeavingJobs.remove(of: user, connection)
            Self.say("wiped \(putAside)")
        } catch {
            Self.say("wiped not")
        }
    }
}

/// A service that enrolls everybody.
private struct EverybodyEnrolled: EnrollmentService, CredentialProvider {
    func enroll(_ credential: AccountCredential) async throws -> EnrolledPolicy { .fromSource }
    func checkPolicy(_ credential: AccountCredential) async throws -> PolicyCheckAnswer { .unchanged }
    func unenroll(_ credential: AccountCredential) async throws {}

    func credential(
        for identity: Identity?,
        prompting: Bool,
        settings: IdentitySettings
    ) async throws -> AccountCredential? { identity.map { AccountCredential($0, token: "secret") } }
}
