import Foundation
import Testing

@testable import MultiIdentity

@globalActor private actor Ledger {
    static let shared = Ledger()

    /// The notes, in order.
    @Ledger static var notes: [Int] = []

    @Ledger static func take() -> [Int] {
        defer { notes = [] }
        return notes
    }
}

/// A task with an actor's closure is enqueued on that actor when it is created (SE-0431), without going through a pool.
@Suite("Detached tasks that carry identity, on an actor", .serialized, .rule("4.7")) struct DetachedOrderTests {
    private static let count = 200

    /// Creates tasks one after another on a new thread, and waits for them.
    private static func order<Failure: Error>(
        of make: @escaping @Sendable (Int) -> Task<Void, Failure>
    ) async throws -> [Int] {
        let tasks = await onNewThread { (0..<count).map(make) }
        for task in tasks { try await task.value }
        return await Ledger.take()
    }

    @Test("start there in the order of creation, each as its creator", arguments: 0..<15)
    func order(_ round: Int) async throws {
        let users = try (0..<3).map { try Identity("user-\($0)@contoso.com") }
        let seen = Notes<Identity?>()
        let order = try await Self.order { number in
            withIdentity(users[number % 3]) {
                Task.propagatingIdentity.detached { @Ledger in
                    Ledger.notes.append(number)
                    seen.add(Identity.current)
                }
            }
        }
        #expect(order == Array(0..<Self.count))
        #expect(seen.all == (0..<Self.count).map { users[$0 % 3] })
    }

    @Test("can also throw, with and without an identity", arguments: 0..<15)
    func orderOfThrowing(_ round: Int) async throws {
        let user = round % 2 == 0 ? nil : try Identity("user@contoso.com")
        let order = try await Self.order { number in
            withIdentity(user) {
                Task.propagatingIdentity.detached { @Ledger in
                    if number < 0 { throw CancellationError() }
                    Ledger.notes.append(number)
                }
            }
        }
        #expect(order == Array(0..<Self.count))
    }
}
