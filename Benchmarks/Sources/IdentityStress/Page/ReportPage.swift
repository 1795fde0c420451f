import Foundation
import MultiIdentity

/// The report as one HTML page without external resources.
struct ReportPage: Sendable {
    let path: String
    let options: StressOptions
    /// The boundaries that the run breaks on purpose.
    let broken: [String]

    /// Creates and writes the page.
    ///
    /// In automatic mode plain calls propagate too, so there is nothing to compare with.
    func write(_ report: Report, _ accounts: AccountTable?) throws {
        let ratios = options.isAutomatic ? "" : try RatioPicture().html
        let text = text(of: report, sabotage(in: report), ratios + (accounts?.html(escaped: Self.escaped) ?? ""))
        try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
    }

    /// Returns what happened at the broken boundaries: in this run, or in a short run that breaks the first boundary.
    private func sabotage(in report: Report) -> String {
        var (report, broken) = (report, broken)
        if broken.isEmpty {
            guard !options.isAutomatic, let place = options.mix.carried.first.map(Int.init) else {
                return "<p>Not tried. In automatic mode, add --sabotage automatic.</p>"
            }
            var trial = StressOptions(seed: options.seed)
            (trial.mix, trial.hops, trial.sabotage) = (options.mix, 2_000, Sabotage(work: place))
            (report, broken) = (Stress(trial).run(), [BoundaryCatalogue.all[place].name])
        }
        let blamed = report.boundaries.filter { $0.wrong > 0 }.map(\.name)
        let isNoticed = broken == ["automatic"] ? !blamed.isEmpty : Set(blamed) == Set(broken)
        let names = [broken, blamed].map { Self.escaped($0.joined(separator: ", ")) }
        return """
            <p id="sabotage" class="\(isNoticed ? "good" : "bad")">Broken on purpose: \(names[0]). \
            \(isNoticed ? "Noticed" : "NOT NOTICED"): \(Report.grouped(report.wrongIdentities)) wrong identities in \
            \(Report.grouped(report.hops)) hops, at: \(names[1]).</p>
            """
    }

    private func text(of report: Report, _ sabotage: String, _ costs: String) -> String {
        let wrong = "\(Report.grouped(report.wrongIdentities)) wrong identities"
        return """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8"><title>identity-stress: \(wrong)</title>
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
            <style>\(Self.style)</style></head><body>
            <h1 class="\(report.isRight ? "good" : "bad")">\(wrong) in \(Report.grouped(report.hops)) hops</h1>
            <p>\(Report.grouped(report.requests)) requests, \(Report.grouped(report.lostWork)) pieces of work lost, \
            \(Report.hundredths(report.elapsedSeconds)) s, ended by \(report.endedBy). Version \(IdentityRuntime.version), \
            seed \(report.seed), workload \(report.workloadHash): \
            <code>identity-stress \(Self.escaped(CommandLine.arguments.dropFirst().joined(separator: " ")))</code></p>
            <h2>Is a broken boundary noticed?</h2>
            \(sabotage)
            \(costs)
            <h2>Hops and wrong identities</h2>
            <table><tr><th>boundary</th><th class="wide">hops</th><th></th><th>wrong</th><th>lost</th></tr>
            \(Self.rows(report.boundaries))
            <tr><th>carried by the language</th></tr>
            \(Self.rows(report.languageBoundaries))
            </table>
            \(report.mismatches.map { "<p>\(Self.escaped("\($0)"))</p>" }.joined(separator: "\n"))
            </body></html>
            """
    }

    private static func rows(_ boundaries: [Report.Boundary]) -> String {
        let most = max(1, boundaries.map(\.hops).max() ?? 1)
        return boundaries.map { boundary in
            let numbers = [boundary.hops, boundary.wrong, boundary.lost].map { "<td>\(Report.grouped($0))</td>" }
            return """
                <tr class="row\(boundary.wrong == 0 && boundary.lost == 0 ? "" : " bad")"><td>\(escaped(boundary.name))</td>\
                <td><div style="width:\(100 * boundary.hops / most)%"></div></td>\(numbers.joined())</tr>
                """
        }.joined(separator: "\n")
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
    }

    private static let style = """
        body { font: 15px/1.4 Helvetica, Arial, sans-serif; max-width: 900px; margin: 24px auto; color: #222 }
        .good { color: #1a7f37 } .bad { color: #c22 } code { overflow-wrap: anywhere } svg { width: 100% }
        table { border-collapse: collapse; width: 100% } td, th { padding: 1px 8px; text-align: right } .wide { width: 45% }
        td:first-child, th:first-child, .wide { text-align: left } td div { height: 11px; background: #1f6fb4 } .bad div { background: #c22 }
        """
}
