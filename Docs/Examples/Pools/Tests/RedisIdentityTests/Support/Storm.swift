import MultiIdentity
import MultiIdentityLease
import Synchronization

@testable import RedisIdentity

/// Many users of few connections, and cancellations at random points of what they ask.
struct Storm: Sendable {
    struct Tally: Sendable {
        var (answered, cancelled, failed, wrong) = (0, 0, 0, 0)
        /// Some of what failed otherwise.
        var failures: [String] = []

        static func += (tally: inout Tally, other: Tally) {
            tally.answered += other.answered
            tally.cancelled += other.cancelled
            tally.failed += other.failed
            tally.wrong += other.wrong
            tally.failures += other.failures
        }
    }

    /// Asks for a key of a tenant.
    typealias Ask = @Sendable (_ tenant: Int, _ key: Int) async throws -> (answer: RedisValue, expected: String)

    /// Something that is counted by several.
    final class Counter: Sendable {
        let value = Atomic(0)
        func add() { value.wrappingAdd(1, ordering: .relaxed) }
        var now: Int { value.load(ordering: .relaxed) }
    }

    static let (tenants, connections, workers) = (50, 8, 16)

    /// The number of requests that are to be cancelled; a wrong answer ends it before.
    let cancellations: Int
    let seed: UInt64
    let ask: Ask

    func run() async -> Tally {
        let (cancelled, wrong) = (Counter(), Counter())
        return await withTaskGroup(of: Tally.self) { group in
            for worker in 0..<Self.workers {
                group.addTask { await work(SeededGenerator(seed: seed &+ UInt64(worker)), cancelled, wrong) }
            }
            return await group.reduce(into: Tally()) { $0 += $1 }
        }
    }

    private func work(_ seeded: SeededGenerator, _ cancelled: Counter, _ wrong: Counter) async -> Tally {
        var (random, tally) = (seeded, Tally())
        while wrong.now == 0, cancelled.now < cancellations {
            let tenant = Int.random(in: 0..<Self.tenants, using: &random)
            let key = Int.random(in: 0..<RedisServer.keys, using: &random)
            let request = Task { try await ask(tenant, key) }
            // Up to long after the answer.
            for _ in 0..<Int.random(in: 0..<150, using: &random) { await Task.yield() }
            request.cancel()
            do {
                let (answer, expected) = try await request.value
                if answer.text == expected { tally.answered += 1 } else { tally.wrong += 1 }
            } catch is CancellationError {
                tally.cancelled += 1
                cancelled.add()
            } catch RedisError.refused {
                // A key that this user may not see: it was somebody else's connection.
                tally.wrong += 1
            } catch {
                if tally.failures.count < 10 { tally.failures.append("\(error)") }
                tally.failed += 1
            }
            if tally.wrong > 0 { wrong.add() }
        }
        return tally
    }
}
