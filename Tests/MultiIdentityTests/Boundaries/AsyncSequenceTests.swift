import Dispatch
import Testing

@testable import MultiIdentity

@Suite("An asynchronous sequence that carries identity") struct AsyncSequenceTests {
    private enum Refused: Error, Equatable { case because(Int) }

    static let makers: [Identity?] = [Users.ada, .nobody, nil]
    static let others: [Identity?] = [Users.grace, .nobody, nil]

    @Test(
        "makes each element as its creator, and the loop's body runs as the consumer",
        .rule("4.5"),
        arguments: makers,
        others
    )
    func creator(_ maker: Identity?, _ other: Identity?) async {
        let elements = withIdentity(maker) { Identities(count: 3).propagatingIdentity }
        let (found, inLoop) = await Task.detached {
            await withIdentity(other) {
                var (found, inLoop) = ([[Identity?]](), [Identity?]())
                for await element in elements {
                    found.append(element)
                    inLoop.append(Identity.current)
                }
                inLoop.append(Identity.current)
                return (found, inLoop)
            }
        }.value
        #expect(found == Array(repeating: [maker, maker, maker], count: 3))
        #expect(inLoop == Array(repeating: other, count: 4))
    }

    @Test("also makes its iterator as its creator")
    func iterator() {
        let elements = withIdentity(ada) { Identities(count: 0).propagatingIdentity }
        let iterator = withIdentity(grace) {
            defer { #expect(Identity.current == grace) }
            return elements.makeAsyncIterator()
        }
        #expect(iterator.base.maker == ada)
    }

    @Test("throws the errors of the plain one, with their type, and leaves its consumer unchanged", .rule("4.5"))
    func errors() async {
        let elements = withIdentity(ada) { Failing(error: Refused.because(3)).propagatingIdentity }
        await withIdentity(grace) {
            do throws(Refused) {
                for try await identity in elements { #expect(identity == ada) }
                Issue.record("It has to throw.")
            } catch {
                #expect(error == .because(3))
            }
            #expect(Identity.current == grace)
            #expect(IdentitySnapshot.bound.get().identity == grace)
        }
    }

    @Test("runs on the consumer's actor")
    @MainActor func isolation() async {
        let elements = withIdentity(ada) { OnMain().propagatingIdentity }
        var count = 0
        // An object that is not Sendable crosses no isolation here: the loop and the sequence are on one actor.
        for await element in elements {
            #expect(element.identity == ada)
            count += 1
        }
        #expect(count == 2)
    }

    @Test("also supports `next()`, as old code calls it")
    func withoutIsolation() async {
        var iterator = withIdentity(ada) { Identities(count: 1).propagatingIdentity.makeAsyncIterator() }
        await withIdentity(grace) {
            #expect(await iterator.next() == [ada, ada, ada])
            #expect(await iterator.next() == nil)
        }
    }

    @Test("is Sendable exactly if the plain one is")
    func sendable() {
        #expect(isSendable(IdentityAsyncSequence<Identities>.self))
        #expect(!isSendable(IdentityAsyncSequence<OnMain>.self))
        #expect(isSendable(IdentityAsyncSequence<Identities>.Iterator.self))
        #expect(!isSendable(IdentityAsyncSequence<AsyncStream<Int>>.Iterator.self))
    }

    private func isSendable<T: Sendable>(_: T.Type) -> Bool { true }
    private func isSendable<T>(_: T.Type) -> Bool { false }
}

/// Makes elements from the current identity: before a suspension, after it, and in a task that it starts.
private struct Identities: AsyncSequence, Sendable {
    let count: Int

    func makeAsyncIterator() -> Iterator { Iterator(left: count, maker: Identity.current) }

    struct Iterator: AsyncIteratorProtocol, Sendable {
        var left: Int
        let maker: Identity?

        mutating func next() async -> [Identity?]? {
            guard left > 0 else { return nil }
            left -= 1
            let before = Identity.current
            let inTask = await Task { Identity.current }.value
            return [before, inTask, Identity.current]
        }
    }
}

/// Makes one element, and then an error.
private struct Failing<Failure: Error>: AsyncSequence, Sendable {
    let error: Failure

    func makeAsyncIterator() -> Iterator { Iterator(error: error) }

    struct Iterator: AsyncIteratorProtocol {
        let error: Failure
        var hasBegun = false

        mutating func next() async throws(Failure) -> Identity?? { try await next(isolation: nil) }

        mutating func next(isolation actor: isolated (any Actor)?) async throws(Failure) -> Identity?? {
            if hasBegun { throw error }
            hasBegun = true
            return .some(Identity.current)
        }
    }
}

/// Makes two elements that cannot be sent, on the main actor.
private final class OnMain: AsyncSequence {
    final class Element {
        let identity = Identity.current
    }

    func makeAsyncIterator() -> Iterator { Iterator() }

    struct Iterator: AsyncIteratorProtocol {
        var left = 2

        mutating func next() async -> Element? { await next(isolation: nil) }

        mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
            #expect(actor === MainActor.shared)
            MainActor.assertIsolated()
            guard left > 0 else { return nil }
            left -= 1
            return Element()
        }
    }
}
