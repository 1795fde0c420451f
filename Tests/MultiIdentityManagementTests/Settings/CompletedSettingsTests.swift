@_spi(Settings) import MultiIdentityManagement
import Testing

@Suite("A file of settings that is completed") struct CompletedSettingsTests {
    private static let count = ManagementSetting.allCases.count { $0.standard != nil }

    @Test(
        "has all that has a default, each byte that it had, and is left as it is the second time",
        .rule("17.7"),
        .guide("the configurator"),
        arguments: [
            "", "\n", "{}", "{\n}\n", "{\n\t\"port\": 8080\n}", "{\"port\": 8080}",
            "{\"multiIdentity\": {}, \"port\": 8080}",
            "{\n  \"multiIdentity\": {\n  },\n  \"port\": 8080\n}\n",
            "{\n    \"multiIdentity\": {\n        \"spread\": 0.25,\n        \"mine\": [1, {\"a\": \"}\"}]\n    },\n    \"port\": 8080\n}\n",
            "\u{FEFF}{\"multiIdentity\": {\"mode\": \"single\"} , \"é\": \"\\u00e9}\"}\r\n",
        ]
    )
    func hasAllThatHasADefault(_ text: String) throws {
        let before = Array(text.utf8)
        let (after, added) = try ManagementConfiguration.completed(before, path: "app.json")
        let configuration = try ManagementConfiguration(json: after, path: "app.json")
        #expect(ManagementSetting.allCases.count { configuration.source(of: $0) == .file } == Self.count)
        #expect(added.count == Self.count - (text.contains("spread") || text.contains("single") ? 1 : 0))
        if text.contains("spread") { #expect(configuration.spread == 0.25) }
        // All that was there is there, in its order.
        var rest = after[...]
        for byte in before {
            let place = try #require(rest.firstIndex(of: byte))
            rest = rest[(place + 1)...]
        }
        if let first = text.split(separator: "\"").first, text.contains("port") {
            #expect(after.starts(with: first.utf8))
        }
        let again = try ManagementConfiguration.completed(after, path: "app.json")
        #expect(again.text == after && again.added.isEmpty)
    }

    @Test("is set as what stands there is", .rule("17.7")) func isSetAsWhatStandsThere() throws {
        let text = "{\n    \"multiIdentity\": {\n        \"spread\": 0.25\n    },\n    \"port\": 8080\n}\n"
        let lines = String(
            decoding: try ManagementConfiguration.completed(text.utf8, path: "app.json").text,
            as: UTF8.self
        )
        .split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines[2] == "        \"spread\": 0.25," && lines[3] == "        \"mode\": \"multi\",")
        #expect(lines[lines.count - 5] == "        \"allowsTestPolicies\": false")
        #expect(lines.suffix(4) == ["    },", "    \"port\": 8080", "}", ""])
        let line = try ManagementConfiguration.completed("{\"port\": 8080}".utf8, path: "app.json").text
        #expect(
            String(decoding: line, as: UTF8.self).hasPrefix(
                "{\"port\": 8080, \"multiIdentity\": {\"mode\": \"multi\", "
            )
        )
    }

    @Test(
        "is refused as it stands where it cannot be read",
        .rule("17.7"),
        arguments: ["[]", "{", "{\"multiIdentity\": 1}"]
    )
    func isRefused(_ text: String) {
        #expect(throws: ManagementConfigurationError.self) {
            try ManagementConfiguration.completed(text.utf8, path: "app.json")
        }
    }
}
