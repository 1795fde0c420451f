#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// How far long work is, on the standard error: one line that is written over on a terminal, else a line now and then.
final class Progress {
    private let isShown: Bool
    private let isTerminal = isatty(STDERR_FILENO) != 0
    private var next: ContinuousClock.Instant
    private var isDirty = false

    init(_ options: OutputOptions) {
        isShown = options.progress ?? (isatty(STDERR_FILENO) != 0)
        // Short work shows none.
        next = .now + .milliseconds(isatty(STDERR_FILENO) != 0 ? 500 : 1_000)
    }

    /// Tells how far it is, if it is time to.
    ///
    /// - Parameters:
    ///   - subject: What is worked at.
    ///   - done: How many bytes or files are done.
    ///   - total: Of how many; `nil` where that is not known.
    ///   - unit: What is counted.
    func tell(_ subject: String, _ done: UInt64, of total: UInt64?, _ unit: Unit) {
        guard isShown, case let now = ContinuousClock.now, now >= next else { return }
        next = now + (isTerminal ? .milliseconds(100) : .seconds(1))
        let share = total.map { $0 == 0 ? "" : " of \(unit.shown($0)) (\(done * 100 / $0) %)" } ?? ""
        let line = "\(subject.shown): \(unit.shown(done))\(share)"
        // \r to the line's start, and what is left of a longer one erased.
        try? StandardStreams.write(isTerminal ? "\r\(line)\u{1B}[K" : "\(line)\n", to: STDERR_FILENO)
        isDirty = isTerminal
    }

    /// Makes room for a line that stays.
    func clear() {
        guard isDirty else { return }
        try? StandardStreams.write("\r\u{1B}[K", to: STDERR_FILENO)
        isDirty = false
    }

    /// What is counted.
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
