import Dispatch
import Synchronization
import Testing

@testable import MultiIdentity

@Suite("An asynchronous sequence that carries") struct AsyncSequenceTests {
    private enum Refused: Error, Equatable { case because(Int) }

    static let makers: [Identity?] = [Users.ada, .nobody, nil]
    static let others: [Identity?] = [Users.grace, .nobody, nil]

    private let ada = Users.ada
    private let grace = Users.grace

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

    @Test("which a plain one does not: it makes them as the consumer")
    func plain() async {
        let elements = withIdentity(ada) { Identities(count: 1) }
        let found = await Task.detached { await withIdentity(grace) { await elements.first { _ in true } } }.value
        #expect(found == [grace, grace, grace])
    }

    @Test("makes its iterator as its creator, too")
    func iterator() {
        let elements = withIdentity(ada) { Identities(count: 0).propagatingIdentity }
        let iterator = withIdentity(grace) {
            defer { #expect(Identity.current == grace) }
            return elements.makeAsyncIterator()
        }
        #expect(iterator.base.maker == ada)
    }

    @Test("keeps the first capture where it is created twice")
    func twice() async {
        let first = withIdentity(ada) { Identities(count: 1).propagatingIdentity }
        let second = withIdentity(grace) { first.propagatingIdentity }
        #expect(await second.first { _ in true } == [ada, ada, ada])
    }

    @Test("belongs to its creator for all who consume it, however they take turns", .rule("4.5"))
    func shared() async {
        let elements = withIdentity(ada) { Identities(count: 8).propagatingIdentity }
        let share = Share(elements)
        let found = await withTaskGroup(of: [[Identity?]].self) { group in
            for consumer in [grace, .nobody, nil] as [Identity?] {
                group.addTask {
                    await withIdentity(consumer) {
                        var found: [[Identity?]] = []
                        while let element = await share.next() { found.append(element) }
                        #expect(Identity.current == consumer)
                        return found
                    }
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        #expect(found == Array(repeating: [ada, ada, ada], count: 8))
    }

    @Test("throws the errors of the plain one, with their type, and leaves its consumer as it was", .rule("4.5"))
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

    @Test("carries errors of any type")
    func untypedErrors() async {
        let stream = AsyncThrowingStream<Identity?, any Error> { throw Refused.because(1) }
        await #expect(throws: Refused.because(1)) { for try await _ in stream.propagatingIdentity {} }
    }

    @Test("is asked on the consumer's actor")
    @MainActor func isolation() async {
        let elements = withIdentity(ada) { OnMain().propagatingIdentity }
        var count = 0
        // A class that is not Sendable crosses nothing here: the loop and the sequence are on one actor.
        for await element in elements {
            #expect(element.identity == ada)
            count += 1
        }
        #expect(count == 2)
    }

    @Test("is asked by `next()` as well, as old code calls it")
    func withoutIsolation() async {
        var iterator = withIdentity(ada) { Identities(count: 1).propagatingIdentity.makeAsyncIterator() }
        await withIdentity(grace) {
            #expect(await iterator.next() == [ada, ada, ada])
            #expect(await iterator.next() == nil)
        }
    }

    @Test("hears of a cancellation of the consumer")
    func cancellation() async {
        let (stream, continuation) = AsyncStream<Int>.makeStream()
        let isAsked = Gate()
        let elements = withIdentity(ada) { stream.propagatingIdentity }
        let ended = Notes<Bool>()
        continuation.onTermination = { termination in
            if case .cancelled = termination { ended.add(true) }
        }
        let task = Task {
            var iterator = elements.makeAsyncIterator()
            #expect(await iterator.next() == 1)
            isAsked.open()
            #expect(await iterator.next() == nil)
            #expect(Task.isCancelled)
        }
        continuation.yield(1)
        await isAsked.wait()
        task.cancel()
        await task.value
        #expect(ended.all == [true])
    }

    @Test("can be sent where the plain one can, and nowhere else")
    func sendable() {
        #expect(isSendable(IdentityAsyncSequence<Identities>.self))
        #expect(!isSendable(IdentityAsyncSequence<OnMain>.self))
        #expect(isSendable(IdentityAsyncSequence<Identities>.Iterator.self))
        #expect(!isSendable(IdentityAsyncSequence<AsyncStream<Int>>.Iterator.self))
    }

    private func isSendable<T: Sendable>(_: T.Type) -> Bool { true }
    private func isSendable<T>(_: T.Type) -> Bool { false }

    @Test("takes levels of one's own along")
    func levels() async {
        let own = IdentityLevels()
        let stream = withIdentityLevels(own) { AsyncStream { IdentityLevels.current }.propagatingIdentity }
        #expect(await Task.detached { await stream.first { _ in true } }.value === own)
    }
}

/// Finds as whom each element is made: before a suspension, after it, and in a task that is started meanwhile.
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

/// One element, and then an error.
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

/// Two elements that cannot be sent, made on the main actor.
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

/// Gives the elements of one sequence, each once, to the tasks that ask, as what shares a sequence does.
private actor Share {
    private var iterator: IdentityAsyncSequence<Identities>.Iterator
    private var isBusy = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ elements: IdentityAsyncSequence<Identities>) { iterator = elements.makeAsyncIterator() }

    func next() async -> [Identity?]? {
        if isBusy { await withCheckedContinuation { waiting.append($0) } }
        isBusy = true
        var own = iterator
        let element = await own.next(isolation: self)
        iterator = own
        if waiting.isEmpty { isBusy = false } else { waiting.removeFirst().resume() }
        return element
    }
}
