import MultiIdentity
import MultiIdentityPolicy
import MultiIdentityTesting
import Testing

@_spi(Settings) @testable import MultiIdentityManagement

@Suite("A management configuration") struct ManagementConfigurationTests {
    private static func configuration(
        _ section: String,
        _ environment: [String: String] = [:]
    ) throws -> ManagementConfiguration {
        let text = "{\"port\": 8080,\n\"multiIdentity\": {\n\(section)\n}}"
        return try ManagementConfiguration(json: text.utf8, path: "app.json", environment: environment)
    }

    @Test(
        "has each setting from the first of code, override, environment, file and default",
        .rule("17.1"),
        .guide("settings in the app's property list")
    )
    func hasEachFromTheFirst() throws {
        let (section, variable) = (
            "\"authority\": \"file\"", ["MULTI_IDENTITY_AUTHORITY": "environment", "PATH": "/bin"]
        )
        let own = AccountSettings(authority: "override")
        let file = try Self.configuration(section)
        let all = try Self.configuration(section, variable)
        // Code takes precedence even if it sets the value that was there already, or none.
        for value in ["code", "environment", nil] {
            var inCode = all
            inCode.authority = value
            #expect(AccountSettings(inCode, overriddenBy: own).authority == value)
            let shown = value.map { "\"\($0)\"" } ?? "none"
            #expect(
                inCode.explanation(of: .authority)
                    == "\(shown) (code, before MULTI_IDENTITY_AUTHORITY and app.json: line 3)"
            )
        }
        #expect(AccountSettings(all, overriddenBy: own).authority == "override")
        #expect(AccountSettings(all).authority == "environment" && AccountSettings(file).authority == "file")
        #expect(
            all.explanation(of: .authority) == "\"environment\" (MULTI_IDENTITY_AUTHORITY, before app.json: line 3)"
        )
        #expect(file.explanation(of: .authority) == "\"file\" (app.json: line 3)")
        #expect(ManagementConfiguration().explanation(of: .authority) == "none (default)")
    }

    @Test(
        "warns of an unknown key, with the nearest known one",
        .rule("17.2"),
        .guide("all others", "the configurator")
    )
    func warnsOfUnknownKeys() throws {
        let configuration = try Self.configuration(
            "\"policyRequird\": true,\n\"colour\": \"red\",\n\"jitter\": 0",
            ["MULTI_IDENTITY_JITTR": "true", "MULTI_IDENTITY_ROOT": "/srv", "JITTER": "false"]
        )
        #expect(
            configuration.warnings == [
                "app.json: line 3: \"policyRequird\" is not a setting and has no effect. Did you mean policyRequired?",
                "app.json: line 4: \"colour\" is not a setting and has no effect. Remove it.",
                "\"MULTI_IDENTITY_JITTR\" is not a setting and has no effect. Did you mean MULTI_IDENTITY_JITTER?",
            ]
        )
        #expect(configuration.jitter == 0 && !configuration.policyRequired)
    }

    @Test("warns of a setting outside its section unless the section has it too, and of nested sections", .rule("17.2"))
    func warnsOfStrays() throws {
        let text = """
            {"policyRequired": true, "mode": "dark", "PolicyRequired": 1,
            "app": {"multiIdentity": {"jitter": 0}, "mode": 1}, "multiIdentity": {"mode": "single"}}
            """
        let configuration = try ManagementConfiguration(json: text.utf8, path: "app.json")
        #expect(!configuration.policyRequired && configuration.mode == .single && configuration.jitter == 0.05)
        #expect(
            configuration.warnings == [
                "app.json: line 1: \"policyRequired\" has no effect outside \"multiIdentity\". Move it into that section.",
                "app.json: line 2: \"multiIdentity\" has no effect inside another member. Move it to the top.",
            ]
        )
    }

    @Test(
        "is refused if a file has a wrong type or value, by file, line and key and without the value",
        .rule("17.2"),
        arguments: [
            ("\"jitter\": 1.5", "app.json: line 3, multiIdentity.jitter: Expected a number from 0.0 to 1.0"),
            (
                "\n\"policyRequired\": \"s3cret\"",
                "app.json: line 4, multiIdentity.policyRequired: Expected true or false"
            ),
            ("\"mode\": \"s3cret\"", "app.json: line 3, multiIdentity.mode: Expected one of \"single\""),
            (
                "\"maxConcurrentRequests\": 2.5",
                "app.json: line 3, multiIdentity.maxConcurrentRequests: Expected a whole number from 1"
            ),
            ("\"authority\": \"\"", "app.json: line 3, multiIdentity.authority: Expected one line of text"),
            (
                "\"authority\": \"s3cret\\nline\"",
                "app.json: line 3, multiIdentity.authority: Expected one line of text"
            ),
            ("\"authority\": null", "app.json: line 3, multiIdentity.authority: Expected one line of text"),
            ("\"valuesToScrub\": [1]", "app.json: line 3, multiIdentity.valuesToScrub[0]: Expected a string"),
            (
                "\"valuesToScrub\": \"s3cret\"",
                "app.json: line 3, multiIdentity.valuesToScrub: Expected a list of texts"
            ),
            (
                "\"requestTimeout\": 1e999",
                "app.json: line 3, multiIdentity.requestTimeout: Expected a number from 0.001"
            ),
            ("\"offlineWipeDays\": -1", "app.json: line 3, multiIdentity.offlineWipeDays: Expected a number from 0.0"),
        ]
    )
    func isRefusedInAFile(_ section: String, _ start: String) throws {
        let error = try #require(throws: ManagementError.self) { try Self.configuration(section) }
        #expect(error.code == .wrongValue && error.message.hasPrefix(start), "\(error)")
        #expect(!error.message.contains("s3cret"))
    }

    @Test(
        "is refused if the text is no JSON, without showing the text",
        .rule("17.2"),
        arguments: ["", "[]", "{\"multiIdentity\": s3cret}", "{\"multiIdentity\": {\"mode\": \"a\", \"mode\": \"b\"}}"]
    )
    func isRefusedInNoJSON(_ text: String) throws {
        let error = try #require(throws: ManagementError.self) {
            try ManagementConfiguration(json: text.utf8, path: "app.json")
        }
        #expect([.malformedText, .wrongValue].contains(error.code) && error.message.hasPrefix("app.json: line 1"))
        #expect(!error.message.contains("s3cret"))
    }

    @Test(
        "is refused if a section's name is nearly right, with the right one",
        .rule("17.2"),
        arguments: [
            "MultiIdentity", "multi-identity", "multi_identity", "multiidentity", "MULTI_IDENTITY", "multiIdentities",
            "multiIdentitySettings", "IntuneMAMSettings",
        ]
    )
    func isRefusedInANearSection(_ name: String) throws {
        for other in ["", "\"multiIdentity\": {},\n"] {
            let error = try #require(throws: ManagementError.self) {
                try ManagementConfiguration(
                    json: "{\(other)\"\(name)\": {\"policyRequired\": true}}".utf8,
                    path: "app.json"
                )
            }
            let line = other.isEmpty ? 1 : 2
            #expect(
                error.code == .malformedText
                    && error.message
                        == "app.json: line \(line): \"\(name)\" is not a section of settings, and its content would be ignored. Did you mean multiIdentity?"
            )
        }
        let others = "{\"identity\": 1, \"multiTenant\": 2, \"settings\": {}, \"myIdentity\": {}}"
        #expect(try ManagementConfiguration(json: others.utf8, path: "").warnings.isEmpty)
    }

    @Test("is refused if a variable has a wrong value, which is not shown", .rule("17.2"))
    func isRefusedInTheEnvironment() throws {
        for (name, text) in [
            ("MAX_CONCURRENT_REQUESTS", "s3cret"), ("POLICY_REQUIRED", "1"), ("VALUES_TO_SCRUB", "s3cret"),
            ("JITTER", "nan"),
            ("KEYS_TO_SCRUB", "[\"\"]"), ("CLIENT_ID", ""), ("MODE", "\"single\""),
        ] {
            let error = try #require(throws: ManagementError.self) {
                try ManagementConfiguration(environment: ["MULTI_IDENTITY_\(name)": text])
            }
            #expect(
                error.code == .wrongValue && error.message.hasPrefix("The environment variable MULTI_IDENTITY_\(name)")
            )
            #expect(!error.message.contains("s3cret"))
        }
    }

    @Test(
        "has a property for each row of the table, which a file and a variable set, and code overrides both",
        .rule("17.1"),
        .guide("ADALClientId", "MultiIdentity")
    )
    func hasAPropertyForEach() throws {
        let other: [ManagementSetting: String] = [
            .mode: "\"single\"", .jitter: "0.25", .maxConcurrentRequests: "3", .authority: "\"a\"", .clientID: "\"b\"",
            .redirectURI: "\"c\"", .valuesToScrub: "[\"e\"]", .keysToScrub: "[\"f\"]",
            .testPolicies: "\"g\"",
        ]
        #expect(Set(ManagementSetting.allCases.map(\.variable)).count == ManagementSetting.allCases.count)
        for setting in ManagementSetting.allCases {
            let value = other[setting] ?? (setting.standard == "false" ? "true" : "1.5")
            let bare = setting.kind.isText ? String(value.dropFirst().dropLast()) : value
            let file = try Self.configuration("\"\(setting)\": \(value)")
            let both = try Self.configuration("\"\(setting)\": \(value)", [setting.variable: bare])
            for other in ManagementSetting.allCases {
                #expect(file.kindText(other) == (other == setting ? value : other.standard))
                #expect(file.source(of: other) == (other == setting ? .file : .standard))
            }
            #expect(both.kindText(setting) == value && both.source(of: setting) == .environment)
            // Set in code, by the property and by nothing else.
            var inCode = both
            try setting.kind.read(JSONReader(value.utf8), into: &inCode)
            #expect(ManagementSetting.allCases.filter { inCode.source(of: $0) == .code } == [setting])
        }
    }

    @Test("has units if a type has them, and nothing for never") func hasUnits() throws {
        let section =
            "\"requestTimeout\": 1.5, \"heartbeatTimeout\": 0.25, \"offlineWarnDays\": 0.5, \"offlineBlockDays\": 0"
        let configuration = try Self.configuration(section)
        #expect(
            configuration.requestTimeout == .milliseconds(1_500) && configuration.heartbeatTimeout == .milliseconds(250)
        )
        #expect(configuration.offlineWarn == .seconds(43_200) && configuration.offlineBlock == nil)
    }

    @Test("explains itself, and shows no secret", .rule("17.3")) func explainsItself() throws {
        let configuration = try Self.configuration(
            "\"jitter\": 0.25",
            ["MULTI_IDENTITY_VALUES_TO_SCRUB": "[\"s3cret\"]", "MULTI_IDENTITY_JITTER": "0.5"]
        )
        let lines = "\(configuration)".split(separator: "\n")
        #expect(lines.count == ManagementSetting.allCases.count)
        #expect(lines.contains("jitter = 0.5 (MULTI_IDENTITY_JITTER, before app.json: line 3)"))
        #expect(lines.contains("valuesToScrub = not shown (MULTI_IDENTITY_VALUES_TO_SCRUB)"))
        #expect(lines.contains("authority = none (default)") && lines.contains("mode = \"multi\" (default)"))
        var dumped = ""
        dump(configuration, to: &dumped)
        let shown = [dumped, "\(configuration)", String(reflecting: configuration)]
        #expect(!shown.contains { $0.contains("s3cret") } && configuration.shownValue(of: .valuesToScrub) == nil)
    }

    @Test("from a file is refused if the file is missing or writable by others", .rule("17.2"))
    func ofAFileIsRefused() throws {
        let folder = try DatabaseFolder()
        let path = folder.path("settings.json")
        #expect(throws: ManagementError.self) { try ManagementConfiguration(file: path) }
        try folder.write("{\"multiIdentity\": {\"mode\": \"single\"}}", to: "settings.json", mode: 0o644)
        #expect(try ManagementConfiguration(file: path).mode == .single)
        try folder.write("{}", to: "settings.json", mode: 0o666)
        let error = try #require(throws: ManagementError.self) { try ManagementConfiguration(file: path) }
        #expect(error.code == .unreadableFile && error.message.contains("chmod o-w"))
    }

    @Test(
        "names policies for tests, which a release build refuses unless set to accept them",
        .rule("17.4"),
        .guide("test policies of debug builds", "DebugSettingsEnabled")
    )
    func namesPoliciesForTests() throws {
        var configuration = ManagementConfiguration()
        #expect(try configuration.testPolicyFile(isRelease: true) == nil)
        let folder = try DatabaseFolder()
        try folder.write("{\"version\": 1, \"standard\": {}}", to: "test.json", mode: 0o600)
        configuration.testPolicies = folder.path("test.json")
        #expect(try configuration.testPolicyFile()?.current.standard != nil)
        let error = #expect(throws: ManagementError.self) {
            try configuration.testPolicyFile(isRelease: true)
        }
        #expect(error?.code == .testPoliciesInRelease)
        configuration.allowsTestPolicies = true
        #expect(try configuration.testPolicyFile(isRelease: true)?.current.standard != nil)
        try folder.write("{}", to: "test.json", mode: 0o600)
        #expect(throws: ManagementError.self) { try configuration.testPolicyFile() }
    }
}

extension ManagementConfiguration {
    func kindText(_ setting: ManagementSetting) -> String? { setting.kind.text(of: self) }
}
