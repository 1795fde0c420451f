@preconcurrency import Dispatch
import Foundation
import MultiIdentityScheduling
import Programs
import Synchronization
import Testing

/// A program with an error that shows in some orders of its steps.
struct ErrorOfOrder: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The largest number of schedules until one of the strategies finds it.
    var within = 500
    /// The strategies that find it; `nil` for all.
    var strategies: Set<String>?
    let run: @Sendable () async throws -> Void

    static let all = [
        ErrorOfOrder(testDescription: "lost update: each access is behind an NSLock") {
            let account = Account(), group = DispatchGroup()
            for _ in 0..<2 { DispatchQueue.global().async(group: group) { account.balance -= 10 } }
            try await expect(80, account.balance, after: group)
        },
        ErrorOfOrder(
            testDescription: "lost update, in threads",
            within: 2_000,
            strategies: ["everyOrder", "priorities"]
        ) {
            let account = Account(), group = DispatchGroup()
            for _ in 0..<2 {
                group.enter()
                Thread.detachNewThread {
                    account.balance -= 10
                    group.leave()
                }
            }
            try await expect(80, account.balance, after: group)
        },
        ErrorOfOrder(testDescription: "lost update: each access is a hop to an actor") {
            let cell = Cell()
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<2 { group.addTask { await cell.set(await cell.value + 1) } }
            }
            if await cell.value != 2 { throw Wrong("\(await cell.value)") }
        },
        ErrorOfOrder(testDescription: "lost update: each access is behind a CheckedMutex") {
            let value = Shared(), group = DispatchGroup()
            for _ in 0..<2 {
                DispatchQueue.global().async(group: group) {
                    let seen = value.mutex.withLock { $0 }
                    value.mutex.withLock { $0 = seen + 1 }
                }
            }
            try await expect(2, value.mutex.withLock { $0 }, after: group)
        },
        ErrorOfOrder(testDescription: "lost update: each access is one of a CheckedAtomic") {
            let value = Shared(), group = DispatchGroup()
            for _ in 0..<2 {
                DispatchQueue.global().async(group: group) {
                    value.atomic.store(value.atomic.load(ordering: .relaxed) + 1, ordering: .relaxed)
                }
            }
            try await expect(2, value.atomic.load(ordering: .relaxed), after: group)
        },
        ErrorOfOrder(testDescription: "check, then act") {
            let lock = NSLock(), made = Log<Int>(), cache = Log<Int>(), group = DispatchGroup()
            for _ in 0..<2 {
                DispatchQueue.global().async(group: group) {
                    if lock.withLock({ !cache.all.isEmpty }) { return }
                    made.add(1)
                    lock.withLock { cache.add(1) }
                }
            }
            try await expect(1, made.all.count, after: group)
        },
        ErrorOfOrder(testDescription: "locks in two orders") {
            let (one, other, group) = (NSLock(), NSRecursiveLock(), DispatchGroup())
            DispatchQueue.global().async(group: group) { one.withLock { other.withLock {} } }
            DispatchQueue.global().async(group: group) { other.withLock { one.withLock {} } }
            await group.end()
        },
        ErrorOfOrder(testDescription: "a lock that its own holder takes again") { NSLock().withLockTwice() },
        ErrorOfOrder(testDescription: "one checks before it takes the lock to wait") {
            let (condition, isReady, group) = (NSCondition(), Log<Int>(), DispatchGroup())
            DispatchQueue.global().async(group: group) {
                guard isReady.all.isEmpty else { return }
                condition.withLock { condition.wait() }
            }
            DispatchQueue.global().async(group: group) {
                isReady.add(1)
                condition.signal()
            }
            await group.end()
        },
        ErrorOfOrder(testDescription: "if for while at a condition", strategies: ["random", "delays"]) {
            let (condition, items, group) = (NSCondition(), Box(0), DispatchGroup())
            for _ in 0..<2 {
                DispatchQueue.global().async(group: group) {
                    condition.withLock {
                        if items.value == 0 { condition.wait() }
                        items.value -= 1
                        if items.value < 0 { items.isWrong = true }
                    }
                }
                DispatchQueue.global().async(group: group) {
                    condition.withLock {
                        items.value += 1
                        condition.signal()
                    }
                }
            }
            try await expect(false, items.isWrong, after: group)
        },
        ErrorOfOrder(testDescription: "cancelled between the check and the store") {
            let stored = Shared()
            let task = Task {
                await withTaskCancellationHandler {
                    if Task.isCancelled { return }
                    await withCheckedContinuation { next in stored.continuation.withLock { $0 = next } }
                } onCancel: {
                    stored.continuation.withLock { $0.take() }?.resume()
                }
            }
            DispatchQueue.global().async { task.cancel() }
            await task.value
        },
        ErrorOfOrder(testDescription: "a timer that fires before it is cancelled") {
            let (log, group) = (Log<Int>(), DispatchGroup())
            nonisolated(unsafe) let timer = DispatchSource.makeTimerSource()
            timer.setEventHandler { log.add(1) }
            timer.schedule(deadline: .now() + .milliseconds(1))
            timer.resume()
            DispatchQueue.global().async(group: group) {
                DispatchQueue.global().sync {}
                timer.cancel()
            }
            try await expect(0, log.all.count, after: group)
        },
        ErrorOfOrder(testDescription: "a time-out that comes before the work is done", within: 2_000) {
            let isFirst = await withTaskGroup(of: Bool.self) { group in
                group.addTask {
                    for _ in 0..<3 { await Task.yield() }
                    return true
                }
                group.addTask {
                    try? await Task.sleep(for: .milliseconds(1))
                    return false
                }
                defer { group.cancelAll() }
                return await group.next()
            }
            if isFirst != true { throw Wrong("timed out") }
        },
        ErrorOfOrder(testDescription: "an actor that another call enters while it awaits another actor") {
            let account = Account.Guarded()
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<2 { group.addTask { await account.withdraw(80) } }
            }
            if await account.balance < 0 { throw Wrong("\(await account.balance)") }
        },
        ErrorOfOrder(testDescription: "tasks that block all threads of the pool") {
            let semaphore = DispatchSemaphore(value: 0)
            await withTaskGroup(of: Void.self) { group in
                let width = ProcessInfo.processInfo.activeProcessorCount
                for _ in 0..<width { group.addTask { block(semaphore) } }
                group.addTask { for _ in 0..<width { semaphore.signal() } }
            }
        },
        ErrorOfOrder(testDescription: "a semaphore that goes with less than it was made with") {
            let group = DispatchGroup()
            DispatchQueue.global().async(group: group) { DispatchSemaphore(value: 1).wait() }
            await group.end()
        },
    ]
}

// MARK: What they use

final class Account: @unchecked Sendable {  // its state is behind the lock
    private let lock = NSLock()
    private var stored = 100
    var balance: Int {
        get { lock.withLock { stored } }
        set { lock.withLock { stored = newValue } }
    }

    actor Guarded {
        private actor Bank { func audit() {} }
        private let bank = Bank()
        var balance = 100
        func withdraw(_ amount: Int) async {
            guard balance >= amount else { return }
            await bank.audit()
            balance -= amount
        }
    }
}

private actor Cell {
    var value = 0
    func set(_ value: Int) { self.value = value }
}

private final class Shared: Sendable {
    let mutex = CheckedMutex(0)
    let atomic = CheckedAtomic(0)
    let continuation = Mutex<CheckedContinuation<Void, Never>?>(nil)
}

/// A value that a lock guards, or that schedules order.
final class Box<Value>: @unchecked Sendable {  // one piece of a schedule runs at a time
    var value: Value
    var isWrong = false
    init(_ value: Value) { self.value = value }
}

extension NSLock {
    fileprivate func withLockTwice() { withLock { withLock {} } }
}

private func block(_ semaphore: DispatchSemaphore) { semaphore.wait() }

extension DispatchGroup {
    /// Waits for all work of the group without blocking a thread.
    func end() async { await withCheckedContinuation { next in notify(queue: .global()) { next.resume() } } }
}

/// Throws unless a value is as expected after a group's work has ended.
func expect<Value: Equatable>(_ expected: Value, _ value: @autoclosure () -> Value, after group: DispatchGroup)
    async throws
{
    await group.end()
    let seen = value()
    if seen != expected { throw Wrong("\(seen)") }
}
