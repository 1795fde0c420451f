import GRDB
import LibraryPrograms
import MultiIdentityScheduling
import Programs
import Testing

@Suite("Libraries as they are, under many schedules", .serialized)
struct LibraryTests {
    @Test("GRDB: what reads in one transaction and writes in another is found to lose a withdrawal")
    func withdrawals() async throws {
        let report = try await exploreSchedules(ScheduleSettings(.priorities(seed: 1), schedules: 1_000)) {
            let balance = try await balance(of: DatabaseQueue()) { database in
                let balance = try database.read { try Int.fetchOne($0, sql: "SELECT balance FROM account") ?? 0 }
                try database.write { try $0.execute(sql: "UPDATE account SET balance = ?", arguments: [balance - 10]) }
            }
            if balance != 80 { throw Wrong("\(balance) are left") }
        }
        let failure = try #require(report.failure)
        #expect(failure.findings.contains { $0.contains("90 are left") })
    }

    @Test("GRDB: what does both in one transaction loses none")
    func oneTransaction() async throws {
        let report = try await exploreSchedules(ScheduleSettings(.priorities(seed: 1), schedules: 200)) {
            let balance = try await balance(of: DatabaseQueue()) { database in
                try database.write { try $0.execute(sql: "UPDATE account SET balance = balance - 10") }
            }
            if balance != 80 { throw Wrong("\(balance) are left") }
        }
        #expect(report.failure == nil)
    }

    @Test("OpenCombine: two that receive on queues of their own are seen in both orders")
    func receiving() async throws {
        let orders = Log<String>()
        let report = try await exploreSchedules(ScheduleSettings(.random(seed: 1), schedules: 200)) {
            orders.add(try await receiveOnTwoQueues())
        }
        #expect(report.failure == nil)
        #expect(Set(orders.all) == ["a1a2b1b2", "a1b1a2b2", "a1b1b2a2", "b1a1a2b2", "b1a1b2a2", "b1b2a1a2"])
    }
}
