import Dispatch
import Programs
import Testing

@testable import MultiIdentityScheduling

@Suite("A schedule that has ended", .serialized)
struct MemoryTests {
    /// `@unchecked Sendable`: set by its creator, and read when all schedules have ended.
    private final class Weak: @unchecked Sendable {
        weak var object: AnyObject?
        init(_ object: AnyObject) { self.object = object }
    }

    @Test("is freed, with the queues that the program made in it")
    func isFreed() async throws {
        let objects = Log<Weak>()
        let report = try await exploreSchedules(ScheduleSettings(.random(seed: 1), schedules: 5)) {
            let target = DispatchQueue(label: "target")
            let (queue, group) = (DispatchQueue(label: "queue", target: target), DispatchGroup())
            let timer = DispatchSource.makeTimerSource(queue: queue)
            timer.schedule(deadline: .now(), repeating: 1)
            timer.setEventHandler {}
            timer.resume()
            DispatchQueue.global().async(group: group) { queue.sync {} }
            queue.asyncAfter(deadline: .now() + 1) {}
            group.wait()
            let schedule = try #require(Schedule.current)
            for object in [schedule] + schedule.allQueues as [AnyObject] { objects.add(Weak(object)) }
        }
        #expect(report.failure == nil)
        #expect(objects.all.count >= 5 * 5)
        #expect(objects.all.allSatisfy { $0.object == nil })
    }
}
