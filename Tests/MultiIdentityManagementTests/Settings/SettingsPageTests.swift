import Foundation
@_spi(Settings) import MultiIdentityManagement
import Testing

@Suite("The page of settings") struct SettingsPageTests {
    @Test("has a row for each setting, as the code has it, and no other", .rule("17.6"))
    func hasARowForEachSetting() throws {
        let page = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../Docs/Management.md")
        let lines = try String(contentsOf: page, encoding: .utf8).split(separator: "\n")
        let table = lines.drop { $0 != "### All settings" }.dropFirst().prefix { !$0.hasPrefix("#") }
        let rows = table.filter { $0.hasPrefix("| `") }
        let expected = ManagementSetting.allCases.map { setting in
            let standard = setting.standard.map { "`\($0)`" } ?? "none"
            return "| `\(setting)` | \(setting.kind.words) | \(standard) | \(setting.effect) |"
        }
        #expect(rows.map(String.init) == expected, "The rows would be:\n\(expected.joined(separator: "\n"))")
    }
}
