import Dispatch
import Testing

@testable import MultiIdentity

@Suite("Code after a continuation runs as the task that waited") struct ContinuationTests {
    /// The code that resumes, by its place.
    enum Resumer: Sendable, CaseIterable {
        case itself, thread, plainQueue, identityQueue, otherTask, detachedTask, mainActor

        /// Runs `resume` as `identity`, and says afterwards who is bound there still.
        func run(as identity: Identity?, _ resume: @escaping @Sendable () -> Void) async -> Identity? {
            let after = Notes<Identity?>()
            let body: @Sendable () -> Void = {
                withIdentity(identity) {
                    resume()
                    after.add(.current)
                }
            }
            switch self {
            case .itself: body()
            case .thread: await onNewThread(body)
            case .plainQueue: DispatchQueue(label: "resumer").sync(execute: body)
            case .identityQueue: withIdentity(identity) { IdentityQueue(label: "resumer").sync(execute: body) }
            case .otherTask: await Task { body() }.value
            case .detachedTask: await Task.detached { body() }.value
            case .mainActor: await MainActor.run(body: body)
            }
            return after.all.first ?? nil
        }
    }

    private struct Refused: Error {}

    static let waiting: [Identity?] = [Users.ada, .nobody, nil]

    private let grace = Users.grace

    /// Returns what a task of `identity` finds after it was resumed by grace, and what grace finds.
    private func found<Suspended: Sendable>(
        _ identity: Identity?,
        _ resumer: Resumer,
        _ suspend: @escaping @Sendable (@escaping @Sendable (Suspended) -> Void) async -> Void,
        _ resume: @escaping @Sendable (Suspended) -> Void
    ) async -> [Identity?] {
        let suspended = Locked<Suspended?>(nil)
        // At once: it waits when this has returned.
        let task = withIdentity(identity) {
            Task.immediate { () async -> [Identity?] in
                await suspend { continuation in suspended.withLock { $0 = continuation } }
                let synchronous = [Identity.current, IdentitySnapshot.bound.get().identity]
                return synchronous + [await Task { Identity.current }.value]
            }
        }
        guard let continuation = suspended.withLock({ $0 }) else { return [] }
        let after = await resumer.run(as: grace) { resume(continuation) }
        return await task.value + [after]
    }

    @Test(
        "whichever identity resumes it from wherever, and keeps its own",
        .rule("4.5"),
        arguments: Resumer.allCases,
        waiting
    )
    func checked(_ resumer: Resumer, _ identity: Identity?) async {
        let found = await found(identity, resumer) { suspended in
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in suspended(continuation)
            }
        } _: { continuation in
            continuation.resume()
        }
        #expect(found == [identity, identity, identity, grace])
    }

    @Test("unchecked ones too", .rule("4.5"), arguments: Resumer.allCases, waiting)
    func unsafe(_ resumer: Resumer, _ identity: Identity?) async {
        let found = await found(identity, resumer) { suspended in
            await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in suspended(continuation) }
        } _: { continuation in
            continuation.resume()
        }
        #expect(found == [identity, identity, identity, grace])
    }

    @Test("and where it throws", .rule("4.5"), arguments: Resumer.allCases, waiting)
    func throwing(_ resumer: Resumer, _ identity: Identity?) async {
        let caught = Notes<Identity?>()
        let found = await found(identity, resumer) { suspended in
            do {
                try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                    suspended(continuation)
                }
            } catch {
                caught.add(error is Refused ? .current : .nobody)
            }
        } _: { continuation in
            continuation.resume(throwing: Refused())
        }
        #expect(found == [identity, identity, identity, grace])
        #expect(caught.all == [identity])
    }

    @Test("a stream's consumer runs as itself, whichever identity yields", .rule("4.5"), arguments: waiting)
    func stream(_ identity: Identity?) async {
        let (stream, continuation) = AsyncStream<Int>.makeStream()
        let consumer = withIdentity(identity) {
            Task.immediate { () async -> [Identity?] in
                var seen: [Identity?] = []
                for await _ in stream { seen.append(.current) }
                return seen + [.current]
            }
        }
        let grace = grace
        await onNewThread {
            withIdentity(grace) {
                continuation.yield(1)
                continuation.yield(2)
                continuation.finish()
            }
        }
        #expect(await consumer.value == [identity, identity, identity])
    }
}
