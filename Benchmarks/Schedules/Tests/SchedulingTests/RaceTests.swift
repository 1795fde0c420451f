import Dispatch
import MultiIdentityScheduling
import Programs
import Testing

@Suite("Two accesses to a value", .serialized)
struct RaceTests {
    /// A program in which two work items write in sequence; the first one writes with `write`.
    struct Order: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let isOrdered: Bool
        let run: @Sendable (_ write: @escaping @Sendable () -> Void) async -> Void
    }

    private static let orders = [
        Order(testDescription: "on a concurrent queue", isOrdered: false) { write in
            DispatchQueue.global().async {
                let queue = DispatchQueue(label: "queue", attributes: .concurrent)
                for _ in 0..<2 { queue.async(execute: write) }
            }
        },
        Order(testDescription: "by a hand-over and its caller after it", isOrdered: false) { write in
            DispatchQueue.global().async {
                DispatchQueue.global().async(execute: write)
                write()
            }
        },
        Order(testDescription: "on two serial queues", isOrdered: false) { write in
            DispatchQueue.global().async {
                for name in ["a", "b"] { DispatchQueue(label: name).async(execute: write) }
            }
        },
        Order(testDescription: "on a serial queue", isOrdered: true) { write in
            let queue = DispatchQueue(label: "queue")
            for _ in 0..<2 { queue.async(execute: write) }
            queue.sync(execute: write)
            write()
        },
        Order(testDescription: "as barriers", isOrdered: true) { write in
            let queue = DispatchQueue(label: "queue", attributes: .concurrent)
            for _ in 0..<2 { queue.async(flags: .barrier, execute: write) }
        },
        Order(testDescription: "before a hand-over and in it", isOrdered: true) { write in
            write()
            DispatchQueue.global().async(execute: write)
        },
        Order(testDescription: "in a group and after it", isOrdered: true) { write in
            let group = DispatchGroup()
            DispatchQueue.global().async(group: group, execute: write)
            await withCheckedContinuation { continuation in
                group.notify(queue: .global()) { continuation.resume() }
            }
            write()
        },
        Order(testDescription: "before a signal and after its wait", isOrdered: true) { write in
            let semaphore = DispatchSemaphore(value: 0)
            DispatchQueue.global().async {
                write()
                semaphore.signal()
            }
            DispatchQueue.global().async {
                semaphore.wait()
                write()
            }
        },
        Order(testDescription: "on two queues with one serial target", isOrdered: true) { write in
            let target = DispatchQueue(label: "target")
            for name in ["a", "b"] { DispatchQueue(label: name, target: target).async(execute: write) }
        },
        Order(testDescription: "by a child task and after it", isOrdered: true) { write in
            await withTaskGroup(of: Void.self) { $0.addTask { write() } }
            write()
        },
    ]

    @Test("are found to race if no hand-over orders them, in the first schedule", arguments: orders)
    func races(_ order: Order) async throws {
        var settings = ScheduleSettings(.random(seed: 1), schedules: 200)
        settings.findsRaces = true
        let report = try await exploreSchedules(settings) {
            let counter = RaceChecked(0, "the counter")
            await order.run { counter.value = 1 }
        }
        if order.isOrdered {
            #expect(report.failure == nil)
            #expect(report.schedules == 200)
        } else {
            let failure = try #require(report.failure)
            #expect(report.schedules == 1)
            #expect(
                failure.findings.contains { $0.contains("the counter: ") && $0.contains("no hand-over orders that") }
            )
        }
    }
}
