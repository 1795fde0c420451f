@preconcurrency import Dispatch
import Foundation
import MultiIdentityScheduling
import Programs
import Synchronization
import Testing

@Suite("A correct program", .serialized)
struct CorrectProgramTests {
    private static let strategies: [ScheduleSettings.Strategy] = [
        .exhaustive, .everyOrder, .random(seed: 1), .priorities(seed: 1, changes: 3), .delays(seed: 1, atMost: 3),
    ]

    @Test("is refused under no schedule", arguments: CorrectProgram.all)
    func passes(_ program: CorrectProgram) async throws {
        for strategy in Self.strategies {
            let report = try await exploreSchedules(ScheduleSettings(strategy, schedules: 200), program.run)
            #expect(report.failure == nil, "\(strategy): \(report)")
        }
    }
}

/// A correct program that waits, polls or locks in a way that a scheduler can get wrong.
struct CorrectProgram: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let run: @Sendable () async throws -> Void

    /// Makes two work items add to a value with `add`.
    private init(adds description: String, _ added: @escaping @Sendable () -> @Sendable (Box<Int>) -> Void) {
        testDescription = description
        run = {
            let (value, group, add) = (Box(0), DispatchGroup(), added())
            for _ in 0..<2 { DispatchQueue.global().async(group: group) { add(value) } }
            try await expect(2, value.value, after: group)
        }
    }

    /// Makes a work item poll until another one has set a flag.
    private init(poll description: String, _ poll: @escaping @Sendable () -> Void) {
        testDescription = description
        run = {
            let (isSet, group) = (Flag(), DispatchGroup())
            DispatchQueue.global().async(group: group) { while !isSet.value { poll() } }
            DispatchQueue.global().async(group: group) { isSet.set() }
            await group.end()
        }
    }

    private init(_ description: String, _ run: @escaping @Sendable () async throws -> Void) {
        (testDescription, self.run) = (description, run)
    }

    private static func addSlowly(_ value: Box<Int>) {
        let seen = value.value
        DispatchQueue(label: "other").sync {}
        value.value = seen + 1
    }

    static let all = [
        CorrectProgram(adds: "keeps a readers-writer lock over a hand-over") {
            let lock = CLock(pthread_rwlock_t()) { pthread_rwlock_init($0, nil) }
            return { value in
                pthread_rwlock_wrlock(lock.address)
                addSlowly(value)
                pthread_rwlock_unlock(lock.address)
                pthread_rwlock_rdlock(lock.address)
                pthread_rwlock_unlock(lock.address)
            }
        },
        CorrectProgram(adds: "keeps a spin lock over a hand-over") {
            let lock = CLock(pthread_spinlock_t()) { pthread_spin_init($0, 0) }
            return { value in
                pthread_spin_lock(lock.address)
                addSlowly(value)
                pthread_spin_unlock(lock.address)
            }
        },
        CorrectProgram(adds: "keeps a lock that it took in time over a hand-over") {
            let lock = NSLock()
            return { value in
                guard lock.lock(before: Date(timeIntervalSinceNow: 5)) else { return }
                addSlowly(value)
                lock.unlock()
            }
        },
        CorrectProgram(adds: "keeps a recursive lock over a hand-over") {
            let lock = NSRecursiveLock()
            return { value in lock.withLock { lock.withLock { addSlowly(value) } } }
        },
        CorrectProgram(adds: "keeps a sem_t over a hand-over") {
            let semaphore = CLock(sem_t()) { sem_init($0, 0, 1) }
            return { value in
                sem_wait(semaphore.address)
                addSlowly(value)
                sem_post(semaphore.address)
            }
        },
        CorrectProgram(adds: "keeps a Mutex over a hand-over") {
            let shared = Guarded()
            return { value in shared.mutex.withLock { _ in addSlowly(value) } }
        },
        CorrectProgram(adds: "tries to take a lock again and again") {
            let lock = NSLock()
            return { value in
                while !lock.try() {}
                addSlowly(value)
                lock.unlock()
            }
        },
        CorrectProgram(adds: "meets at a barrier") {
            let barrier = CLock(pthread_barrier_t()) { pthread_barrier_init($0, nil, 2) }
            return { value in
                pthread_barrier_wait(barrier.address)
                value.value += 1
            }
        },
        CorrectProgram(adds: "sleeps in its work") {
            return { value in
                Thread.sleep(forTimeInterval: 0.005)
                value.value += 1
            }
        },
        CorrectProgram(poll: "polls by usleep") { usleep(100) },
        CorrectProgram(poll: "polls by Thread.sleep") { Thread.sleep(forTimeInterval: 0.001) },
        CorrectProgram(poll: "polls by sched_yield") { sched_yield() },
        CorrectProgram("polls by Task.yield, with a limit of time") {
            let (isSet, end) = (Flag(), ContinuousClock.now + .seconds(1))
            let poll = Task {
                while !isSet.value, ContinuousClock.now < end { await Task.yield() }
                return isSet.value
            }
            DispatchQueue.global().async { isSet.set() }
            if await !poll.value { throw Wrong("late") }
        },
        CorrectProgram("polls until some time has passed") {
            let end = Date(timeIntervalSinceNow: 1)
            while Date() < end { sched_yield() }
        },
        CorrectProgram("resumes continuations and makes tasks with a Mutex held") {
            let shared = Guarded()
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<2 {
                    group.addTask {
                        await withCheckedContinuation { next in shared.waiting.withLock { $0.append(next) } }
                    }
                }
                for _ in 0..<2 {
                    group.addTask {
                        while shared.count.withLock({ $0 }) < 2 {
                            shared.waiting.withLock { waiting in
                                while let next = waiting.popLast() {
                                    next.resume()
                                    shared.count.withLock { $0 += 1 }
                                    Task {}
                                }
                            }
                            await Task.yield()
                        }
                    }
                }
            }
        },
        CorrectProgram("has a bounded buffer of one condition") {
            let (condition, items, group) = (NSCondition(), Box(0), DispatchGroup())
            for change in [1, -1, 1, -1] {
                DispatchQueue.global().async(group: group) {
                    condition.withLock {
                        while !(0...1).contains(items.value + change) { condition.wait() }
                        items.value += change
                        condition.broadcast()
                    }
                }
            }
            try await expect(0, items.value, after: group)
        },
        CorrectProgram("has one clock") {
            let day = Date(), seconds = time(nil)
            var time1 = timeval(), time2 = timeval()
            gettimeofday(&time1, nil)
            try await Task.sleep(for: .seconds(3_600))
            gettimeofday(&time2, nil)
            let passed = [Int(Date().timeIntervalSince(day)), time(nil) - seconds, time2.tv_sec - time1.tv_sec]
            if passed != [3_600, 3_600, 3_600] { throw Wrong("\(passed)") }
        },
        CorrectProgram("cancels a source of a concurrent queue, whose handlers run one at a time") {
            let (log, group) = (Log<String>(), DispatchGroup())
            nonisolated(unsafe) let source = DispatchSource.makeUserDataAddSource(queue: .global())
            source.setEventHandler {
                log.add("(")
                DispatchQueue(label: "other").sync {}
                log.add(")")
            }
            group.enter()
            source.setCancelHandler {
                log.add(".")
                group.leave()
            }
            source.resume()
            source.add(data: 1)
            source.cancel()
            await group.end()
            if !["().", "."].contains(log.all.joined()) { throw Wrong(log.all.joined()) }
        },
    ]
}

/// A lock of the C library.
private final class CLock<Lock>: @unchecked Sendable {  // it is one
    let address: UnsafeMutablePointer<Lock>
    init(_ lock: Lock, _ start: (UnsafeMutablePointer<Lock>) -> Int32) {
        address = .allocate(capacity: 1)
        address.initialize(to: lock)
        _ = start(address)
    }
    deinit { address.deallocate() }
}

private final class Flag: Sendable {
    private let atomic = Atomic(false)
    var value: Bool { atomic.load(ordering: .acquiring) }
    func set() { atomic.store(true, ordering: .releasing) }
}

private final class Guarded: Sendable {
    let mutex = Mutex(0)
    let count = Mutex(0)
    let waiting = Mutex<[CheckedContinuation<Void, Never>]>([])
}
