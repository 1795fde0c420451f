import MultiIdentityDoctor

/// The tables of `Docs/Boundaries.md`: what happens to an identity at each boundary, from a diagnosis.
struct PropagationDocument {
    private let diagnosis: Diagnosis

    init(_ diagnosis: Diagnosis) { self.diagnosis = diagnosis }

    /// The tables, in Markdown; equal findings give equal bytes.
    var text: String { (["Examined on \(diagnosis.platform)."] + families.map(table)).joined(separator: "\n\n") }

    private var families: [String] {
        diagnosis.findings.map(\.family).reduce(into: []) { if $0.last != $1 { $0.append($1) } }
    }

    private func table(of family: String) -> String {
        let rows = diagnosis.findings.filter { $0.family == family }.map(Self.row)
        return (["### \(family)", "", Self.columns, "| --- | --- | --- | --- |"] + rows).joined(separator: "\n")
    }

    private static let columns = "| boundary | plain Swift | this package | captured when |"

    private static func row(_ finding: Diagnosis.Finding) -> String {
        if finding.carried.outcome == .missing {
            return "| `\(finding.boundary)` | – | does not exist here: \(finding.carried.detail ?? "") | – |"
        }
        let how = finding.spelling.map { "\(finding.carried): `\($0)`" } ?? "\(finding.carried), by the language"
        let cells = ["`\(finding.boundary)`", "\(finding.plain)", how, finding.captured ?? "–"]
        return "| \(cells.joined(separator: " | ")) |"
    }
}
