import Dispatch
import Foundation
import MultiIdentityScheduling
import Programs
import Testing

@Suite("The schedules of a program", .serialized)
struct OrderTests {
    /// Returns all possible orders of a body's notes, and the number of schedules that this took.
    private func orders(
        _ strategy: ScheduleSettings.Strategy = .exhaustive,
        _ body: @escaping @Sendable (Log<String>) async throws -> Void
    ) async throws -> (orders: Set<String>, report: ScheduleReport) {
        let orders = Log<String>()
        let report = try await exploreSchedules(ScheduleSettings(strategy, schedules: 2_000)) {
            let log = Log<String>()
            try await body(log)
            orders.add(log.all.joined())
        }
        return (Set(orders.all), report)
    }

    @Test("of a serial queue keep its order")
    func serial() async throws {
        let (orders, report) = try await orders { log in
            let queue = DispatchQueue(label: "serial")
            for name in ["a", "b", "c"] { queue.async { log.add(name) } }
            queue.sync { log.add("d") }
        }
        #expect(report.failure == nil)
        #expect(report.isComplete)
        #expect(orders == ["abcd"])
    }

    @Test("of a concurrent queue take every order, up to a barrier")
    func concurrent() async throws {
        let (orders, report) = try await orders { log in
            let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
            queue.async { log.add("a") }
            queue.async { log.add("b") }
            queue.async(flags: .barrier) { log.add("|") }
            queue.async { log.add("c") }
            queue.sync(flags: .barrier) { log.add(".") }
        }
        #expect(report.failure == nil)
        #expect(report.isComplete)
        #expect(orders == ["ab|c.", "ba|c."])
    }

    @Test("of a global queue treat a barrier like any other work")
    func globalBarrier() async throws {
        let (orders, report) = try await orders { log in
            let (queue, group) = (DispatchQueue.global(), DispatchGroup())
            for (begin, end) in [("a", "b"), ("c", "d")] {
                queue.async(group: group, flags: .barrier) {
                    log.add(begin)
                    DispatchQueue(label: "other").sync {}
                    log.add(end)
                }
            }
            group.wait()
        }
        #expect(report.isComplete)
        #expect(orders == ["abcd", "acbd", "acdb", "cabd", "cadb", "cdab"])
    }

    @Test("of a suspended queue do not block others on its target")
    func suspendedSibling() async throws {
        let (orders, report) = try await orders { log in
            let target = DispatchQueue(label: "target")
            let (suspended, other) = (
                DispatchQueue(label: "a", target: target), DispatchQueue(label: "b", target: target)
            )
            suspended.suspend()
            suspended.async { log.add("a") }
            other.sync { log.add("b") }
            suspended.resume()
            suspended.sync {}
        }
        #expect(report.failure == nil)
        #expect(orders == ["ba"])
    }

    @Test("of threads that a program starts take every order, and a thread ends once its thread-local data are gone")
    func threads() async throws {
        let (orders, report) = try await orders { log in
            let group = DispatchGroup()
            for name in ["a", "b"] {
                group.enter()
                Thread.detachNewThread {
                    log.add(name)
                    Thread.current.threadDictionary["end"] = End { group.leave() }
                }
            }
            group.wait()
            log.add(".")
        }
        #expect(report.failure == nil)
        #expect(orders == ["ab.", "ba."])
    }

    /// Reports when it is released.
    private final class End: Sendable {
        private let said: @Sendable () -> Void
        init(_ said: @escaping @Sendable () -> Void) { self.said = said }
        deinit { said() }
    }

    @Test("of two queues take every order of their work items")
    func two() async throws {
        let (orders, report) = try await orders { log in
            let group = DispatchGroup()
            let (one, other) = (DispatchQueue(label: "one"), DispatchQueue(label: "other"))
            for name in ["a", "b"] { one.async(group: group) { log.add(name) } }
            for name in ["1", "2"] { other.async(group: group) { log.add(name) } }
            group.wait()
        }
        #expect(report.failure == nil)
        #expect(orders == ["ab12", "a1b2", "a12b", "1ab2", "1a2b", "12ab"])
    }

    @Test("of queues that share a serial target run one work item at a time, and each queue's in its order")
    func targets() async throws {
        let (orders, report) = try await orders { log in
            let target = DispatchQueue(label: "target")
            let one = DispatchQueue(label: "one", target: target)
            let other = DispatchQueue(label: "other", attributes: .concurrent, target: target)
            let done = DispatchGroup()
            one.async(group: done) {
                log.add("("); one.async {}; log.add(")")
            }
            other.async(group: done) {
                log.add("["); one.async {}; log.add("]")
            }
            done.wait()
        }
        #expect(report.failure == nil)
        #expect(orders == ["()[]"])
    }

    @Test("obey semaphores, groups and items")
    func waits() async throws {
        let (orders, report) = try await orders(.random(seed: 1)) { log in
            let (semaphore, group) = (DispatchSemaphore(value: 0), DispatchGroup())
            let queue = DispatchQueue.global()
            group.enter()
            queue.async {
                semaphore.wait()
                log.add("w")
                let item = DispatchWorkItem { log.add("i") }
                queue.async(execute: item)
                item.wait()
                log.add("x")
                group.leave()
            }
            queue.async {
                log.add("s")
                semaphore.signal()
            }
            await withCheckedContinuation { continuation in
                group.notify(queue: queue) { continuation.resume() }
            }
            log.add("n")
        }
        #expect(report.failure == nil)
        #expect(orders == ["swixn"])
    }

    @Test("take time without waiting for it")
    func time() async throws {
        let began = ContinuousClock.now
        let (orders, report) = try await orders { log in
            let queue = DispatchQueue(label: "later")
            let start = DispatchTime.now()
            await withCheckedContinuation { continuation in
                queue.asyncAfter(deadline: start + .seconds(7_200)) {
                    log.add("late")
                    continuation.resume()
                }
                queue.asyncAfter(deadline: start + .seconds(3_600)) { log.add("early,") }
            }
            try await Task.sleep(for: .seconds(3_600))
            log.add(",\((DispatchTime.now().uptimeNanoseconds - start.uptimeNanoseconds) / 1_000_000_000)")
        }
        #expect(report.failure == nil)
        #expect(orders == ["early,late,10800"])
        #expect(ContinuousClock.now - began < .seconds(60))
    }

    @Test("never come to the end of time")
    func endOfTime() async throws {
        let (orders, report) = try await orders { log in
            let queue = DispatchQueue(label: "later")
            try await Task.sleep(for: .seconds(1))
            queue.asyncAfter(deadline: .distantFuture) { log.add("never,") }
            let timer = DispatchSource.makeTimerSource(queue: queue)
            timer.schedule(deadline: .now() + .seconds(1), repeating: .never)
            timer.setEventHandler { log.add("once,") }
            timer.resume()
            try await Task.sleep(for: .seconds(10_000))
            timer.cancel()
            log.add("end")
        }
        #expect(report.failure == nil)
        #expect(orders == ["once,end"])
    }

    @Test("of tasks and an actor take every order that their awaits allow")
    func tasks() async throws {
        actor Account {
            var balance = 100
            func take(_ amount: Int) async {
                guard balance >= amount else { return }
                await Task.yield()
                balance -= amount
            }
        }
        let (orders, report) = try await orders(.random(seed: 1)) { log in
            let account = Account()
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<2 { group.addTask { await account.take(80) } }
            }
            log.add("\(await account.balance)")
        }
        #expect(report.failure == nil)
        #expect(orders == ["20", "-60"])
    }

    @Test("of iterations run each once")
    func iterations() async throws {
        let (orders, report) = try await orders { log in
            DispatchQueue.concurrentPerform(iterations: 3) { log.add("\($0)") }
        }
        #expect(report.failure == nil)
        #expect(orders.contains("012") && orders.contains("210"))
        #expect(orders.allSatisfy { $0.sorted() == ["0", "1", "2"] })
    }
}
