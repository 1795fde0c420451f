import Foundation
import MultiIdentityNetworking
import Testing

@testable import MultiIdentity

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("The completion handler of a session's task") struct CompletionTests {
    static let owners: [Identity?] = [Users.ada, .nobody, nil]

    private let session = URLSession(configuration: .ephemeral)

    /// Returns the outcome of a task that `owner` makes, and that `grace` resumes and then uses with `use`.
    private func outcome(
        of kind: RequestKind,
        for url: URL,
        madeAs owner: Identity?,
        _ use: @Sendable (URLSessionTask) async -> Void = { _ in }
    ) async throws -> RequestKind.Outcome {
        let (ends, end) = AsyncStream<RequestKind.Outcome>.makeStream()
        let task = try withIdentity(owner) {
            try kind.task(in: session.propagatingIdentity, for: url) {
                end.yield($0)
                end.finish()
            }
        }
        withIdentity(grace) { task.resume() }
        await withIdentity(grace) { await use(task) }
        var all: [RequestKind.Outcome] = []
        for await outcome in ends { all.append(outcome) }
        return try #require(all.first)
    }

    @Test(
        "runs as the task's maker, whichever identity resumes it",
        .rule("4.5"),
        arguments: RequestKind.allCases,
        owners
    )
    func success(_ kind: RequestKind, _ owner: Identity?) async throws {
        let server = try LoopbackServer()
        let outcome = try await outcome(of: kind, for: server.url("/echo"), madeAs: owner)
        #expect(outcome.seen == [owner, owner])
        #expect(outcome.status == 200)
        #expect(outcome.body == kind.echo)
        #expect(outcome.error == nil)
    }

    @Test("runs as its maker if the resource does not exist", .rule("4.5"), arguments: RequestKind.allCases)
    func missing(_ kind: RequestKind) async throws {
        let server = try LoopbackServer()
        let outcome = try await outcome(of: kind, for: server.url("/missing"), madeAs: ada)
        #expect(outcome.seen == [ada, ada])
        #expect(outcome.status == 404)
        #expect(outcome.body == Data("not here".utf8))
    }

    // Not with a port without a listener: on Linux that is a hang-up, which libdispatch does not always survive
    // (swift-corelibs-libdispatch#949).
    @Test("runs as its maker if no answer comes", .rule("4.5")) func unanswered() async throws {
        await #expect(processExitsWith: .success) {
            try await Self.inTemporaryFolder { tests, kind in
                let server = try LoopbackServer()
                let outcome = try await tests.outcome(of: kind, for: server.url("/mute"), madeAs: ada)
                #expect(outcome.seen == [ada, ada], "\(kind)")
                // The error depends on the system.
                #expect([.badServerResponse, .networkConnectionLost].contains(outcome.error), "\(kind)")
            }
        }
    }

    @Test("runs as its maker if another identity cancels it", .rule("4.5")) func cancelled() async throws {
        await #expect(processExitsWith: .success) {
            try await Self.inTemporaryFolder { tests, kind in
                let (hangs, hang) = AsyncStream<Void>.makeStream()
                let server = try LoopbackServer { hang.yield() }
                let outcome = try await tests.outcome(of: kind, for: server.url("/hang"), madeAs: ada) { task in
                    for await _ in hangs { break }
                    task.cancel()
                }
                #expect(outcome.seen == [ada, ada], "\(kind)")
                #expect(outcome.error == .cancelled, "\(kind)")
            }
        }
    }

    /// Tries each kind in a separate process with a temporary folder that is removed afterwards.
    ///
    /// Foundation for Linux leaves the file of a failed download there, and reports its name to no one (6.3.1).
    private static func inTemporaryFolder(
        _ body: (CompletionTests, RequestKind) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "multi-identity-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        setenv("TMPDIR", folder.path, 1)
        let tests = CompletionTests()
        for kind in RequestKind.allCases { try await body(tests, kind) }
    }

    @Test("runs as the maker of a task that was to resume a download and could not")
    func resumeData() async throws {
        let (ends, end) = AsyncStream<Identity?>.makeStream()
        let task = withIdentity(ada) {
            session.propagatingIdentity.downloadTask(withResumeData: Data("nothing".utf8)) { _, _, error in
                end.yield(error == nil ? nil : Identity.current)
                end.finish()
            }
        }
        // Foundation for Linux stops the program if such a task is resumed before its session knows it (6.3.1).
        await withCheckedContinuation { continuation in session.getAllTasks { _ in continuation.resume() } }
        withIdentity(grace) { task.resume() }
        for await seen in ends { #expect(seen == ada) }
    }

    @Test("leaves the delegate queue as it was, and runs on it once", .rule("4.7"))
    func queueAfterwards() async throws {
        let server = try LoopbackServer()
        let runs = Locked(0)
        for _ in 0..<4 {
            let url = try server.url("/letter")
            let (task, (ends, end)) = withIdentity(ada) {
                let ends = AsyncStream<Bool>.makeStream()
                let task = session.propagatingIdentity.dataTask(with: url) { [session] _, _, _ in
                    runs.withLock { $0 += 1 }
                    ends.continuation.yield(OperationQueue.current === session.delegateQueue)
                }
                return (task, (ends.stream, ends.continuation))
            }
            task.resume()
            for await isOnQueue in ends {
                #expect(isOnQueue)
                break
            }
            end.finish()
            let after = await withCheckedContinuation { continuation in
                session.delegateQueue.addOperation { continuation.resume(returning: Identity.current) }
            }
            #expect(after == nil)
        }
        #expect(runs.withLock { $0 } == 4)
    }

    @Test("keeps users of a shared session apart", .rule("4.5"))
    func users() async throws {
        let server = try LoopbackServer()
        let users = try (0..<24).map { try Identity("user-\($0)@contoso.com") }
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for (index, user) in users.enumerated() {
                let kind = RequestKind.allCases[index % RequestKind.allCases.count]
                group.addTask {
                    let outcome = try await outcome(of: kind, for: server.url("/of/\(index)"), madeAs: user)
                    return outcome.seen == [user, user] && outcome.body == Data("/of/\(index)".utf8)
                }
            }
            for try await isRight in group { #expect(isRight) }
        }
    }

    @Test("is released with its captures when the task has completed, even if the task is kept", .rule("6.2"))
    func released() async throws {
        let server = try LoopbackServer()
        let url = try server.url("/letter")
        let (gone, isGone) = AsyncStream<Void>.makeStream()
        /// Records its release.
        final class Luggage: Sendable {
            private let isGone: AsyncStream<Void>.Continuation
            init(_ isGone: AsyncStream<Void>.Continuation) { self.isGone = isGone }
            deinit { isGone.finish() }
        }
        func make() -> URLSessionTask {
            let luggage = Luggage(isGone)
            return withIdentity(ada) {
                session.propagatingIdentity.dataTask(with: url) { _, _, _ in withExtendedLifetime(luggage) {} }
            }
        }
        let task = make()
        task.resume()
        for await _ in gone {}
        withExtendedLifetime(task) {}
    }
}
