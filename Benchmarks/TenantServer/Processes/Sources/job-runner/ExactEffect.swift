import Dispatch
import Foundation
import GRDB
import JobQueue
import MultiIdentity

/// A job with its effect and its end in one transaction, on a thread that may block: it takes effect exactly once.
struct ExactEffect {
    let pool: DatabasePool
    private let queue = IdentityQueue(label: "effects", attributes: .concurrent)

    init(pool: DatabasePool) { self.pool = pool }

    @Sendable func run(_ run: JobRun) async throws {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { [pool] in
                continuation.resume(
                    with: Result {
                        Thread.sleep(forTimeInterval: 0.002)
                        try pool.write { db in
                            try RunnerDatabase.note(run.job, in: db)
                            try run.finish(in: db)
                        }
                    }
                )
            }
        }
    }
}
