import Dispatch
import Foundation
import Testing

@testable import MultiIdentity

/// Each shows, beside a flaw that a program can have, that the identity stays right: only what the program made of
/// it is wrong.
@Suite("What a program can still do wrong") struct UserCodeTests {
    private let ada: Identity
    private let grace: Identity

    init() throws {
        ada = try Identity("ada@contoso.com")
        grace = try Identity("grace@contoso.com")
    }

    private final class Draft: Sendable {
        private let text = Locked("")
        var contents: String {
            get { text.withLock { $0 } }
            set { text.withLock { $0 = newValue } }
        }
    }

    /// Runs one after the other on one worker, each as one of the two, and returns what they return.
    private func inTurn<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> [Value] {
        let works = [ada, grace].map { IdentitySnapshot(of: $0).wrap(work) as @Sendable () -> Value }
        return await onNewThread { works.map { $0() } }
    }

    @Test("an object that two users' work share shows the one what the other wrote")
    func sharedState() async {
        let draft = Draft()
        let seen = await inTurn { () -> [String?] in
            let before = draft.contents
            draft.contents = "of \(Identity.current?.name ?? "unset")"
            return [before, Identity.current?.name]
        }
        #expect(seen == [["", "ada@contoso.com"], ["of ada@contoso.com", "grace@contoso.com"]])
    }

    @Test("a cache that is not keyed by the identity gives the one what was made for the other")
    func cache() async {
        let (byPath, byBoth) = (Locked<[String: String]>([:]), Locked<[Identity?: String]>([:]))
        let seen = await inTurn { () -> [String] in
            let made = "inbox of \(Identity.current?.name ?? "unset")"
            return [
                byPath.withLock { cache in
                    let found = cache["/inbox"] ?? made
                    cache["/inbox"] = found
                    return found
                },
                byBoth.withLock { cache in
                    let found = cache[.current] ?? made
                    cache[.current] = found
                    return found
                },
            ]
        }
        #expect(seen[1] == ["inbox of ada@contoso.com", "inbox of grace@contoso.com"])
    }

    @Test("what is computed once is computed as the first caller")
    func lazily() async {
        enum Once {
            static let owner = Identity.current
        }
        #expect(await inTurn { Once.owner } == [ada, ada])
    }

    @Test("a task that two users wait for runs as its maker")
    func coalescing() async {
        let inFlight = withIdentity(ada) { Task { Identity.current } }
        let seen = await withIdentity(grace) { [await inFlight.value, Identity.current] }
        #expect(seen == [ada, grace])
    }

    @Test("an identity that was read before a scope stays what it was")
    func readBefore() {
        let me = withIdentity(ada) { Identity.current }
        #expect(withIdentity(grace) { [me, Identity.current] } == [ada, grace])
    }

    @Test("a snapshot that is kept gives its holder the right to run as its owner, for that closure")
    func keptSnapshot() async {
        let kept = withIdentity(ada) { IdentitySnapshot.capture() }
        let grace = grace
        let seen = await onNewThread { withIdentity(grace) { [kept.restore { Identity.current }, Identity.current] } }
        #expect(seen == [ada, grace])
    }

    @Test("thread-local storage of its own stays on the worker, from one user's work to the other's")
    func ownThreadLocal() async {
        let seen = await inTurn { () -> [String?] in
            let before = Thread.current.threadDictionary["user"] as? String
            Thread.current.threadDictionary["user"] = Identity.current?.name
            return [before, Identity.current?.name]
        }
        #expect(seen == [[nil, "ada@contoso.com"], ["ada@contoso.com", "grace@contoso.com"]])
    }

    /// A pool that, when it is full, runs what it is given on the giver's thread.
    private func callerRuns(_ work: @Sendable () -> Void) { work() }

    @Test("plain work that a full pool runs on its caller's thread runs as that caller; carried work does not")
    func plainOnBoundThread() {
        let seen = Notes<Identity?>()
        let plain: @Sendable () -> Void = withIdentity(ada) { { seen.add(.current) } }
        let carried: @Sendable () -> Void = withIdentity(ada) {
            IdentitySnapshot.capture().wrap { seen.add(.current) }
        }
        withIdentity(grace) {
            callerRuns(plain)
            callerRuns(carried)
            seen.add(.current)
        }
        #expect(seen.all == [grace, ada, grace])
    }

    @Test("a run loop that is run inside a scope runs plain blocks as that scope; carried ones as theirs")
    func nestedRunLoop() async {
        let (ada, grace) = (ada, grace)
        let seen = await onNewThread { () -> [Identity?] in
            let seen = Notes<Identity?>()
            let loop = RunLoop.current
            withIdentity(ada) {
                loop.perform { seen.add(.current) }
                loop.perform(IdentitySnapshot.capture().wrap { seen.add(.current) } as @Sendable () -> Void)
            }
            withIdentity(grace) {
                // Somebody's work waits for an answer by running the loop, and with it the work of others.
                while seen.all.count < 2 { _ = loop.run(mode: .default, before: .now) }
                seen.add(.current)
            }
            return seen.all + [.current]
        }
        #expect(seen == [grace, ada, grace, nil])
    }

    #if canImport(Glibc)
    /// Written by a signal handler, which may do little more.
    private nonisolated(unsafe) static var seenByHandler: Int32 = 0

    private static func code(_ identity: Identity?) -> Int32 {
        switch identity?.name {
        case "ada@contoso.com": 1
        case "": 2
        case nil: 3
        default: 4
        }
    }

    @Test("a signal's handler runs as whomever it interrupts")
    func signalHandler() async {
        await #expect(processExitsWith: .success) {
            signal(SIGUSR2) { _ in Self.seenByHandler = Self.code(.current) }
            let ada = try Identity("ada@contoso.com")
            // On a thread of no task: `raise` comes back when the handler has run, on this very thread.
            let seen = await onNewThread { () -> [Int32] in
                // A thread inherits from the worker that made it that signals wait.
                var signals = sigset_t()
                sigfillset(&signals)
                pthread_sigmask(SIG_UNBLOCK, &signals, nil)
                return [Identity?.some(ada), .nobody, nil].map { identity in
                    withIdentity(identity) {
                        raise(SIGUSR2)
                        return Self.seenByHandler
                    }
                }
            }
            #expect(seen == [1, 2, 3])
        }
    }

    @Test("a forked child goes on as the thread that forked, and its parent is not changed by it")
    func fork() async {
        await #expect(processExitsWith: .success) {
            // Swift hides it, for good reasons.
            let symbol = try #require(dlsym(nil, "fork"))
            let fork = unsafeBitCast(symbol, to: (@convention(c) () -> pid_t).self)
            let ada = try Identity("ada@contoso.com")
            let status = await onNewThread { () -> Int32 in
                withIdentity(ada) {
                    let child = fork()
                    if child == 0 { _exit(Self.code(.current)) }
                    var status: Int32 = 0
                    waitpid(child, &status, 0)
                    return status >> 8 & 0xff
                }
            }
            #expect(status == 1)
        }
    }
    #endif
}
