import Foundation
import MultiIdentityScheduling
import Testing

// In its own process, since the hook is taken for good.
@Suite("A hook of Swift's executors that other code takes") struct OtherOwnerTests {
    private static func takeHook() {
        typealias Original = @convention(c) (_ job: UnsafeRawPointer) -> Void
        typealias Enqueue = @convention(c) (_ job: UnsafeRawPointer, _ original: UnsafeRawPointer) -> Void
        let enqueue: Enqueue = { unsafeBitCast($1, to: Original.self)($0) }
        dlsym(nil, "swift_task_enqueueGlobal_hook")?.storeBytes(of: enqueue, as: Enqueue.self)
    }

    @Test("refuses schedules, before them or in one, by a sentence that names its file", arguments: [false, true])
    func refusal(_ isInSchedule: Bool) async {
        await #expect(processExitsWith: .success) { [isInSchedule = isInSchedule as Bool] in
            if !isInSchedule { Self.takeHook() }
            let refusal = await #expect(throws: ScheduleError.self) {
                try await exploreSchedules(ScheduleSettings(.exhaustive, schedules: 2)) {
                    if isInSchedule { Self.takeHook() }
                    await Task.detached {}.value
                }
            }
            let (beginning, end) = ("Schedules need Swift's executor hooks, which ", "PackageTests.xctest has taken.")
            #expect(refusal?.description.hasPrefix(beginning) == true && refusal?.description.hasSuffix(end) == true)
        }
    }
}
