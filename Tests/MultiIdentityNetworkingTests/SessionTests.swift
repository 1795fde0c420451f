import Foundation
import MultiIdentityNetworking
import Testing

@testable import MultiIdentity

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("A session") struct SessionTests {
    private let session = URLSession(configuration: .ephemeral)

    @Test("returns its tasks, and is reset and flushed, as the caller", .rule("4.5"))
    func questions() async throws {
        let carrying = session.propagatingIdentity
        let seen = await withIdentity(ada) { () async -> [Identity?] in
            [
                await withCheckedContinuation { continuation in
                    carrying.getAllTasks { _ in continuation.resume(returning: .current) }
                },
                await withCheckedContinuation { continuation in
                    carrying.getTasksWithCompletionHandler { _, _, _ in continuation.resume(returning: .current) }
                },
                await withCheckedContinuation { continuation in
                    carrying.reset { continuation.resume(returning: .current) }
                },
                await withCheckedContinuation { continuation in
                    carrying.flush { continuation.resume(returning: .current) }
                },
            ]
        }
        #expect(seen == [ada, ada, ada, ada])
    }

    @Test("lists the running tasks", .rule("4.7"))
    func tasks() async throws {
        let (hangs, hang) = AsyncStream<Void>.makeStream()
        let server = try LoopbackServer { hang.yield() }
        let task = session.propagatingIdentity.dataTask(with: try server.url("/hang")) { _, _, _ in hang.finish() }
        task.resume()
        for await _ in hangs { break }
        let found = await withCheckedContinuation { continuation in
            session.propagatingIdentity.getAllTasks { continuation.resume(returning: $0.map(\.taskIdentifier)) }
        }
        #expect(found == [task.taskIdentifier])
        task.cancel()
        for await _ in hangs {}
    }

    @Test("resumes asynchronous code as its task, whether it answers, fails or is cancelled", .rule("4.5"))
    func asynchronous() async throws {
        let (hangs, hang) = AsyncStream<Void>.makeStream()
        let server = try LoopbackServer { hang.yield() }
        let (answered, missing) = (try server.url("/letter"), try server.url("/missing"))
        let (mute, hanging) = (try server.url("/mute"), try server.url("/hang"))
        let session = session
        let task = withIdentity(ada) {
            Task { () async throws -> [Identity?] in
                var seen: [Identity?] = []
                let (data, _) = try await session.data(for: URLRequest(url: answered))
                seen.append(data == Data("/letter".utf8) ? .current : .nobody)
                _ = try await session.data(from: missing)
                seen.append(.current)
                do { _ = try await session.data(from: mute) } catch { seen.append(.current) }
                do { _ = try await session.data(from: hanging) } catch { seen.append(.current) }
                return seen + [IdentitySnapshot.bound.get().identity]
            }
        }
        for await _ in hangs { break }
        withIdentity(grace) { task.cancel() }
        #expect(try await task.value == [ada, ada, ada, ada, ada])
    }

    // MARK: Delegates

    /// The documented pattern: a task's owner is stored by its number.
    private final class Mailroom: NSObject, URLSessionDataDelegate {
        let ended: AsyncStream<(Int, [Identity?])>.Continuation
        private let owners = Locked<[Int: IdentitySnapshot]>([:])

        init(_ ended: AsyncStream<(Int, [Identity?])>.Continuation) { self.ended = ended }

        func start(_ url: URL, in session: URLSession) -> Int {
            let task = session.dataTask(with: url)
            let snapshot = IdentitySnapshot.capture()
            owners.withLock { $0[task.taskIdentifier] = snapshot }
            task.resume()
            return task.taskIdentifier
        }

        func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
            let plain = Identity.current
            let owner = owners.withLock { $0.removeValue(forKey: task.taskIdentifier) }
            owner?.restore { _ = ended.yield((task.taskIdentifier, [plain, Identity.current])) }
        }
    }

    @Test(
        "calls a delegate as nobody, unless it keeps a snapshot for each task",
        .rule("4.5"),
        arguments: [false, true]
    )
    func delegate(_ hasQueueThatCaptures: Bool) async throws {
        let server = try LoopbackServer()
        let (ends, end) = AsyncStream<(Int, [Identity?])>.makeStream()
        let mailroom = Mailroom(end)
        let session = URLSession(
            configuration: .ephemeral,
            delegate: mailroom,
            delegateQueue: hasQueueThatCaptures ? CapturingQueue() : nil
        )
        let url = try server.url("/letter")
        let adas = withIdentity(ada) { mailroom.start(url, in: session) }
        let graces = withIdentity(grace) { mailroom.start(url, in: session) }
        var found: [Int: [Identity?]] = [:]
        for await (task, seen) in ends {
            found[task] = seen
            if found.count == 2 { break }
        }
        #expect(found[adas] == [nil, ada])
        #expect(found[graces] == [nil, grace])
        session.invalidateAndCancel()
    }

    /// A queue that captures when an operation is added, which the session does itself: too late.
    private final class CapturingQueue: OperationQueue, @unchecked Sendable {
        override func addOperation(_ block: @escaping @Sendable () -> Void) {
            super.addOperation(BoundaryCapture(at: .snapshot).wrap(block))
        }
    }

    @Test("completes as the task's maker on a delegate queue where another identity is bound", .rule("4.5"))
    func queueOfSomebodyElse() async throws {
        let server = try LoopbackServer()
        let queue = BindingQueue(grace)
        let session = URLSession(configuration: .ephemeral, delegate: nil, delegateQueue: queue)
        let url = try server.url("/letter")
        let seen: Identity? = await withCheckedContinuation { continuation in
            withIdentity(ada) {
                session.propagatingIdentity.dataTask(with: url) { _, _, _ in
                    continuation.resume(returning: Identity.current)
                }.resume()
            }
        }
        #expect(seen == ada)
        await withCheckedContinuation { continuation in queue.addOperation { continuation.resume() } }
        #expect(Set(queue.afterwards.withLock { $0 }) == [grace])
    }

    /// A queue whose operations find another identity already bound.
    private final class BindingQueue: OperationQueue, @unchecked Sendable {
        let afterwards = Locked<[Identity?]>([])
        private let identity: Identity

        init(_ identity: Identity) {
            self.identity = identity
            super.init()
            maxConcurrentOperationCount = 1
        }

        override func addOperation(_ block: @escaping @Sendable () -> Void) {
            super.addOperation { [identity, afterwards] in
                withIdentity(identity) {
                    block()
                    let after = Identity.current
                    afterwards.withLock { $0.append(after) }
                }
            }
        }
    }
}
