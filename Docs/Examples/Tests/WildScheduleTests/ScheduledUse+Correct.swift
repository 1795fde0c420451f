import AsyncAlgorithms
import Dispatch
import FlyingFox
import FlyingSocks
import Foundation
import GRDB
import Logging
import NIOConcurrencyHelpers
import NIOPosix
import OpenCombine
import ServiceLifecycle

extension ScheduledUse {
    /// Uses that no schedule breaks.
    static let correct = [
        ScheduledUse(name: "OpenCombine: a future is received once") {
            let seen = Seen<Int>()
            var (fulfil, cancellable): (Future<Int, Never>.Promise?, AnyCancellable?)
            let future = Future<Int, Never> { fulfil = $0 }
            await atOnce({ fulfil?(.success(1)) }, { cancellable = future.sink { seen.add($0) } })
            try expect([1], seen.all)
            cancellable?.cancel()
        },
        ScheduledUse(name: "AsyncAlgorithms: a channel loses nothing with a reader that is cancelled") {
            let channel = AsyncChannel<Int>()
            let readers = (0..<2).map { _ in Task { await Array(channel) } }
            readers[0].cancel()
            for number in 1...2 { await channel.send(number) }
            channel.finish()
            try expect([1, 2], (await readers[0].value + (await readers[1].value)).sorted())
        },
        ScheduledUse(name: "GRDB: no write is lost, and one that is cancelled is whole or not at all") {
            let db = try DatabaseQueue()
            try await db.write { try $0.execute(sql: "CREATE TABLE a(n INT); INSERT INTO a VALUES (0)") }
            let add: @Sendable (Database) throws -> Void = { db in
                let number = try Int.fetchOne(db, sql: "SELECT n FROM a") ?? 0
                try db.execute(sql: "UPDATE a SET n = ?", arguments: [number + 1])
            }
            let writers = (0..<3).map { _ in Task { try await db.write(add) } }
            writers[0].cancel()
            var count = 0
            for writer in writers { if case .success = await writer.result { count += 1 } }
            try expect(count, await db.read { try Int.fetchOne($0, sql: "SELECT n FROM a") } ?? 0)
        },
        ScheduledUse(name: "ServiceLifecycle: a group shuts down, whether a service ends by itself or not") {
            let services: [ServiceGroupConfiguration.ServiceConfiguration] = [
                .init(service: Ending(), successTerminationBehavior: .ignore), .init(service: Waiting()),
            ]
            let group = ServiceGroup(configuration: .init(services: services, logger: quiet))
            let running = Task { try await group.run() }
            await group.triggerGracefulShutdown()
            do { try await running.value } catch is ServiceGroupError {}
        },
        ScheduledUse(name: "swift-nio: a pool of threads runs what it says that it ran") {
            let (pool, ran) = (NIOThreadPool(numberOfThreads: 2), NIOLockedValueBox(0))
            pool.start()
            let works = (0..<3).map { _ in Task { try await pool.runIfActive { ran.withLockedValue { $0 += 1 } } } }
            works[0].cancel()
            try await works[1].value
            try await pool.shutdownGracefully()
            var count = 0
            for work in works { if case .success = await work.result { count += 1 } }
            try expect(count, ran.withLockedValue { $0 })
        },
        ScheduledUse(name: "FlyingFox: two readers of a body have all of it", ordersByAddress: true) {
            let body = HTTPBodySequence(shared: Bytes(left: [1, 2, 3]), count: 3, suggestedBufferSize: 1)
            let readers = (0..<2).map { _ in Task { try await body.reduce(into: Data()) { $0 += $1 } } }
            for reader in readers { try expect(Data([1, 2, 3]), await reader.value) }
        },
    ]
}

struct Ending: Service {
    func run() async { await Task.yield() }
}

struct Waiting: Service {
    func run() async throws { try await gracefulShutdown() }
}

let quiet = Logger(label: "quiet") { _ in SwiftLogNoOpLogHandler() }

private struct Bytes: AsyncBufferedSequence, AsyncBufferedIteratorProtocol {
    var left: ArraySlice<UInt8>

    func makeAsyncIterator() -> Bytes { self }

    mutating func next() async -> UInt8? { left.popFirst() }

    mutating func nextBuffer(suggested count: Int) async -> [UInt8]? { await next().map { [$0] } }
}
