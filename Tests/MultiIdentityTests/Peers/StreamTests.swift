import MultiIdentity
import Testing

@Suite("Between a stream's producer and its consumer") struct StreamTests {
    static let makers: [Identity?] = [try? Identity("ada@contoso.com"), .nobody, nil]
    static let consumers: [Identity?] = [
        try? Identity("grace@contoso.com"), .nobody, nil, try? Identity("ada@contoso.com"),
    ]

    /// Returns what consuming `stream` shows: whom the producer ran as, and whom the loop's body did.
    private func consume<Elements: AsyncSequence & Sendable>(
        _ stream: Elements,
        as consumer: Identity?
    ) async throws -> (producer: [Identity?], consumer: [Identity?]) where Elements.Element == Identity? {
        try await withIdentity(consumer) { () async throws -> ([Identity?], [Identity?]) in
            var (producers, consumers): ([Identity?], [Identity?]) = ([], [])
            for try await producer in stream {
                producers.append(producer)
                consumers.append(.current)
                await Task.yield()
                consumers.append(.current)
            }
            return (producers, consumers + [.current])
        }
    }

    /// Ends after three elements.
    private actor Three {
        private var left = 3
        func next() -> Bool {
            left -= 1
            return left >= 0
        }
    }

    @Test("a task that yields keeps its maker's identity, and the loop its own", arguments: makers, consumers)
    func yielding(_ maker: Identity?, _ consumer: Identity?) async throws {
        let stream = withIdentity(maker) {
            AsyncStream<Identity?> { continuation in
                Task {
                    for _ in 0..<3 {
                        continuation.yield(.current)
                        await Task.yield()
                    }
                    continuation.finish()
                }
            }
        }
        let seen = try await consume(stream, as: consumer)
        #expect(seen.producer == Array(repeating: maker, count: 3))
        #expect(seen.consumer == Array(repeating: consumer, count: 7))
    }

    @Test(
        "a stream that unfolds asks its closure as the identity that iterates: the language's rule",
        arguments: makers,
        consumers
    )
    func plainUnfolding(_ maker: Identity?, _ consumer: Identity?) async throws {
        let three = Three()
        let stream = withIdentity(maker) {
            AsyncStream<Identity?>(unfolding: { () async -> Identity?? in
                await three.next() ? .some(Identity.current) : .none
            })
        }
        let seen = try await consume(stream, as: consumer)
        #expect(seen.producer == Array(repeating: consumer, count: 3))
        #expect(seen.consumer == Array(repeating: consumer, count: 7))
    }

    @Test("a wrapped closure unfolds as its maker, and the loop keeps its own", arguments: makers, consumers)
    func wrappedUnfolding(_ maker: Identity?, _ consumer: Identity?) async throws {
        let three = Three()
        let stream = withIdentity(maker) {
            let next: @Sendable () async -> Identity?? = IdentitySnapshot.capture().wrap { () async -> Identity?? in
                await three.next() ? .some(Identity.current) : .none
            }
            return AsyncStream<Identity?>(unfolding: next)
        }
        let seen = try await consume(stream, as: consumer)
        #expect(seen.producer == Array(repeating: maker, count: 3))
        #expect(seen.consumer == Array(repeating: consumer, count: 7))
    }

    @Test(
        "a closure that maps runs as the identity that iterates, and a wrapped one as its maker",
        arguments: makers,
        consumers
    )
    func mapping(_ maker: Identity?, _ consumer: Identity?) async throws {
        func numbers() -> AsyncStream<Int> {
            AsyncStream { continuation in
                for number in 0..<3 { continuation.yield(number) }
                continuation.finish()
            }
        }
        let plain = withIdentity(maker) { numbers().map { _ in Identity.current } }
        let seen = try await consume(plain, as: consumer)
        #expect(seen.producer == Array(repeating: consumer, count: 3))
        let wrapped = withIdentity(maker) {
            let look: @Sendable (Int) async -> Identity? = IdentitySnapshot.capture().wrap {
                (_: Int) async -> Identity? in
                Identity.current
            }
            return numbers().map(look)
        }
        let carried = try await consume(wrapped, as: consumer)
        #expect(carried.producer == Array(repeating: maker, count: 3))
        #expect(carried.consumer == Array(repeating: consumer, count: 7))
    }
}
