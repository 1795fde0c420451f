import Foundation
import MultiIdentity

/// Reports the identity that the work of each case ran as, as a table.
public enum ThirdPartyReport: Sendable {
    /// Calls each library once, and prints a line for each.
    ///
    /// - Returns: 0 where all that is within reach kept its caller's identity, and all that is out of reach lost it as
    ///   is stated; else 1.
    /// - Throws: What a library throws.
    public static func run() async throws -> Int32 {
        let ada = try Identity("ada@contoso.com")
        let width = ThirdPartyCase.all.map(\.name.count).max() ?? 0
        print(line("case", "expected", "ran as", end: "", width))
        var isAsStated = true
        for third in ThirdPartyCase.all {
            let found = try await third.identityOfWork(as: ada)
            let expected = third.outOfReach == nil ? ada : nil
            if found != expected { isAsStated = false }
            let outcome = (found == ada ? "kept" : "lost") + (third.outOfReach.map { " (\($0))" } ?? "")
            print(line(third.name, shown(expected), shown(found), end: outcome, width))
        }
        return isAsStated ? 0 : 1
    }

    private static func shown(_ identity: Identity?) -> String { identity.map { "\($0)" } ?? "unset" }

    private static func line(_ columns: String..., end: String, _ width: Int) -> String {
        let widths = [width, 15, 15]
        let padded = zip(columns, widths).map { $0.padding(toLength: $1, withPad: " ", startingAt: 0) }
        return (padded + [end]).joined(separator: "  ")
    }
}
