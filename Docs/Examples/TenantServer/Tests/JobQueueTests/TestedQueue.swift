import Foundation
import GRDB
import JobQueue
import Logging
import MultiIdentity
import SignedIdentity
import Synchronization

/// A queue over a database of its own, with a clock that the test moves.
final class TestedQueue: Sendable {
    static let key = Data((0..<32).map { UInt8($0) }).base64EncodedString()
    static let other = Data((0..<32).map { UInt8($0 + 100) }).base64EncodedString()

    let folder: URL
    let pool: DatabasePool
    let queue: JobQueue
    private let clock: Clock

    final class Clock: Sendable {
        let now = Mutex<Int64>(1_800_000_000_000)
    }

    init(ownerless: JobQueue.Ownerless = .refused, enrolment: @escaping JobQueue.Enrolment = { _ in "" }) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "job-queue-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        pool = try DatabasePool(path: folder.appending(path: "jobs.sqlite").path())
        try JobQueue.prepare(pool)
        let clock = Clock()
        self.clock = clock
        queue = JobQueue(
            keys: try Self.keys(),
            ownerless: ownerless,
            enrolment: enrolment,
            now: { clock.now.withLock { $0 } }
        )
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    static func keys(_ text: String = "one:\(key)") throws -> KeyRing { try KeyRing(parsing: text) }

    /// The same database, as another process with other keys sees it.
    func queue(keys text: String) throws -> JobQueue {
        JobQueue(keys: try Self.keys(text), ownerless: .taken, now: { [clock] in clock.now.withLock { $0 } })
    }

    func pass(_ duration: Duration) {
        clock.now.withLock {
            $0 += duration.components.seconds * 1_000 + duration.components.attoseconds / 1_000_000_000_000_000
        }
    }

    @discardableResult
    func enqueue(_ job: NewJob, as identity: Identity?, on queue: JobQueue? = nil) throws -> String {
        try withIdentity(identity) { try pool.write { db in try (queue ?? self.queue).enqueue(job, in: db) } }
    }

    var accounts: JobQueue.Accounts {
        get throws { try pool.read { db in try JobQueue.accounts(in: db) } }
    }

    var deadLetters: [JobQueue.DeadLetter] {
        get throws { try pool.read { db in try JobQueue.deadLetters(in: db) } }
    }

    /// Changes rows from outside.
    func tamper(_ sql: String, _ arguments: StatementArguments = []) throws {
        try pool.write { db in try db.execute(sql: sql, arguments: arguments) }
    }

    /// Runs workers until `isDone`, which is asked after each change that a handler notes and each look at the table.
    func work(
        _ handlers: [String: JobWorkers.Handler],
        on queue: JobQueue? = nil,
        options: JobWorkers.Options = .quick,
        admits: @escaping @Sendable (JobOwner) async throws -> Void = { _ in },
        until isDone: @escaping @Sendable (JobQueue.Accounts) -> Bool
    ) async throws {
        let queue = queue ?? self.queue
        let workers = JobWorkers(
            queue,
            of: pool,
            options: options,
            handlers: handlers,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
            admits: admits
        )
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await workers.run() }
            group.addTask { [pool] in
                while !isDone(try await pool.read { db in try JobQueue.accounts(in: db) }) {
                    try await Task.sleep(for: .milliseconds(5))
                }
            }
            try await group.next()
            group.cancelAll()
            try await group.waitForAll()
        }
    }
}

extension JobWorkers.Options {
    static var quick: Self {
        var options = Self()
        options.pollInterval = .milliseconds(5)
        options.backOff = BackOff(first: .milliseconds(1), limit: .milliseconds(1))
        return options
    }
}
