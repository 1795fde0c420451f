/// The one that takes a step: a thread, what runs on a queue at the moment, or work that is its own worker, as a task.
enum ScheduledWorker: Hashable, Sendable {
    case thread(Int)
    case queue(Int)
    case work(Int)
}

extension ScheduledWorker: Comparable {
    static func < (one: ScheduledWorker, other: ScheduledWorker) -> Bool { one.place < other.place }

    private var place: (Int, Int) {
        switch self {
        case .thread(let number): (0, number)
        case .queue(let number): (1, number)
        case .work(let number): (2, number)
        }
    }
}

extension ScheduledWorker: CustomStringConvertible {
    /// As it stands in a schedule: `t1`, `q1` or `w1`.
    var description: String {
        switch self {
        case .thread(let number): "t\(number)"
        case .queue(let number): "q\(number)"
        case .work(let number): "w\(number)"
        }
    }

    /// Parses what ``description`` writes.
    init?(parsing word: Substring) {
        guard let letter = word.first, let number = Int(word.dropFirst()), number > 0 else { return nil }
        switch letter {
        case "t" where number <= Schedule.mostThreads: self = .thread(number)
        case "q" where number <= Schedule.queues: self = .queue(number)
        case "w" where number <= Schedule.mostWorks: self = .work(number)
        default: return nil
        }
    }
}
