import CMultiIdentity
import Dispatch
import Foundation
import Testing

@testable import MultiIdentity

// In its own process, since an executor is replaced for good.
@Suite("Where another executor runs the main actor") struct ReplacedMainTests {
    @Test("its code is on main, on whichever thread, and so is what it runs through sync", .rule("2.3"))
    func mainActor() async {
        await #expect(processExitsWith: .success) {
            typealias Enqueue = @convention(c) (_ job: UnsafeRawPointer, _ original: UnsafeRawPointer) -> Void
            let enqueue: Enqueue = { job, _ in
                let job = unsafeBitCast(job, to: UnownedJob.self)
                Thread.detachNewThread { job.runSynchronously(on: MainActor.sharedUnownedExecutor) }
            }
            let hook = try #require(dlsym(nil, "swift_task_enqueueMainExecutor_hook"))
            hook.storeBytes(of: enqueue, as: Enqueue.self)
            #expect(await Self.seenByMainActor() == [false, true, true, true])
            #expect(!MainProbe.system())
        }
    }

    @MainActor private static func seenByMainActor() async -> [Bool] {
        [
            mi_thread_is_main(),
            MainProbe.system(),
            IdentityQueue(label: "carrying").sync { MainProbe.system() },
            DispatchQueue(label: "plain").sync { MainProbe.system() },
        ]
    }
}
