import ArgumentParser
import Foundation

/// Prints figures with their limits, and records whether one was exceeded.
struct Limits {
    private var isPassed = false

    /// Prints a figure, and whether it is within its limit.
    mutating func hold(_ name: String, _ value: Double, atMost limit: Double, _ unit: String) {
        let isWithin = value <= limit
        isPassed = isPassed || !isWithin
        print("\(isWithin ? "within" : "FAILED") \(name): \(value.figure) \(unit) (at most \(limit.figure))")
    }

    /// Prints whether a claim is true.
    mutating func hold(_ claim: String, _ isTrue: Bool, _ found: String) {
        isPassed = isPassed || !isTrue
        print("\(isTrue ? "within" : "FAILED") \(claim): \(found)")
    }

    /// Ends the command: with an error if a limit was exceeded.
    func end() throws {
        if isPassed { throw ExitCode.failure }
    }
}

extension Double {
    /// Three significant digits, or all before the decimal point.
    var figure: String { self >= 100 ? String(format: "%.0f", self) : String(format: "%.3g", self) }
}
