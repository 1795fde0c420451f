import Dispatch
import Testing

@testable import MultiIdentity

@Suite("A stream's termination handler that carries") struct StreamTerminationTests {
    /// A way in which a stream ends.
    enum End: Sendable, CaseIterable {
        case finished, cancelled, dropped
    }

    static let owners: [Identity?] = [Users.ada, .nobody, nil]

    @Test(
        "runs once, as its owner, however the stream ends and whichever identity ends it",
        .rule("4.5"),
        arguments: End.allCases,
        owners
    )
    func owner(_ end: End, _ owner: Identity?) async {
        let (seen, hasRun) = (Notes<Identity?>(), Gate())
        await run(end, as: grace) { continuation in
            withIdentity(owner) {
                continuation.propagatingIdentity.onTermination = { termination in
                    seen.add(.current)
                    seen.add(IdentitySnapshot.bound.get().identity)
                    if case .finished = termination { #expect(end == .finished) } else { #expect(end != .finished) }
                    hasRun.open()
                }
            }
        }
        await hasRun.wait()
        #expect(seen.all == [owner, owner])
    }

    /// Ends, as `other`, a stream for which `register` set the handler.
    private func run(
        _ end: End,
        as other: Identity,
        _ register: (AsyncStream<Int>.Continuation) -> Void
    ) async {
        let stored = Locked<AsyncStream<Int>?>(nil)
        func make() -> AsyncStream<Int>.Continuation {
            let (stream, continuation) = AsyncStream<Int>.makeStream()
            stored.withLock { $0 = stream }
            return continuation
        }
        let continuation = make()
        register(continuation)
        @Sendable func asOther(_ end: @Sendable () -> Void) {
            withIdentity(other) {
                end()
                #expect(Identity.current == other)
                #expect(IdentitySnapshot.bound.get().identity == other)
            }
        }
        switch end {
        case .finished: asOther { continuation.finish() }
        case .cancelled:
            // At once, so that it waits for the stream before it is cancelled.
            let consumer = Task.immediate { if let stream = stored.withLock({ $0 }) { for await _ in stream {} } }
            await onNewThread { asOther { consumer.cancel() } }
            await consumer.value
        case .dropped: asOther { drop(stored) }
        }
    }

    /// Outside the lock: a handler may run here.
    private func drop<Value: Sendable>(_ stored: Locked<Value?>) {
        let last = stored.withLock { stored in
            defer { stored = nil }
            return stored
        }
        withExtendedLifetime(last) {}
    }

    @Test("of a throwing stream too, which can fail", .rule("4.5"), arguments: owners)
    func throwing(_ owner: Identity?) async {
        struct Failed: Error {}
        let seen = Notes<Identity?>()
        let (stream, continuation) = AsyncThrowingStream<Int, any Error>.makeStream()
        withIdentity(owner) {
            continuation.propagatingIdentity.onTermination = { termination in
                guard case .finished(let failure) = termination else { return }
                #expect(failure is Failed)
                seen.add(.current)
            }
        }
        withIdentity(grace) {
            continuation.finish(throwing: Failed())
            #expect(Identity.current == grace)
        }
        await #expect(throws: Failed.self) { for try await _ in stream {} }
        #expect(seen.all == [owner])
    }

    @Test("is the stream's one handler: it is read, replaced and removed like a plain one", .rule("4.7"))
    func property() {
        let (stream, continuation) = AsyncStream<Int>.makeStream()
        let seen = Notes<String>()
        #expect(continuation.propagatingIdentity.onTermination == nil)
        continuation.onTermination = { _ in seen.add("plain") }
        withIdentity(ada) { continuation.propagatingIdentity.onTermination?(.cancelled) }
        #expect(seen.all == ["plain"])
        withIdentity(ada) {
            continuation.propagatingIdentity.onTermination = { _ in seen.add(Identity.current?.name ?? "no one") }
        }
        continuation.onTermination?(.cancelled)
        #expect(seen.all == ["plain", "ada@contoso.com"])
        continuation.propagatingIdentity.onTermination = nil
        #expect(continuation.onTermination == nil)
        continuation.finish()
        withExtendedLifetime(stream) {}
        #expect(seen.all.count == 2)
    }

    @Test("set again by itself it stays with its first owner", .rule("4.5"))
    func setAgain() {
        let (stream, continuation) = AsyncStream<Int>.makeStream()
        let seen = Notes<Identity?>()
        withIdentity(ada) { continuation.propagatingIdentity.onTermination = { _ in seen.add(.current) } }
        withIdentity(grace) {
            let handler = continuation.propagatingIdentity.onTermination
            continuation.propagatingIdentity.onTermination = handler
        }
        continuation.finish()
        withExtendedLifetime(stream) {}
        #expect(seen.all == [ada])
    }

    @Test("lets go of what it captured when the stream has ended, though the continuation is kept", .rule("6.2"))
    func released() async {
        let kept = Notes<AsyncStream<Int>.Continuation>()
        let outcome = await Farewell.outcome { farewell in
            let (stream, continuation) = AsyncStream<Int>.makeStream()
            kept.add(continuation)
            withIdentity(ada) {
                continuation.propagatingIdentity.onTermination = { _ in withExtendedLifetime(farewell) {} }
            }
            continuation.finish()
            withExtendedLifetime(stream) {}
        }
        #expect(outcome == .released(whileBound: nil))
        #expect(kept.all.count == 1)
    }
}
