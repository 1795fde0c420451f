import Dispatch
import Foundation
import GRDB
import MultiIdentityScheduling
import OpenCombine
import OpenCombineDispatch
import Testing

@Suite("Libraries as they are, under many schedules", .serialized)
struct LibraryTests {
    /// A balance from which two withdraw at once.
    private static func balance(
        of database: DatabaseQueue,
        withdrawing: @escaping @Sendable (DatabaseQueue) throws -> Void
    ) async throws -> Int {
        try await database.write {
            try $0.execute(sql: "CREATE TABLE account (balance); INSERT INTO account VALUES (100)")
        }
        let group = DispatchGroup()
        for _ in 0..<2 {
            DispatchQueue.global().async(group: group) { try? withdrawing(database) }
        }
        await withCheckedContinuation { continuation in
            group.notify(queue: .global()) { continuation.resume() }
        }
        return try await database.read { try Int.fetchOne($0, sql: "SELECT balance FROM account") ?? 0 }
    }

    @Test("GRDB: what reads in one transaction and writes in another is found to lose a withdrawal")
    func withdrawals() async throws {
        struct Lost: Error { let balance: Int }
        let report = try await exploreSchedules(ScheduleSettings(.priorities(seed: 1), schedules: 1_000)) {
            let balance = try await Self.balance(of: DatabaseQueue()) { database in
                let balance = try database.read { try Int.fetchOne($0, sql: "SELECT balance FROM account") ?? 0 }
                try database.write { try $0.execute(sql: "UPDATE account SET balance = ?", arguments: [balance - 10]) }
            }
            if balance != 80 { throw Lost(balance: balance) }
        }
        let failure = try #require(report.failure)
        #expect(failure.findings.contains { $0.contains("Lost(balance: 90)") })
    }

    @Test("GRDB: what does both in one transaction loses none")
    func oneTransaction() async throws {
        struct Lost: Error { let balance: Int }
        let report = try await exploreSchedules(ScheduleSettings(.priorities(seed: 1), schedules: 200)) {
            let balance = try await Self.balance(of: DatabaseQueue()) { database in
                try database.write { try $0.execute(sql: "UPDATE account SET balance = balance - 10") }
            }
            if balance != 80 { throw Lost(balance: balance) }
        }
        #expect(report.failure == nil)
    }

    @Test("OpenCombine: two that receive on queues of their own are seen in both orders")
    func receiving() async throws {
        let orders = Log<String>()
        let report = try await exploreSchedules(ScheduleSettings(.random(seed: 1), schedules: 200)) {
            let log = Log<String>()
            let subject = PassthroughSubject<Int, Never>()
            let group = DispatchGroup()
            let subscriptions = ["a", "b"].map { name in
                subject.receive(on: DispatchQueue(label: name).ocombine).sink {
                    log.add("\(name)\($0)")
                    group.leave()
                }
            }
            for value in 1...2 {
                for _ in subscriptions { group.enter() }
                subject.send(value)
            }
            await withCheckedContinuation { continuation in
                group.notify(queue: .global()) { continuation.resume() }
            }
            withExtendedLifetime(subscriptions) {}
            orders.add(log.all.joined())
        }
        #expect(report.failure == nil)
        #expect(Set(orders.all) == ["a1a2b1b2", "a1b1a2b2", "a1b1b2a2", "b1a1a2b2", "b1a1b2a2", "b1b2a1a2"])
    }
}
