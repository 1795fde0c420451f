import Dispatch
import Testing

@testable import MultiIdentity

@Suite("After much work of many identities, every thread that ran it") struct ThreadsAfterwardsTests {
    /// Work that ends in every possible way.
    private static let endings: [Boundary.Work] = {
        struct Thrown: Error {}
        return [
            {},
            { withIdentity(.nobody) {} },
            { try? withIdentity(.nobody) { () throws(Thrown) in throw Thrown() } },
            { _ = Task { await withIdentity(.nobody) { await Task.yield() } } },
            { IdentityQueue.global().async { withIdentity(nil) {} } },
            { withIdentityLevels(IdentityLevels()) { withIdentity(.nobody) {} } },
            { DispatchQueue.main.async(execute: .propagatingIdentity {}) },
        ]
    }()

    @Test("has nothing bound, however the work ended", .rule("4.1"), .timeLimit(.minutes(20)), arguments: Boundary.all)
    func isBare(_ boundary: Boundary) async throws {
        let identities: [Identity?] = try (0..<8).map { try Identity("user-\($0)@contoso.com") } + [.nobody, nil]
        let group = DispatchGroup()
        await onNewThread {
            let queue = DispatchQueue(label: "boundary")
            for identity in identities {
                for work in Self.endings {
                    group.enter()
                    withIdentity(identity) {
                        boundary.prepare(queue) {
                            work()
                            group.leave()
                        }()
                    }
                }
            }
        }
        await withCheckedContinuation { continuation in group.notify(queue: .global()) { continuation.resume() } }
        // Plain work reads both stores on as many threads of both pools as it can get.
        let dirty = Notes<Identity?>()
        let look: @Sendable () -> Void = {
            let look = Look()
            if !Look.shows(nil, look) || ThreadMirror.current().identity != nil { dirty.add(look.identity) }
        }
        await withTaskGroup(of: Void.self) { tasks in
            for _ in 0..<16 {
                tasks.addTask { await Task.detached { look() }.value }
                tasks.addTask { await onNewThread { DispatchQueue.concurrentPerform(iterations: 8) { _ in look() } } }
                tasks.addTask {
                    await withCheckedContinuation { continuation in
                        DispatchQueue.global().async {
                            look()
                            continuation.resume()
                        }
                    }
                }
                tasks.addTask { await MainActor.run(body: look) }
            }
        }
        #expect(dirty.all == [])
    }
}
