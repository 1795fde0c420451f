import AsyncAlgorithms
import Dispatch
import FlyingFox
import FlyingSocks
import GRDB
import OpenCombine
import OpenCombineDispatch
import ServiceLifecycle

extension ScheduledUse {
    private static let neverEnds = "the body did not end"

    /// Uses that some schedule breaks; Docs/Reliability.md explains how.
    static let faulty = [
        ScheduledUse(name: "OpenCombine: a sink that is cancelled receives nothing", finding: "[1]") {
            let (seen, queue) = (Seen<Int>(), DispatchQueue(label: "upstream"))
            let cancellable = [1].publisher.subscribe(on: queue.ocombine).sink { seen.add($0) }
            cancellable.cancel()
            await withCheckedContinuation { ended in queue.async { ended.resume() } }
            try expect([], seen.all)
        },
        ScheduledUse(name: "OpenCombine: a sink's last value is the subject's", finding: "[0, 2, 1]") {
            let (seen, subject) = (Seen<Int>(), CurrentValueSubject<Int, Never>(0))
            let cancellable = subject.sink { seen.add($0) }
            await atOnce({ subject.send(1) }, { subject.send(2) })
            if seen.all.last != subject.value { throw Unexpected(value: "\(seen.all)") }
            cancellable.cancel()
        },
        ScheduledUse(name: "OpenCombine: after the latest publisher's value comes no earlier one's", finding: "[1]") {
            let (seen, one) = (Seen<Int>(), PassthroughSubject<Int, Never>())
            let outer = PassthroughSubject<AnyPublisher<Int, Never>, Never>()
            let cancellable = outer.switchToLatest().sink { seen.add($0) }
            outer.send(one.eraseToAnyPublisher())
            await atOnce({ one.send(1) }, { outer.send(Just(2).eraseToAnyPublisher()) })
            try expect([2], seen.all.suffix(1))
            cancellable.cancel()
        },
        ScheduledUse(name: "OpenCombine: a buffer passes on the end that comes while it subscribes", finding: "[]") {
            let (seen, subject) = (Seen<Int>(), PassthroughSubject<Int, Never>())
            let buffer = subject.buffer(size: 1, prefetch: .keepFull, whenFull: .dropNewest)
            var cancellable: AnyCancellable?
            await atOnce(
                { cancellable = buffer.sink(receiveCompletion: { _ in seen.add(1) }, receiveValue: { _ in }) },
                { subject.send(completion: .finished) }
            )
            try expect([1], seen.all)
            cancellable?.cancel()
        },
        ScheduledUse(name: "AsyncAlgorithms: flatMapLatest ends with its sequences", finding: neverEnds) {
            try expect([1], await Array([1].async.flatMapLatest { [$0].async }))
        },
        ScheduledUse(name: "AsyncAlgorithms: flatMapLatest comes to the latest sequence", finding: neverEnds) {
            let latest = [1, 2, 3].async.flatMapLatest { number in
                AsyncStream { inner in
                    inner.yield(number)
                    if number == 3 { inner.finish() }
                }
            }
            try expect(3, await Array(latest).last)
        },
        ScheduledUse(name: "AsyncAlgorithms: share() releases what it shares", finding: neverEnds) {
            final class Shared: Sendable {
                let released: AsyncStream<Void>.Continuation
                init(_ released: AsyncStream<Void>.Continuation) { self.released = released }
                deinit { released.finish() }
            }
            @Sendable func takeOne(of shared: Shared) async {
                for await _ in [1, 2].async.map({ _ in shared }).share() { break }
            }
            let (released, continuation) = AsyncStream<Void>.makeStream()
            await takeOne(of: Shared(continuation))
            for await _ in released {}
        },
        ScheduledUse(
            name: "GRDB: a shared observation goes on without a reader that is cancelled",
            finding: "waits for ever"
        ) {
            let db = try DatabaseQueue()
            let observation = ValueObservation.tracking { try Int.fetchOne($0, sql: "SELECT 1") }
                .shared(in: db, scheduling: .async(onQueue: DispatchQueue(label: "shared")))
            let readers = (0..<2).map { _ in Task { for try await _ in observation.values() { break } } }
            readers[0].cancel()
            _ = await readers[0].result
            try await readers[1].value
        },
        ScheduledUse(name: "ServiceLifecycle: a service is not added to a group that ends", finding: neverEnds) {
            let group = ServiceGroup(services: [Ending()], logger: quiet)
            let adding = (0..<2).map { _ in Task { await group.addServiceUnlessShutdown(Waiting()) } }
            try? await group.run()
            for task in adding { await task.value }
        },
        ScheduledUse(name: "FlyingFox: a server that was stopped runs again", finding: "Unexpected") {
            let server = HTTPServer(address: .loopback(port: 0), pool: SilentPool(), logger: .disabled)
            let first = Task { try await server.run() }
            try await server.waitUntilListening()
            await server.stop()
            let second = Task { try await server.run() }
            do { try await server.waitUntilListening() } catch { throw Unexpected(value: "\(error)") }
            _ = await first.result
            try expect(true, await server.isListening)
            await server.stop()
            _ = await second.result
        },
    ]
}

/// A pool whose sockets never receive anything.
private struct SilentPool: AsyncSocketPool {
    func prepare() {}
    func run() async throws { try await Task.sleep(for: .seconds(1_000_000)) }
    func suspendSocket(_ socket: Socket, untilReadyFor events: Socket.Events) async throws { try await run() }
}
