import Testing

@testable import MultiIdentity

/// `TriggerTests` covers who ends it, `HandedOverWorkTests` its promises as a boundary.
@Suite("A stream's termination handler that carries identity") struct StreamTerminationTests {
    @Test("of a throwing stream gets the stream's error, as its owner", .rule("4.5", "4.7"))
    func throwing() async {
        struct Failed: Error {}
        let seen = Notes<Identity?>()
        let (stream, continuation) = AsyncThrowingStream<Int, any Error>.makeStream()
        withIdentity(ada) {
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
        #expect(seen.all == [ada])
    }

    @Test("is the stream's only handler: it is read, replaced and removed like a plain one", .rule("4.7"))
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

    @Test("read and set again, it keeps its first owner", .rule("4.5"))
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

    @Test(
        "is released with its captures when the stream has ended, although the continuation is retained",
        .rule("6.2")
    )
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
