import Foundation
import MultiIdentityDiagnostics

/// Whose processor time a run used: the largest accounts, and all smaller ones as one.
struct AccountTable {
    private static let most = 20

    private let rows: [(holder: String, cpu: Duration)]
    private let cpu: Duration

    init(_ accounts: IdentityAccounts.Snapshot) {
        let smaller = accounts.byHolder.dropFirst(Self.most)
        let rest = ("\(smaller.count) smaller accounts", smaller.reduce(.zero) { $0 + $1.cpu })
        rows = accounts.byHolder.prefix(Self.most).map { ("\($0)", $1) } + (smaller.isEmpty ? [] : [rest])
        cpu = accounts.cpu
    }

    /// One line per account.
    var text: String {
        let lines = rows.map { "\(seconds($0.cpu)) s  \(share($0.cpu)) %  \($0.holder)" }
        return (["Whose processor time it was:"] + lines).joined(separator: "\n")
    }

    /// A table of a page, one row per account.
    func html(escaped: (String) -> String) -> String {
        let most = rows.map(\.cpu).max() ?? .zero
        let rows = rows.map { holder, cpu in
            let width = most > .zero ? Int(100 * (cpu / most)) : 0
            return """
                <tr class="account"><td>\(escaped(holder))</td><td><div style="width:\(width)%"></div></td>\
                <td>\(seconds(cpu)) s</td><td>\(share(cpu)) %</td></tr>
                """
        }
        return """
            <h2>Whose processor time it was</h2>
            <table><tr><th>account</th><th class="wide"></th><th>time</th><th>share</th></tr>
            \(rows.joined(separator: "\n"))
            </table>
            """
    }

    private func seconds(_ cpu: Duration) -> String { String(format: "%9.3f", cpu / .seconds(1)) }
    private func share(_ cpu: Duration) -> String {
        String(format: "%5.1f", self.cpu > .zero ? cpu / self.cpu * 100 : 0)
    }
}
