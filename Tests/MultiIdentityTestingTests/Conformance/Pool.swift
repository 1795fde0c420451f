import Dispatch
import Foundation
import MultiIdentity
import MultiIdentityTesting

/// A typical hand-written pool of one thread: it runs work in order, and the work may be cancelled or throw.
final class Pool: Sendable {
    /// What the worker does for each piece of work: the place where pools are right or wrong.
    typealias Run = @Sendable (_ job: Job, _ pool: Pool) -> Void

    struct Job: Sendable {
        let number: Int
        let work: @Sendable () throws -> Void
        /// The snapshot of the submitter; `nil` for plain work.
        let captured: IdentitySnapshot?
    }

    private struct State {
        var jobs: [Job] = []
        var submitted = 0
    }

    private let state = Locked(State())
    private let run: Run
    private let queue = DispatchQueue(label: "pool")

    init(run: @escaping Run = { job, _ in Pool.runScoped(job) }) { self.run = run }

    /// The correct form: a scope around each single piece of work.
    static func runScoped(_ job: Job) {
        if let captured = job.captured { try? captured.restore { try job.work() } } else { try? job.work() }
    }

    @discardableResult
    func submit(_ work: @escaping @Sendable () throws -> Void) -> Int {
        add(work, captured: IdentitySnapshot.capture())
    }

    @discardableResult
    func submitPlain(_ work: @escaping @Sendable () throws -> Void) -> Int { add(work, captured: nil) }

    func add(_ work: @escaping @Sendable () throws -> Void, captured: IdentitySnapshot?) -> Int {
        let number = state.withLock { state in
            state.submitted += 1
            state.jobs.append(Job(number: state.submitted, work: work, captured: captured))
            return state.submitted
        }
        queue.async { self.work() }
        return number
    }

    func cancel(_ number: Int) { state.withLock { $0.jobs.removeAll { $0.number == number } } }

    /// Removes and returns the next job.
    func next() -> Job? { state.withLock { $0.jobs.isEmpty ? nil : $0.jobs.removeFirst() } }

    private func work() { if let job = next() { run(job, self) } }

    /// Suspends the worker, so that work submitted in `body` waits.
    func paused(_ body: () -> Void) {
        queue.suspend()
        body()
        queue.resume()
    }

    /// Returns a pool's boundary with all known facts.
    func boundary(_ name: String) -> BoundaryConformance {
        BoundaryConformance(name) { self.submit($0) }
            .running(on: .reachable { self.submitPlain($0) })
            .throwing { self.submit($0) }
            .dropping { work in self.paused { self.cancel(self.submit(work)) } }
    }
}
