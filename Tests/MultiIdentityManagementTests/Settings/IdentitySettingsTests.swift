import MultiIdentity
import MultiIdentityManagement
import MultiIdentityPolicy
import MultiIdentityTesting
import Testing

@Suite("Settings") struct IdentitySettingsTests {
    private static func file(_ section: String) throws -> IdentitySettingsFile {
        try IdentitySettingsFile(json: "{\"port\": 8080,\n\"multiIdentity\": {\n\(section)\n}}".utf8, path: "app.json")
    }

    @Test(
        "count in the order of code, override, environment, file and default",
        .rule("17.1"),
        .guide("settings in the app's property list")
    )
    func countInTheirOrder() throws {
        let variable = ["MULTI_IDENTITY_AUTHORITY": "environment", "PATH": "/bin"]
        let file = try Self.file("\"authority\": \"file\"")
        let override: [IdentitySetting: IdentitySetting.Value] = [.authority: .text("override")]
        let all = try IdentitySettings(code: [.authority: .text("code")], environment: variable, file: file)
        let expected: [(IdentitySettings, String?, IdentitySettings.Source, [IdentitySettings.Source], String)] = [
            (try all.overridden(by: override), "code", .code, [.override, .environment, .file], "code"),
            (
                try IdentitySettings(environment: variable, file: file).overridden(by: override), "override", .override,
                [.environment, .file], "an override of the account"
            ),
            (
                try IdentitySettings(environment: variable, file: file), "environment", .environment, [.file],
                "MULTI_IDENTITY_AUTHORITY"
            ),
            (try IdentitySettings(file: file), "file", .file, [], "app.json: line 3"),
            (try IdentitySettings(), nil, .standard, [], "default"),
        ]
        for (settings, value, source, hidden, place) in expected {
            let explanation = settings.explanation(of: .authority)
            #expect(settings.authority == value && explanation.value == value.map { .text($0) })
            #expect(explanation.source == source && explanation.hidden == hidden && explanation.place == place)
        }
    }

    @Test("are warned of where a key is unknown, with the nearest known one", .rule("17.2"), .guide("all others"))
    func areWarnedOfUnknownKeys() throws {
        let file = try Self.file("\"policyRequird\": true,\n\"colour\": \"red\",\n\"telemetry\": true")
        let settings = try IdentitySettings(
            environment: ["MULTI_IDENTITY_TELEMETRI": "true", "MULTI_IDENTITY_ROOT": "/srv", "TELEMETRY": "false"],
            file: file
        )
        #expect(
            settings.warnings == [
                "app.json: line 3: \"policyRequird\" is no setting and does nothing. Did you mean policyRequired?",
                "app.json: line 4: \"colour\" is no setting and does nothing. Take it out.",
                "\"MULTI_IDENTITY_TELEMETRI\" is no setting and does nothing. Did you mean MULTI_IDENTITY_TELEMETRY?",
            ]
        )
        #expect(settings.value(of: .telemetry) == .boolean(true))
        #expect(settings.value(of: .policyRequired) == .boolean(false))
    }

    @Test(
        "are refused where a file has a wrong type or value, by file, line and key and without the value",
        .rule("17.2"),
        arguments: [
            ("\"spread\": 1.5", "app.json: line 3, multiIdentity.spread: Here a number from 0.0 to 1.0"),
            ("\n\"policyRequired\": \"s3cret\"", "app.json: line 4, multiIdentity.policyRequired: Here true or false"),
            ("\"mode\": \"s3cret\"", "app.json: line 3, multiIdentity.mode: Here one of \"single\""),
            ("\"requestsAtOnce\": 2.5", "app.json: line 3, multiIdentity.requestsAtOnce: Here a whole number from 1"),
            ("\"authority\": \"\"", "app.json: line 3, multiIdentity.authority: Here a text of one line"),
            ("\"authority\": \"s3cret\\nline\"", "app.json: line 3, multiIdentity.authority: Here a text of one line"),
            ("\"authority\": null", "app.json: line 3, multiIdentity.authority: Here a string, a number"),
            ("\"valuesToScrub\": [1]", "app.json: line 3, multiIdentity.valuesToScrub[0]: Here a string"),
            ("\"valuesToScrub\": \"s3cret\"", "app.json: line 3, multiIdentity.valuesToScrub: Here a list of texts"),
            ("\"requestLimit\": 1e999", "app.json: line 3, multiIdentity.requestLimit: Here a number of 64 bits"),
        ]
    )
    func areRefusedInAFile(_ section: String, _ start: String) throws {
        let error = try #require(throws: IdentitySettingsError.self) { try Self.file(section) }
        #expect(error.code == .wrongValue && error.message.hasPrefix(start), "\(error)")
        #expect(!error.message.contains("s3cret"))
    }

    @Test(
        "are refused where the text is no JSON, without what stands in it",
        .rule("17.2"),
        arguments: ["", "[]", "{\"multiIdentity\": s3cret}", "{\"multiIdentity\": {\"mode\": \"a\", \"mode\": \"b\"}}"]
    )
    func areRefusedInNoJSON(_ text: String) throws {
        let error = try #require(throws: IdentitySettingsError.self) {
            try IdentitySettingsFile(json: text.utf8, path: "app.json")
        }
        #expect([.malformedText, .wrongValue].contains(error.code) && error.message.hasPrefix("app.json: line 1"))
        #expect(!error.message.contains("s3cret"))
    }

    @Test(
        "are refused in a section whose name is nearly the right one, with that one",
        .rule("17.2"),
        arguments: [
            "MultiIdentity", "multi-identity", "multi_identity", "multiidentity", "MULTI_IDENTITY", "multiIdentities",
        ]
    )
    func areRefusedInANearSection(_ name: String) throws {
        for other in ["", "\"multiIdentity\": {},\n"] {
            let error = try #require(throws: IdentitySettingsError.self) {
                try IdentitySettingsFile(
                    json: "{\(other)\"\(name)\": {\"policyRequired\": true}}".utf8,
                    path: "app.json"
                )
            }
            let line = other.isEmpty ? 1 : 2
            #expect(
                error.code == .unknownSection
                    && error.message
                        == "app.json: line \(line): \"\(name)\" is no section of settings, and nothing in it would count. Did you mean multiIdentity?"
            )
        }
        #expect(try IdentitySettingsFile(json: "{\"identity\": 1, \"multiTenant\": 2}".utf8, path: "").values.isEmpty)
    }

    @Test("are refused where a variable, or code, has a wrong value, and neither is shown", .rule("17.2"))
    func areRefusedElsewhere() throws {
        for (name, text) in [
            ("REQUESTS_AT_ONCE", "s3cret"), ("POLICY_REQUIRED", "1"), ("VALUES_TO_SCRUB", "s3cret"), ("SPREAD", "nan"),
            ("KEYS_TO_SCRUB", "[\"\"]"), ("CLIENT_ID", ""),
        ] {
            let error = try #require(throws: IdentitySettingsError.self) {
                try IdentitySettings(environment: ["MULTI_IDENTITY_\(name)": text])
            }
            #expect(
                error.code == .wrongValue && error.message.hasPrefix("The environment variable MULTI_IDENTITY_\(name)")
            )
            #expect(!error.message.contains("s3cret"))
        }
        let error = try #require(throws: IdentitySettingsError.self) {
            try IdentitySettings(code: [.spread: .text("s3cret")])
        }
        #expect(
            error.message
                == "spread in the program's code has to be a number from 0.0 to 1.0, and is not. Change it there."
        )
    }

    @Test(
        "are those of the table: each is set by its name and its variable, and its default is one that it takes",
        .guide("ADALClientId")
    )
    func areThoseOfTheTable() throws {
        let names = IdentitySetting.all.map(\.name)
        #expect(Set(names).count == names.count && Set(IdentitySetting.all.map(\.variable)).count == names.count)
        for setting in IdentitySetting.all {
            #expect(IdentitySetting.named(setting.name) == setting && !setting.effect.isEmpty)
            guard let standard = setting.standard else { continue }
            let settings = try IdentitySettings(
                code: [setting: standard],
                environment: [setting.variable: standard.description.filter { $0 != "\"" || setting.kind == .texts }],
                file: Self.file("\"\(setting.name)\": \(standard)")
            )
            let explanation = settings.explanation(of: setting)
            #expect(explanation.value == standard && explanation.hidden == [.environment, .file])
        }
    }

    @Test("make the options of a registry", .guide("MultiIdentity"))
    func makeTheOptionsOfARegistry() throws {
        #expect(AccountRegistryOptions(IdentitySettings.standard) == AccountRegistryOptions())
        #expect(IdentitySettings.standard.mode == .multi)
        let settings = try IdentitySettings(
            file: Self.file(
                """
                "mode": "oneManaged", "enrollsAtLaunch": true, "policyRequired": true, "policyWarnAbsent": true,
                "restartsForFirstPolicy": true, "spread": 0, "requestLimit": 1.5, "requestsAtOnce": 3, "lookInterval": 7
                """
            )
        )
        var options = AccountRegistryOptions()
        (options.readiness, options.firstPolicy, options.enrollsAtLaunch) = (.required, .afterRestart, true)
        (options.spread, options.requestLimit, options.requestsAtOnce) = (0, .milliseconds(1_500), 3)
        options.lookInterval = .seconds(7)
        #expect(AccountRegistryOptions(settings) == options && settings.mode == .oneManaged)
        let warning = try IdentitySettings(code: [.policyWarnAbsent: .boolean(true)])
        #expect(AccountRegistryOptions(warning).readiness == .warn)
    }

    @Test("explain themselves, and show no secret", .rule("17.3"))
    func explainThemselves() throws {
        let settings = try IdentitySettings(
            environment: ["MULTI_IDENTITY_VALUES_TO_SCRUB": "[\"s3cret\"]", "MULTI_IDENTITY_SPREAD": "0.5"],
            file: Self.file("\"spread\": 0.25")
        )
        let shown = settings.explanations.map(\.description)
        #expect(shown.count == IdentitySetting.all.count && !shown.contains { $0.contains("s3cret") })
        #expect(shown.contains("spread = 0.5 (MULTI_IDENTITY_SPREAD, before file)"))
        #expect(shown.contains("valuesToScrub = not shown (MULTI_IDENTITY_VALUES_TO_SCRUB)"))
        #expect(shown.contains("authority = none (default)"))
        #expect(shown.contains("mode = \"multi\" (default)"))
    }

    @Test("of a file are refused where it is missing or anybody may write it", .rule("17.2"))
    func ofAFileAreRefused() throws {
        let folder = try DatabaseFolder()
        let path = folder.path("settings.json")
        #expect(throws: IdentitySettingsError.self) { try IdentitySettingsFile(path) }
        try folder.write("{\"multiIdentity\": {\"mode\": \"single\"}}", to: "settings.json", mode: 0o644)
        #expect(try IdentitySettingsFile(path).values == [.mode: .text("single")])
        try folder.write("{}", to: "settings.json", mode: 0o666)
        let error = try #require(throws: IdentitySettingsError.self) { try IdentitySettingsFile(path) }
        #expect(error.code == .unreadableFile && error.message.contains("chmod o-w"))
    }

    @Test(
        "name policies for tests, which a release build refuses unless it is set to take them",
        .rule("17.4"),
        .guide("test policies of debug builds", "DebugSettingsEnabled")
    )
    func namePoliciesForTests() throws {
        #expect(try IdentitySettings.standard.testPolicyFile(isRelease: true) == nil)
        let folder = try DatabaseFolder()
        try folder.write("{\"version\": 1, \"standard\": {}}", to: "test.json", mode: 0o600)
        let named: [IdentitySetting: IdentitySetting.Value] = [.testPolicies: .text(folder.path("test.json"))]
        let settings = try IdentitySettings(code: named)
        #expect(try settings.testPolicyFile()?.current.standard != nil)
        let error = try #require(throws: IdentitySettingsError.self) { try settings.testPolicyFile(isRelease: true) }
        #expect(error.code == .testPoliciesInRelease)
        let allowed = try IdentitySettings(code: named.merging([.allowsTestPolicies: .boolean(true)]) { $1 })
        #expect(try allowed.testPolicyFile(isRelease: true)?.current.standard != nil)
        try folder.write("{}", to: "test.json", mode: 0o600)
        #expect(throws: IdentitySettingsError.self) { try settings.testPolicyFile() }
    }
}

@Suite("A file of settings that is completed") struct CompletedSettingsTests {
    private static let count = IdentitySetting.all.count { $0.standard != nil }

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
        let (after, added) = try IdentitySettingsFile.completed(before, path: "app.json")
        let file = try IdentitySettingsFile(json: after, path: "app.json")
        #expect(file.values.count == Self.count)
        #expect(added.count == Self.count - (text.contains("spread") || text.contains("single") ? 1 : 0))
        if text.contains("spread") { #expect(file.values[.spread] == .number(0.25)) }
        // All that was there is there, in its order.
        var rest = after[...]
        for byte in before {
            let place = try #require(rest.firstIndex(of: byte))
            rest = rest[(place + 1)...]
        }
        if let first = text.split(separator: "\"").first, text.contains("port") {
            #expect(after.starts(with: first.utf8))
        }
        let again = try IdentitySettingsFile.completed(after, path: "app.json")
        #expect(again.text == after && again.added.isEmpty)
    }

    @Test("is set as what stands there is", .rule("17.7")) func isSetAsWhatStandsThere() throws {
        let text = "{\n    \"multiIdentity\": {\n        \"spread\": 0.25\n    },\n    \"port\": 8080\n}\n"
        let lines = String(
            decoding: try IdentitySettingsFile.completed(text.utf8, path: "app.json").text,
            as: UTF8.self
        )
        .split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines[2] == "        \"spread\": 0.25," && lines[3] == "        \"mode\": \"multi\",")
        #expect(lines[lines.count - 5] == "        \"allowsTestPolicies\": false")
        #expect(lines.suffix(4) == ["    },", "    \"port\": 8080", "}", ""])
        let line = try IdentitySettingsFile.completed("{\"port\": 8080}".utf8, path: "app.json").text
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
        #expect(throws: IdentitySettingsError.self) { try IdentitySettingsFile.completed(text.utf8, path: "app.json") }
    }
}
