import Foundation
import MultiIdentity
import MultiIdentityDiagnostics

/// Runs of tasks on Swift's own executor, which automatic mode reports.
enum TaskCases {
    static func check(_ cases: inout Cases) async {
        await cases.check("accounts: a server of tasks is charged to its users, and at most 1 % of its time to no one")
        {
            let users = try (0..<4).map { try Identity("task-\($0)@contoso.com") }
            IdentityAccounts.isOn = true
            defer { IdentityAccounts.isOn = false }
            let before = IdentityAccounts.snapshot()
            await withTaskGroup { group in
                for (index, user) in users.enumerated() {
                    group.addTask { await withIdentity(user) { await serve(runs: 20 * (index + 1)) } }
                }
            }
            let after = IdentityAccounts.snapshot()
            func spent(by holder: IdentityAccounts.Holder) -> Duration {
                func sum(_ snapshot: IdentityAccounts.Snapshot) -> Duration {
                    snapshot.rows.filter { $0.holder == holder }.map(\.cpu).reduce(.zero, +)
                }
                return sum(after) - sum(before)
            }
            let charged = users.map { spent(by: .identity($0)) }
            for (index, spent) in charged.enumerated() {
                let ratio = spent / (.milliseconds(5) * 20 * (index + 1))
                if abs(ratio - 1) > 0.05 { throw Difference(description: "user \(index): \(ratio) of its work") }
            }
            let unknown = 1 - charged.reduce(.zero, +) / (after.cpu - before.cpu)
            if unknown > 0.01 { throw Difference(description: "\(unknown * 100) % to no one: \(after)") }
        }
    }

    /// Works for 5 ms of this thread's processor time in each run of the task.
    private static func serve(runs: Int) async {
        for _ in 0..<runs {
            let end = processorTime() + 5_000_000
            while processorTime() < end {}
            await Task.yield()
        }
    }

    private static func processorTime() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
}
