import Foundation
import MultiIdentityDiagnostics
import Testing

@testable import MultiIdentity

extension DrainingTests {
    @Test(
        "sleeps while it waits, and then returns the work that still runs with its first identity, if recorded",
        .rule("10.6")
    )
    func sleeps() async {
        await #expect(processExitsWith: .success) {
            RunningWork.isRecorded = true
            try await Revocation.whileOn { ada in
                let (gate, begun) = (Gate(), Notes<Void>())
                let tasks = withIdentity(ada) {
                    (0..<1_000).map { _ in
                        Task.propagatingIdentity.detached {
                            begun.add(())
                            await gate.wait()
                        }
                    }
                }
                await eventually { begun.all.count == tasks.count }
                IdentityRevocation.revoke(ada, for: .wiped)
                let before = clock()
                let left = await IdentityRevocation.drain(ada, timeout: .seconds(1))
                let time = clock() - before
                try #require(left.running == tasks.count && left.work.count { $0.identity == ada } == tasks.count)
                try #require(time < CLOCKS_PER_SEC / 5, "the processor worked for a fifth of the wait")
                gate.open()
                for task in tasks { await task.value }
            }
        }
    }
}
