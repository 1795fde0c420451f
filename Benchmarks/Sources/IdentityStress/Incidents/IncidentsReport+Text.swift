extension IncidentsReport {
    /// The report for people.
    var text: String { (entries.map(\.text) + [summary]).joined(separator: "\n\n") }

    private var summary: String {
        let failed = entries.filter { $0.problem != nil }
        let kept =
            "\(entries.count - failed.count) of \(entries.count) leak as published, and are kept with the package."
        return (failed.map { "FAILED: \($0.name): \($0.problem ?? "")" } + [kept]).joined(separator: "\n")
    }
}

extension IncidentsReport.Entry {
    fileprivate var text: String {
        var lines = ["\(name): \(title)"]
        lines.append("    leaks as published: \(Self.answer(leaksAsPublished, asPublished))")
        lines.append("    leaks with the package: \(Self.answer(leaksWithPackage, withPackage))")
        lines.append("    what happened: \(mechanism)")
        if let model { lines.append("    a model: \(model)") }
        lines.append("    lesson: \(lesson)")
        lines.append("    kept by: \(keptBy)")
        lines += references.map { "    published: \($0.label), \($0.address)" }
        return lines.joined(separator: "\n")
    }

    private static func answer(_ leaks: Bool, _ seen: [String]) -> String {
        "\(leaks ? "yes" : "no"): \(seen.isEmpty ? "it could not be acted out" : seen.joined(separator: "; "))"
    }
}
