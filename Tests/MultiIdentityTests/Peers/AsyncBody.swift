import Dispatch
import Foundation
import Testing

@testable import MultiIdentity

/// An action of asynchronous code inside a scope, as data.
///
/// It opens the scope itself, and returns what it saw inside, after every `await`: always the bound identity.
struct AsyncBody: Sendable, CustomTestStringConvertible {
    private struct Refused: Error {}

    private actor Counter {
        private(set) var looks: [Identity?] = []
        func look() -> Identity? {
            looks.append(.current)
            return .current
        }
    }

    let testDescription: String
    let run: @Sendable (Identity?) async -> [Identity?]

    init(_ name: String, _ run: @escaping @Sendable (Identity?) async -> [Identity?]) {
        testDescription = name
        self.run = run
    }

    /// Returns an action of which all but the scope is given.
    private static func inside(_ name: String, _ body: @escaping @Sendable () async -> [Identity?]) -> AsyncBody {
        AsyncBody(name) { identity in await withIdentity(identity) { await body() } }
    }

    static let all = plain + ended + waiting + nested

    private static let plain = [
        AsyncBody("returns at once") { identity in withIdentity(identity) { [Identity.current] } },
        inside("suspends") {
            await Task.yield()
            return [Identity.current]
        },
        inside("binds again inside") {
            await withIdentity(.nobody) { await Task.yield() }
            withIdentity(nil) {}
            return [Identity.current]
        },
        inside("takes levels of its own") {
            let inside = await withIdentityLevels(IdentityLevels()) { () async -> Identity? in
                await Task.yield()
                return Identity.current
            }
            return [inside, .current]
        },
    ]

    private static let ended = [
        AsyncBody("throws") { identity in
            let seen = Notes<Identity?>()
            try? withIdentity(identity) { () throws(Refused) in
                seen.add(.current)
                throw Refused()
            }
            return seen.all
        },
        AsyncBody("throws after a suspension") { identity in
            let seen = Notes<Identity?>()
            try? await withIdentity(identity) { () async throws(Refused) in
                await Task.yield()
                seen.add(.current)
                throw Refused()
            }
            return seen.all
        },
        inside("is cancelled while it waits") {
            withUnsafeCurrentTask { $0?.cancel() }
            try? await Task.sleep(for: .seconds(3_600))
            return [Identity.current]
        },
    ]

    private static let waiting = [
        inside("waits for who resumes it on a thread, as nobody") {
            await withCheckedContinuation { continuation in
                Thread.detachNewThread { withIdentity(.nobody) { continuation.resume() } }
            }
            return [Identity.current]
        },
        inside("hops to main and back") {
            [await MainActor.run { Identity.current }, .current]
        },
        inside("calls an actor") {
            let counter = Counter()
            return [await counter.look(), .current] + (await counter.looks)
        },
        inside("waits for a task that it made") {
            [await Task { Identity.current }.value, .current]
        },
        AsyncBody("waits for a task that starts at once") { identity in
            await withIdentity(identity) { () async -> [Identity?] in
                let task = Task.immediate { () async -> [Identity?] in
                    let first = withIdentity(identity) { Identity.current }
                    await Task.yield()
                    return [first, .current]
                }
                return [.current] + (await task.value) + [.current]
            }
        },
        AsyncBody("adds children to a group") { identity in
            await withIdentity(identity) { () async -> [Identity?] in
                await withTaskGroup(of: Identity?.self) { group in
                    for _ in 0..<3 { group.addTask { Identity.current } }
                    withIdentity(.nobody) { group.addTask { withIdentity(identity) { Identity.current } } }
                    return await group.reduce(into: [Identity?]()) { $0 += [$1, .current] }
                } + [.current]
            }
        },
        AsyncBody("adds children to a group that discards") { identity in
            let seen = Notes<Identity?>()
            return await withIdentity(identity) { () async -> [Identity?] in
                await withDiscardingTaskGroup { group in
                    for _ in 0..<3 { group.addTask { seen.add(.current) } }
                }
                return seen.all + [.current]
            }
        },
        inside("binds in parallel") {
            await withTaskExecutorPreference(OneQueue()) {
                async let child = Identity.current
                async let other = withIdentity(.nobody) { Identity.current }
                _ = await other
                return [await child, .current]
            }
        },
        inside("iterates over what somebody else yields") {
            let (stream, continuation) = AsyncStream<Int>.makeStream()
            Thread.detachNewThread {
                withIdentity(.nobody) {
                    for number in 0..<3 { continuation.yield(number) }
                    continuation.finish()
                }
            }
            var seen: [Identity?] = []
            for await _ in stream { seen.append(.current) }
            return seen + [.current]
        },
    ]

    private static let nested = [
        inside("restores somebody else's snapshot") {
            let snapshot = IdentitySnapshot(of: .nobody)
            await snapshot.restore { () async in await Task.yield() }
            snapshot.restore {}
            return [Identity.current]
        },
        inside("restores its own") {
            let snapshot = IdentitySnapshot.capture()
            let inside = await snapshot.restore { () async -> Identity? in
                await Task.yield()
                return Identity.current
            }
            return [inside, snapshot.restore { .current }, .current]
        },
        AsyncBody("runs work on a queue and waits") { identity in
            withIdentity(identity) { [IdentityQueue(label: "body").sync { Identity.current }, .current] }
        },
        inside("hands work over and waits for it") {
            let inside = await withCheckedContinuation { continuation in
                IdentityQueue(label: "body").async { continuation.resume(returning: Identity.current) }
            }
            return [inside, .current]
        },
        AsyncBody("runs iterations in parallel") { identity in
            let seen = Notes<Identity?>()
            return withIdentity(identity) {
                IdentityQueue.concurrentPerform(iterations: 4) { _ in seen.add(.current) }
                return seen.all + [.current]
            }
        },
    ]
}
