import AsyncAlgorithms
import AsyncHTTPClient
import Dispatch
import GRDB
import Hummingbird
import HummingbirdTesting
import MultiIdentity
import MultiIdentityTesting
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization
import Testing

/// A way in which a package that is not ours calls a closure, or asks a sequence: as it is, and wrapped by its caller.
enum Way: String, CaseIterable {
    case observation, streamedBody, requestBody, shared, threadPool

    /// The promises that the packages as they are break, and what the worst of it is.
    var broken: (count: Int, worst: BoundaryViolation.Kind) {
        switch self {
        case .observation: (4, .mixed)
        case .streamedBody: (15, .lost)
        case .requestBody: (14, .lost)
        case .shared: (5, .mixed)
        case .threadPool: (15, .lost)
        }
    }

    /// The way as the kit takes it.
    ///
    /// - Parameters:
    ///   - isWrapped: Whether the caller wraps what it hands over.
    ///   - port: Where a server takes requests.
    /// - Returns: A boundary of its own.
    func boundary(isWrapped: Bool, port: Int) -> BoundaryConformance {
        let name = "\(rawValue), \(isWrapped ? "wrapped" : "as it is")"
        return switch self {
        case .observation:
            BoundaryConformance(name, capturedWhen: .registered) { work in
                observe(isWrapped ? IdentitySnapshot.capture().wrap(work) : work)
            }.awaited()
        case .streamedBody:
            .afterHandler(name) { identity, handler in
                await reporting { try await serve(as: identity, isWrapped: isWrapped, handler) }
            }
        case .requestBody:
            BoundaryConformance(name) { work in
                let part = AsyncStream<Void>.one.map { _ in
                    work()
                    return ByteBuffer(string: "part")
                }
                var request = HTTPClientRequest(url: "http://localhost:\(port)")
                request.method = .POST
                request.body =
                    isWrapped
                    ? .stream(part.propagatingIdentity, length: .unknown) : .stream(part, length: .unknown)
                Task { [request] in
                    await reporting { _ = try await HTTPClient.shared.execute(request, timeout: .seconds(60)) }
                }
            }
        case .shared:
            .upstream(name) { upstream in
                let orders = Orders()
                let counted = upstream.map { orders.countElement() }
                if isWrapped {
                    let shared = counted.propagatingIdentity.share()
                    return { await orders.take(from: shared) }
                }
                let shared = counted.share()
                return { await orders.take(from: shared) }
            }
        case .threadPool:
            BoundaryConformance(name) { work in
                let work = isWrapped ? IdentitySnapshot.capture().wrap(work) : work
                Task { await reporting { try await NIOThreadPool.singleton.runIfActive { work() } } }
            }
        }
    }
}

extension AsyncStream<Void> {
    /// A stream of one element.
    fileprivate static var one: AsyncStream {
        AsyncStream {
            $0.yield()
            $0.finish()
        }
    }
}

/// The elements that consumers asked for, and those that were made.
///
/// One element can reach several consumers, each of which asked for one: they go on until as many were made.
private final class Orders: Sendable {
    private let counts = Mutex((ordered: 0, made: 0))

    func countElement() { counts.withLock { $0.made += 1 } }

    func take(from shared: some AsyncSequence<Void, Never> & Sendable) async {
        counts.withLock { $0.ordered += 1 }
        for await _ in shared where counts.withLock({ $0.made >= $0.ordered }) { break }
    }
}

private func reporting(_ work: () async throws -> Void) async {
    do { try await work() } catch { Issue.record(error) }
}

/// Does the work in the fetch that a write brings about; the write is what is returned.
private func observe(_ work: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    do {
        let db = try DatabaseQueue()
        try db.write { db in try db.execute(sql: "CREATE TABLE note(text TEXT)") }
        let begun = DispatchSemaphore(value: 0)
        let observation = ValueObservation.tracking { db in
            let count = try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM note")
            if count == 1 { work() }
        }.start(in: db, scheduling: .async(onQueue: DispatchQueue(label: "observer"))) { error in
            Issue.record(error)
        } onChange: {
            begun.signal()
        }
        begun.wait()
        return {
            do {
                try db.write { db in try db.execute(sql: "INSERT INTO note VALUES ('a note')") }
                observation.cancel()
            } catch { Issue.record(error) }
        }
    } catch {
        Issue.record(error)
        return {}
    }
}

/// Has the handler run as the captured identity, and ends when that has returned.
private struct Restoring: RouterMiddleware {
    let snapshot: IdentitySnapshot

    func handle(
        _ request: Request,
        context: BasicRequestContext,
        next: @concurrent (Request, BasicRequestContext) async throws -> Response
    ) async throws -> Response {
        try await snapshot.restore { try await next(request, context) }
    }
}

/// Serves a request with an answer that is streamed by what the handler gives back.
private func serve(
    as identity: Identity?,
    isWrapped: Bool,
    _ handler: @escaping @Sendable () async -> BoundaryConformance.AsyncWork
) async throws {
    let router = Router()
    router.add(middleware: Restoring(snapshot: withIdentity(identity) { IdentitySnapshot.capture() }))
    router.get("/") { _, _ in
        let work = await handler()
        let body = isWrapped ? IdentitySnapshot.capture().wrap(work) : work
        return Response(
            status: .ok,
            body: ResponseBody { writer in
                await body()
                try await writer.finish(nil)
            }
        )
    }
    // Without what is bound here: a server's connection has nothing of its clients.
    try await Task.detached {
        try await Application(router: router).test(.router) { _ = try await $0.execute(uri: "/", method: .get) }
    }.value
}
