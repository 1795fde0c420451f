/// The code's answer to a step, apart from what becomes bound.
struct StepEffect: Sendable {
    /// A report of a step that was taken.
    enum Report: Hashable, Sendable {
        /// The worker waits for its next step.
        case rest(ScheduledWorker)
        /// The task is suspended on its continuation.
        case suspended(ScheduledWorker)
        /// The queue is done with its current work, or with skipping it, and is suspended again.
        case passed(queue: Int)
        /// The worker's work has ended, and the worker with it.
        case ended(work: Int)
        /// Work began that no step began; never expected.
        case stray(work: Int)
    }

    /// The reports that have to be heard before the next step.
    var reports: Set<Report>
    /// The worker that each piece of work becomes part of, if it begins now.
    var arrivals: [Int: ScheduledWorker] = [:]
    /// Queues that were handed work by this step's end and not by a worker's call: notifications.
    var notified: [Int] = []

    init(_ reports: Report...) { self.reports = Set(reports) }
}

extension StepEffect.Report: CustomStringConvertible {
    var description: String {
        switch self {
        case .rest(let worker): "\(worker) goes on"
        case .suspended(let worker): "\(worker) is suspended"
        case .passed(let queue): "q\(queue) is done with its work"
        case .ended(let work): "w\(work) has ended"
        case .stray(let work): "w\(work) began, which nothing may run here"
        }
    }
}
