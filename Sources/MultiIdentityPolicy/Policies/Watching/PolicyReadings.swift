/// The readings of a file; the one that began last counts, whichever ends last.
package struct PolicyReadings: Sendable {
    private var begun: UInt64 = 0
    private var counted: UInt64 = 0
    /// The state of the file that counted; `nil` if it could not be reached.
    private var fingerprint: FileFingerprint?
    /// The problem with it.
    package private(set) var problem: PolicyError?

    package init() {}

    /// Begins a reading, and returns its number.
    package mutating func begin() -> UInt64 {
        begun += 1
        return begun
    }

    /// Ends a reading, and returns whether it counts.
    package mutating func end(_ number: UInt64, _ fingerprint: FileFingerprint?, _ problem: PolicyError?) -> Bool {
        guard number > counted else { return false }
        counted = number
        self.fingerprint = fingerprint
        self.problem = problem
        return true
    }

    /// Returns whether the file in this state is known or must be read.
    package func look(_ fingerprint: FileFingerprint?) -> Look {
        // No state of it was read: the system refused, as it does while a process has too many files open.
        if let problem, problem.code == .unreadable || problem.code == .missing { return .tryAgain(known: problem) }
        return fingerprint == self.fingerprint ? .known : .read
    }

    package enum Look: Equatable, Sendable {
        case known
        case read
        case tryAgain(known: PolicyError)
    }
}
