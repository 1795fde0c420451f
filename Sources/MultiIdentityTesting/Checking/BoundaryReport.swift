/// A row for every promise on one boundary, kept or broken; as text, a table.
///
/// ```swift
/// let report = try await BoundaryPromise.report { myPool() }  // prints it, too
/// #expect(report.violations.isEmpty)
/// ```
public struct BoundaryReport: Sendable, Hashable {
    /// The outcome of one promise.
    public enum Result: Sendable, Hashable {
        /// The boundary keeps it.
        case kept
        /// It means nothing for this boundary, or cannot be checked by what is known of it.
        case notApplicable(reason: String)
        /// The boundary breaks it.
        case broken(BoundaryViolation)
    }

    /// One promise, and what became of it.
    public struct Row: Sendable, Hashable {
        /// The promise.
        public let promise: BoundaryPromise
        /// Its outcome.
        public let result: Result
    }

    /// The name of the boundary.
    public let boundary: String
    /// A row for each promise, in the order of the promises.
    public let rows: [Row]

    /// The promises that are broken, and how.
    public var violations: [BoundaryViolation] {
        rows.compactMap { if case .broken(let violation) = $0.result { violation } else { nil } }
    }
}

extension BoundaryPromise {
    /// Checks all promises on a boundary, one after the other, and prints what became of each as a table.
    ///
    /// - Parameters:
    ///   - seed: What the order of random hand-overs comes from.
    ///   - makeBoundary: Makes the boundary; called for each promise, so that each has one of its own.
    ///   - printing: What is done with the table; without this, it is printed.
    /// - Returns: The report.
    /// - Throws: `CancellationError` if the task is cancelled meanwhile.
    @discardableResult
    public static func report(
        seed: UInt64 = .random(in: 0 ... .max),
        on makeBoundary: () -> BoundaryConformance,
        printing: (String) -> Void = { print($0) }
    ) async throws -> BoundaryReport {
        var (name, rows) = ("", [BoundaryReport.Row]())
        for promise in allCases {
            let boundary = makeBoundary()
            name = boundary.name
            let result: BoundaryReport.Result
            do {
                switch try await promise.check(on: boundary, seed: seed) {
                case .kept: result = .kept
                case .notApplicable(let reason): result = .notApplicable(reason: reason)
                }
            } catch let violation as BoundaryViolation {
                result = .broken(violation)
            }
            rows.append(BoundaryReport.Row(promise: promise, result: result))
        }
        let report = BoundaryReport(boundary: name, rows: rows)
        printing(report.description)
        return report
    }
}

extension BoundaryReport: CustomStringConvertible {
    /// The table: how many are what, and then a line for each promise, with a second one where there is more to say.
    public var description: String {
        let words = rows.map { $0.result.word }
        let counts = ["kept"] + BoundaryViolation.Kind.allCases.map(\.rawValue) + ["not applicable"]
        let summary = counts.compactMap { word -> String? in
            let count = words.count { $0 == word }
            return count == 0 ? nil : "\(count) \(word)"
        }
        let indent = String(repeating: " ", count: 16)
        let lines = rows.flatMap { row -> [String] in
            let word = row.result.word
            let line = word + String(repeating: " ", count: indent.count - word.count) + "\(row.promise)"
            return [line] + row.result.more.map { indent + $0 }
        }
        return (["\(boundary): \(summary.joined(separator: ", "))"] + lines).joined(separator: "\n")
    }
}

extension BoundaryReport.Result {
    fileprivate var word: String {
        switch self {
        case .kept: "kept"
        case .notApplicable: "not applicable"
        case .broken(let violation): violation.kind.rawValue
        }
    }

    fileprivate var more: [String] {
        switch self {
        case .kept: []
        case .notApplicable(let reason): ["  \(reason)"]
        case .broken(let violation):
            ["  \(violation.situation): expected \(violation.expected), found \(violation.found)"]
        }
    }
}
