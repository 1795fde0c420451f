/// The findings of code that asks, one for each place, with their counts.
package struct FindingTally: Sendable {
    /// Findings of one place have the same words, the same asking function, and the same function in which the work began.
    private struct Place: Hashable {
        let message: String
        let caller: String?
        let entry: String?
    }

    /// The largest number of places; the findings of further ones are all new.
    private static let limit = 1_000

    private var findings: [Place: Finding] = [:]

    package init() {}

    /// Counts a finding; returns whether it is the first one of its place.
    package mutating func isFirst(_ finding: Finding) -> Bool {
        guard let origin = finding.origin else { return true }
        let place = Place(message: finding.message, caller: origin.callers.first, entry: origin.entry)
        if findings[place] != nil {
            findings[place]?.count += 1
            return false
        }
        if findings.count < Self.limit { findings[place] = finding }
        return true
    }

    /// The first finding of each place, with the count of all, the most frequent first.
    package var all: [Finding] { findings.values.sorted { ($1.count, $0.message) < ($0.count, $1.message) } }
}
