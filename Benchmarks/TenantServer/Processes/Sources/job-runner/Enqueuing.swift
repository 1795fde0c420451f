import Foundation
import JobQueue
import MultiIdentity
import ServiceLifecycle

/// Enqueues a number of jobs, each as another of many users, as nobody or unset, and tells of each once it is stored.
struct Enqueuing: Service {
    let store: any RunnerStore
    let queue: JobQueue
    let prefix: String
    let number: Int
    let endsWhenDone: Bool

    func run() async throws {
        for index in 0..<number {
            let kind = index.isMultiple(of: 3) ? "repeated" : "exact"
            let job = NewJob(kind, idempotencyKey: "\(prefix)-\(index)", maximumAttempts: 100)
            let identity = try identity(index)
            let id = try await withIdentity(identity) {
                try await store.enqueue(job, on: queue)
            }
            // One write a line, so that a kill leaves no half of one that could be taken for a whole.
            FileHandle.standardOutput.write(Data("\(id)\t\(job.idempotencyKey)\t\(JobOwner(identity))\n".utf8))
        }
        guard endsWhenDone else { return }
        while try await store.openJobs() > 0 {
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    private func identity(_ index: Int) throws -> Identity? {
        switch index % 10 {
        case 8: .nobody
        case 9: store.ownerless
        default: try Identity("user\(index % 97)@contoso.com")
        }
    }
}
