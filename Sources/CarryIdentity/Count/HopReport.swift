import Foundation

/// What was counted, in each format.
struct HopReport {
    /// The package's name.
    let package: String
    let hops: [PlainHop]
    /// The counted targets.
    let targets: [String]
    /// The targets that were not counted, or not fully, each with its reason.
    let uncounted: [String: String]
    /// How many hops are plain on purpose.
    var excused = 0
    let seconds: Double
    /// Nil without a baseline.
    var changes: [HopBaseline.Change]?

    /// How many hops the baseline does not allow.
    var excess: Int { (changes ?? []).reduce(0) { $0 + max(0, $1.found - $1.allowed) } }

    func written(as format: CountOptions.Format, listing: Bool) throws -> String {
        switch format {
        case .text: text(listing: listing)
        case .json: String(decoding: try JSONEncoder.readable.encode(json), as: UTF8.self) + "\n"
        case .sarif:
            String(
                decoding: try JSONSerialization.data(
                    withJSONObject: sarif,
                    options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
                ),
                as: UTF8.self
            ) + "\n"
        }
    }

    private func text(listing: Bool) -> String {
        var lines: [String] = []
        if listing {
            lines += hops.map { "\($0.file):\($0.line):\($0.column): \($0.boundary): write \($0.instead)" } + [""]
        }
        lines.append(
            "plain hops in \(package): \(hops.count) (targets: \(targets.count), seconds: \(Int(seconds.rounded())))"
        )
        if excused > 0 { lines.append("plain on purpose: \(excused)") }
        for (title, property) in [("target", \PlainHop.target), ("boundary", \.boundary), ("file", \.file)] {
            let counts = hops.counts { $0[keyPath: property] }
            if counts.isEmpty { continue }
            lines += ["", "by \(title)"] + counts.map { "  \(padded($0.hops))  \($0.name)" }
        }
        if !uncounted.isEmpty {
            lines +=
                ["", "not counted, or not fully"] + uncounted.sorted { $0 < $1 }.map { "  \($0.key): \($0.value)" }
        }
        for change in changes ?? [] {
            let counts = "\(change.found) × \(change.boundary), and the baseline has \(change.allowed)"
            lines += ["\(change.found > change.allowed ? "more" : "fewer"): \(change.file): \(counts)"]
        }
        if let changes, excess == 0 {
            lines.append("No hop is new." + (changes.isEmpty ? "" : " Write the baseline again, so that none returns."))
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func padded(_ number: Int) -> String {
        let digits = String(number)
        return String(repeating: " ", count: max(0, 5 - digits.count)) + digits
    }

    private struct JSON: Encodable {
        let package: String
        let total: Int
        let excused: Int
        let seconds: Double
        let targets, boundaries, files: [String: Int]
        let hops: [PlainHop]
        let uncounted: [String: String]
        let changes: [HopBaseline.Change]?
    }

    private var json: JSON {
        func counts(_ property: (PlainHop) -> String) -> [String: Int] {
            Dictionary(uniqueKeysWithValues: hops.counts(by: property).map { ($0.name, $0.hops) })
        }
        let none = Dictionary(uniqueKeysWithValues: targets.map { ($0, 0) })
        return JSON(
            package: package,
            total: hops.count,
            excused: excused,
            seconds: seconds,
            targets: none.merging(counts(\.target)) { $1 },
            boundaries: counts(\.boundary),
            files: counts(\.file),
            hops: hops,
            uncounted: uncounted,
            changes: changes
        )
    }
}
