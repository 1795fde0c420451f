import Dispatch
import Foundation
import GRDB
import MultiIdentity
import NIOCore
import NIOPosix
import OpenCombine
import OpenCombineDispatch
import OpenCombineFoundation

/// A call of an unmodified library that does its work elsewhere.
struct LibraryCase: Sendable {
    let name: String
    /// The reason why automatic mode does not reach it; `nil` if it does.
    let outOfReach: String?
    /// Makes the library run the work, and returns what has to stay alive until then.
    private let start: @Sendable (@escaping @Sendable () -> Void) throws -> Any?

    private init(
        _ name: String,
        outOfReach: String? = nil,
        start: @escaping @Sendable (@escaping @Sendable () -> Void) throws -> Any?
    ) {
        self.name = name
        self.outOfReach = outOfReach
        self.start = start
    }

    static let all = grdb + openCombine + nio

    /// Each database has its own serial queues.
    private static let grdb: [LibraryCase] = [
        LibraryCase("GRDB: DatabaseQueue.asyncRead") { work in
            try with(DatabaseQueue()) { $0.asyncRead { _ in work() } }
        },
        LibraryCase("GRDB: DatabaseQueue.asyncWriteWithoutTransaction") { work in
            try with(DatabaseQueue()) { $0.asyncWriteWithoutTransaction { _ in work() } }
        },
        LibraryCase("GRDB: DatabasePool.asyncRead") { work in
            try with(TemporaryPool()) { $0.pool.asyncRead { _ in work() } }
        },
        LibraryCase("GRDB: DatabasePool.asyncWriteWithoutTransaction") { work in
            try with(TemporaryPool()) { $0.pool.asyncWriteWithoutTransaction { _ in work() } }
        },
        LibraryCase("GRDB: ValueObservation, its first value") { work in
            ValueObservation.tracking { try Int.fetchOne($0, sql: "SELECT 1") }.start(
                in: try DatabaseQueue(),
                scheduling: .async(onQueue: DispatchQueue(label: "values")),
                onError: { _ in },
                onChange: { _ in work() }
            )
        },
    ]

    /// Queues as schedulers.
    private static let openCombine: [LibraryCase] = [
        LibraryCase("OpenCombine: receive(on: a dispatch queue)") { work in
            Just(1).receive(on: DispatchQueue(label: "values").ocombine).sink { _ in work() }
        },
        LibraryCase("OpenCombine: subscribe(on: a dispatch queue)") { work in
            Just(1).subscribe(on: DispatchQueue(label: "values").ocombine).sink { _ in work() }
        },
        LibraryCase("OpenCombine: delay on a dispatch queue") { work in
            Just(1).delay(for: .milliseconds(1), scheduler: DispatchQueue(label: "values").ocombine)
                .sink { _ in work() }
        },
        LibraryCase("OpenCombine: schedule on a dispatch queue") { work in
            DispatchQueue(label: "values").ocombine.schedule(work)
        },
        LibraryCase("OpenCombine: schedule repeatedly on a dispatch queue") { work in
            let scheduler = DispatchQueue(label: "values").ocombine
            return scheduler.schedule(after: scheduler.now, interval: .milliseconds(1), work)
        },
        LibraryCase("OpenCombine: receive(on: an operation queue)") { work in
            // Serial: otherwise the end could overtake the value on another thread.
            let queue = with(OperationQueue()) { $0.maxConcurrentOperationCount = 1 }
            return Just(1).receive(on: queue.ocombine).sink { _ in work() }
        },
    ]

    /// Blocking work uses a queue of Dispatch, all other work swift-nio's own threads.
    private static let nio: [LibraryCase] = [
        LibraryCase("swift-nio: DispatchQueue.asyncWithFuture(eventLoop:)") { work in
            DispatchQueue(label: "blocking").asyncWithFuture(eventLoop: loop) { work() }
        },
        LibraryCase("swift-nio: EventLoop.execute", outOfReach: "its own thread") { work in loop.execute(work) },
        LibraryCase("swift-nio: EventLoopFuture.whenComplete", outOfReach: "its own thread") { work in
            loop.makeSucceededVoidFuture().whenComplete { _ in work() }
        },
        LibraryCase("swift-nio: NIOThreadPool.submit", outOfReach: "its own threads") { work in
            NIOThreadPool.singleton.submit { _ in work() }
        },
        LibraryCase("swift-nio: whenSuccessBlocking(onto:)", outOfReach: "the loop's thread dispatches") { work in
            loop.makeSucceededVoidFuture().whenSuccessBlocking(onto: DispatchQueue(label: "blocking")) { work() }
        },
    ]

    private static var loop: any EventLoop { MultiThreadedEventLoopGroup.singleton.any() }

    private static func with<Value>(_ value: Value, _ use: (Value) -> Void) -> Value {
        use(value)
        return value
    }

    /// Calls the library with an identity that is bound only around the call, and returns the work's identity.
    func identityOfWork(as caller: Identity?) async throws -> Identity? {
        let (identities, found) = AsyncStream<Identity?>.makeStream()
        let kept = try withIdentity(caller) {
            try start {
                found.yield(Identity.current)
                found.finish()
            }
        }
        defer { withExtendedLifetime(kept) {} }
        for await identity in identities { return identity }
        throw Difference(description: "it dropped the work")
    }
}

/// A database pool, and its temporary file.
private final class TemporaryPool {
    let pool: DatabasePool
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "automatic-libraries-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        pool = try DatabasePool(path: folder.appending(path: "database.sqlite").path)
    }

    deinit {
        try? pool.close()
        try? FileManager.default.removeItem(at: folder)
    }
}
