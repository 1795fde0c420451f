import CMultiIdentity
import Dispatch
import Foundation
import MultiIdentityDiagnostics
import MultiIdentityThreadContext
import Testing

@testable import MultiIdentity

#if os(Linux)
@Suite("What profilers see of a thread") struct ThreadContextTests {
    /// Reads this thread's variable as a profiler does, and resolves the pseudonym.
    static var seen: Identity? { seenPseudonym.flatMap(IdentityThreadContext.identity(of:)) }

    private static var seenPseudonym: String? {
        guard let record = mi_thread_context_slot().pointee else { return nil }
        let bytes = UnsafeRawBufferPointer(start: record, count: 46)
        let isRight = bytes[0..<24].allSatisfy { $0 == 0 } && Array(bytes[24..<30]) == [1, 0, 18, 0, 0, 16]
        return isRight ? String(decoding: bytes[30..<46], as: UTF8.self) : "wrong layout"
    }

    static func newIdentity() throws -> Identity { try Identity("\(UUID())@seen.example") }

    static func whileOn<Value: Sendable>(_ body: @Sendable () async throws -> Value) async throws -> Value {
        try await ProcessWideSwitch.exclusively {
            try IdentityThreadContext.turnOn()
            defer { IdentityThreadContext.turnOff() }
            return try await body()
        }
    }

    @Test("is the identity of a scope and of handed-over work, and afterwards what it was before")
    func shown() async throws {
        let (ada, bob) = (try Self.newIdentity(), try Self.newIdentity())
        let seen = try await Self.whileOn {
            await onNewThread {
                var seen = [Self.seen]
                let work = withIdentity(bob) { IdentitySnapshot.capture() }
                withIdentity(ada) {
                    seen.append(Self.seen)
                    work.restore { seen.append(Self.seen) }
                    withIdentity(nil) { seen.append(Self.seen) }
                    withIdentity(.nobody) { seen.append(Self.seen) }
                    seen.append(Self.seen)
                }
                return seen + [Self.seen]
            }
        }
        #expect(seen == [nil, ada, bob, nil, nil, ada, nil])
    }

    @Test("follows work through queues", arguments: [false, true]) func queues(hasAccounts: Bool) async throws {
        let users = try (0..<20).map { _ in try Self.newIdentity() }
        let wrong = Locked(0)
        try await Self.whileOn {
            IdentityAccounts.isOn = hasAccounts
            defer { IdentityAccounts.isOn = false }
            let queues = [IdentityQueue(label: "serial"), IdentityQueue(label: "concurrent", attributes: .concurrent)]
            await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
                let group = DispatchGroup()
                for user in users {
                    for queue in queues {
                        withIdentity(user) {
                            queue.async(group: group) {
                                if Self.seen != user { wrong.withLock { $0 += 1 } }
                                queues[1].async(group: group) { if Self.seen != user { wrong.withLock { $0 += 1 } } }
                            }
                        }
                        queue.base.async(group: group) { if Self.seen != nil { wrong.withLock { $0 += 1 } } }
                    }
                }
                group.notify(queue: .global()) { done.resume() }
            }
        }
        #expect(wrong.withLock { $0 } == 0)
    }

    @Test("is none in asynchronous code, whose scopes' identity it is in synchronous ones")
    func asynchronous() async throws {
        let (ada, bob) = (try Self.newIdentity(), try Self.newIdentity())
        let seen = try await Self.whileOn {
            await withIdentity(ada) {
                let before = Self.seen
                let inside = withIdentity(bob) { Self.seen }
                await Task.yield()
                return [before, inside, Self.seen]
            }
        }
        #expect(seen == [nil, bob, nil])
    }

    @Test("is none in an asynchronous scope that begins on a thread that shows another identity")
    func immediateTask() async throws {
        let (ada, bob) = (try Self.newIdentity(), try Self.newIdentity())
        let seen = try await Self.whileOn {
            await onNewThread {
                withIdentity(ada) {
                    let seen = Locked<[Identity?]>([])
                    Task.immediate { await withIdentity(bob) { () async in seen.withLock { $0.append(Self.seen) } } }
                    return seen.withLock { $0 }
                }
            }
        }
        #expect(seen == [nil])
    }

    @Test("is none in a job that an executor hands over with nothing bound, whoever resumed the task")
    func executor() async throws {
        final class Executor: TaskExecutor {
            let queue = IdentityQueue(label: "executor")

            func enqueue(_ job: consuming ExecutorJob) {
                let job = UnownedJob(job)
                withIdentity(nil) { queue.async { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) } }
            }
        }
        let (ada, bob) = (try Self.newIdentity(), try Self.newIdentity())
        let seen = try await Self.whileOn {
            let executor = Executor()
            let (waits, resumption) = AsyncStream<CheckedContinuation<Void, Never>>.makeStream()
            let task = withIdentity(bob) {
                Task(executorPreference: executor) {
                    await withCheckedContinuation { _ = resumption.yield($0) }
                    return [Identity.current, Self.seen, withIdentity(bob) { Self.seen }]
                }
            }
            let waiting = await waits.first { _ in true }
            await onNewThread { withIdentity(ada) { waiting?.resume() } }
            return await task.value
        }
        #expect(seen == [bob, nil, bob])
    }

    @Test("is right in scopes within scopes, or none where there are too many") func depth() async throws {
        let users = try (0..<40).map { _ in try Self.newIdentity() }
        let seen = try await Self.whileOn {
            await onNewThread {
                @Sendable func seen(from level: Int) -> [Identity?] {
                    if level == users.count { return [] }
                    return withIdentity(users[level]) { [Self.seen] + seen(from: level + 1) + [Self.seen] }
                }
                return seen(from: 0) + [Self.seen]
            }
        }
        let noted = users.prefix(32).map { Optional($0) }
        #expect(Array(seen.prefix(32)) == noted)
        #expect(seen[32..<48].allSatisfy { $0 == nil })
        // The last one that is noted had more scopes in it than can be told apart.
        #expect(seen[48] == nil && Array(seen[49..<80]) == noted.dropLast().reversed() && seen[80] == nil)
    }

    @Test("is shown and published in the child of a fork, too") func fork() async throws {
        let ada = try Self.newIdentity()
        @Sendable func isPublished() -> Bool {
            let maps = try? FileHandle(forReadingAtPath: "/proc/self/maps")?.readToEnd()
            return maps.map { String(decoding: $0, as: UTF8.self).contains("OTEL_CTX") } == true
        }
        let found = try await Self.whileOn {
            await onNewThread {
                withIdentity(ada) {
                    [isPublished(), IdentityAccountTests.statusOfChild { Self.seen == ada && isPublished() } == 0]
                }
            }
        }
        #expect(found == [true, true])
        #expect(!isPublished())
    }

    @Test("keeps a pseudonym as long as the identity lives, and never gives it to another") func pseudonyms() throws {
        let name = "\(UUID())@seen.example"
        var first: Identity? = try Identity(name)
        let pseudonym = try #require(first.flatMap(IdentityThreadContext.pseudonym(of:)))
        #expect(IdentityThreadContext.pseudonym(of: try Identity(name.uppercased())) == pseudonym)
        #expect(IdentityThreadContext.identity(of: pseudonym) == first)
        first = nil
        let second = try Identity(name)
        #expect(IdentityThreadContext.pseudonym(of: second) != pseudonym)
        #expect(IdentityThreadContext.identity(of: pseudonym)?.name == name)
        for _ in 0..<IdentityPseudonyms.keptCount { _ = IdentityThreadContext.pseudonym(of: try Self.newIdentity()) }
        #expect(IdentityThreadContext.identity(of: pseudonym) == nil)
        #expect(IdentityThreadContext.pseudonym(of: .nobody) == nil)
        #expect(["", "5f0c", "not hexadecimal!"].allSatisfy { IdentityThreadContext.identity(of: $0) == nil })
    }

    @Test("is shown only if nothing else publishes a process context") func taken() async throws {
        try await ProcessWideSwitch.exclusively {
            // A file's name is what the mapping is called, too.
            let path = "/tmp/\(UUID())-OTEL_CTX"
            let file = open(path, O_RDWR | O_CREAT, 0o600)
            ftruncate(file, 4_096)
            let other = mmap(nil, 4_096, PROT_READ, MAP_SHARED, file, 0)
            #expect(throws: IdentityThreadContextError.self) { try IdentityThreadContext.turnOn() }
            #expect(!IdentityThreadContext.isOn)
            munmap(other, 4_096)
            close(file)
            unlink(path)
            try IdentityThreadContext.turnOn()
            try IdentityThreadContext.turnOn()
            #expect(IdentityThreadContext.isOn)
            IdentityThreadContext.turnOff()
        }
    }
}
#endif
