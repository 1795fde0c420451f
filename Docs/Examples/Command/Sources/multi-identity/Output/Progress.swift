import Foundation
import Synchronization

/// Shows the progress of long work on the standard error: one line that is written over on a terminal, else one now and then.
final class Progress: Sendable {
    private struct State {
        var next: ContinuousClock.Instant
        var isDirty = false
    }

    private let isShown: Bool
    private let isTerminal: Bool
    private let state: Mutex<State>

    init(_ options: OutputOptions) {
        isTerminal = isatty(STDERR_FILENO) != 0
        isShown = options.progress ?? isTerminal
        // Short work shows none.
        state = Mutex(State(next: .now + (isTerminal ? .milliseconds(500) : .seconds(1))))
    }

    /// Tells how far it is, if it is time to; from any thread.
    ///
    /// - Parameters:
    ///   - subject: What is worked at.
    ///   - done: How many bytes or files are done.
    ///   - total: Of how many; `nil` where that is not known.
    ///   - unit: What is counted.
    func tell(_ subject: String, _ done: UInt64, of total: UInt64?, _ unit: Unit) {
        guard isShown else { return }
        state.withLock { state in
            let now = ContinuousClock.now
            guard now >= state.next else { return }
            state.next = now + (isTerminal ? .milliseconds(100) : .seconds(1))
            let share = total.map { $0 == 0 ? "" : " of \(unit.shown($0)) (\(min(done, $0) * 100 / $0) %)" } ?? ""
            let line = "\(subject.shown): \(unit.shown(done))\(share)"
            // \r to the line's start, and what is left of a longer one erased.
            try? StandardStreams.write(isTerminal ? "\r\(line)\u{1B}[K" : "\(line)\n", to: STDERR_FILENO)
            state.isDirty = isTerminal
        }
    }

    /// Makes room for a line that stays.
    func clear() {
        state.withLock { state in
            guard state.isDirty else { return }
            try? StandardStreams.write("\r\u{1B}[K", to: STDERR_FILENO)
            state.isDirty = false
        }
    }

    /// The unit that is counted.
    enum Unit {
        case bytes, files

        func shown(_ count: UInt64) -> String {
            switch self {
            case .files: return "\(count) files"
            case .bytes:
                let (unit, size): (String, UInt64) =
                    switch count {
                    case ..<(1 << 10): ("bytes", 1)
                    case ..<(1 << 20): ("KiB", 1 << 10)
                    case ..<(1 << 30): ("MiB", 1 << 20)
                    default: ("GiB", 1 << 30)
                    }
                if size == 1 { return "\(count) bytes" }
                let tenths = count / (size / 10)
                return "\(tenths / 10).\(tenths % 10) \(unit)"
            }
        }
    }
}
