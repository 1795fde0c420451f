import MultiIdentityTesting

extension PoolFinding {
    /// The table of all pools, and below it the reasons, as the page of leases has them.
    public static var table: String {
        var reasons: [String] = []
        func note(_ word: String, _ reason: String) -> String {
            let index = reasons.firstIndex(of: reason) ?? reasons.endIndex
            if index == reasons.endIndex { reasons.append(reason) }
            return "\(word) \(index + 1)"
        }
        var lines = [
            "| | " + all.map(\.pool).joined(separator: " | ") + " |",
            "| --- |" + String(repeating: " --- |", count: all.count),
        ]
        for promise in PoolPromise.allCases {
            let cells = all.map { finding in
                switch finding.outcomes[promise] {
                case .kept: "kept"
                case .broken(let reason): note("**broken**", reason)
                case .notApplicable(let reason): note("–", reason)
                case nil: "?"
                }
            }
            lines.append("| \(promise.sentence) | " + cells.joined(separator: " | ") + " |")
        }
        lines.append("")
        lines += reasons.enumerated().map { "\($0.offset + 1). \($0.element)" }
        return lines.joined(separator: "\n")
    }
}
