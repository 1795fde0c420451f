import MultiIdentity
import MultiIdentityPolicy
import Testing

@Suite("A text of policies") struct PolicyTextTests {
    private static let whole = """
        {
          "version": 1,
          "allowedAccounts": ["ada@contoso.com", "bob@contoso.com"],
          "standard": {"log": true},
          "identities": {
            "Ada@contoso.com": {
              "saveTo": {
                "localStorage": false, "ownDocuments": true, "spaces": "managed", "other": false,
                "services": {"SharePoint": "ownAccount", "s3.backups": "anyAccount", "box": "refused"}
              },
              "openFrom": {"deviceInput": true, "spaces": ["bob@contoso.com"]},
              "shareWith": "anyone",
              "receiveFrom": "none",
              "log": false,
              "sendOut": true,
              "notify": "withoutDetails",
              "automate": true
            },
            "bob@contoso.com": {"saveTo": "nowhere", "openFrom": "anywhere"},
            "Zo\\u00eb \\ud83d\\ude00": {}
          }
        }
        """

    @Test("can contain everything that can be set") func everything() throws {
        let text = Self.whole
        let expected = PolicySet(
            [
                Users.ada: Policy(
                    saveTo: PlaceRules(
                        ownDocuments: true,
                        services: [
                            try ServiceName("sharepoint"): .ownAccount, try ServiceName("s3.backups"): .anyAccount,
                            try ServiceName("box"): .refused,
                        ],
                        spaces: .managed
                    ),
                    openFrom: PlaceRules(spaces: .only([Users.bob]), deviceInput: true),
                    shareWith: .anyone,
                    sendOut: true,
                    notify: .withoutDetails,
                    automate: true
                ),
                Users.bob: Policy(openFrom: .anywhere),
                Users.named("Zoë 😀"): .nothing,
            ],
            standard: Policy(log: true),
            allowedAccounts: [Users.ada, Users.bob]
        )
        #expect(try PolicySet(json: text.utf8) == expected)
        #expect(try PolicySet(json: [0xEF, 0xBB, 0xBF] + text.utf8) == expected, "with a byte order mark")
        #expect(try PolicySet(json: text.replacing("\n", with: "\r\n").utf8) == expected)
    }

    @Test(
        "without a list of accounts has no limit, and with an empty one allows none",
        .rule("8.4"),
        arguments: [
            (#"{"version": 1}"#, nil), (#"{"version": 1, "allowedAccounts": null}"#, nil),
            (#"{"version": 1, "allowedAccounts": []}"#, []),
        ] as [(String, Set<Identity>?)]
    )
    func accounts(_ text: String, _ expected: Set<Identity>?) throws {
        #expect(try PolicySet(json: text.utf8).allowedAccounts == expected)
    }

    @Test("has each key once, anywhere in the longest text", .rule("8.6")) func hasAKeyOnce() {
        // Reports are JSON of up to 64 MiB, which the same reader reads.
        let long = [UInt8](repeating: 0x78, count: 1 << 24)
        let text = Array("{\"a\": \"".utf8) + long + "\",\n\"b\": 1,\n\"b\": 2}".utf8
        let error = #expect(throws: PolicyTextError.self) { try JSONReader(text) }
        #expect(error?.code == .duplicateKey && error?.line == 3, "\(error.debugDescription)")
    }

    private static let wrong: [(text: String, code: PolicyTextError.Code, line: Int, keyPath: String)] = [
        ("", .notJSON, 1, ""), ("\n\n", .notJSON, 3, ""), ("nul", .notJSON, 1, ""),
        ("{\"version\": 1", .notJSON, 1, ""),
        ("{\"version\": 1,}", .notJSON, 1, ""), ("{\"version\": 1}\n{}", .notJSON, 2, ""),
        ("{\"version\": 01}", .notJSON, 1, ""), ("{\"version\": 1.}", .notJSON, 1, ""),
        ("{'version': 1}", .notJSON, 1, ""),
        ("{\"version\": 1}\n// no comments", .notJSON, 2, ""), ("{\"version\n\": 1}", .notJSON, 1, ""),
        ("{\"\\x\": 1}", .notJSON, 1, ""), ("{\"\\ud83d\": 1}", .notJSON, 1, ""),
        ("{\"\\ude00\\ud83d\": 1}", .notJSON, 1, ""),
        ("{\"\\u00g0\": 1}", .notJSON, 1, ""), ("{\"\\u+123\": 1}", .notJSON, 1, ""),
        ("{\"version\" 1}", .notJSON, 1, ""),
        (String(repeating: "[", count: 100_000), .tooDeep, 1, ""),
        ("[]", .wrongType, 1, ""), ("{}", .missingKey, 1, ""), ("{\"version\": \"1\"}", .wrongType, 1, "version"),
        ("{\"version\": 2}", .unsupportedVersion, 1, "version"),
        ("{\"version\": 1.0}", .unsupportedVersion, 1, "version"),
        ("{\"version\": 1,\n\"version\": 1}", .duplicateKey, 2, ""),
        ("{\"version\": 1,\n\"Version\": 1}", .unknownKey, 2, "Version"),
        ("{\"version\": 1, \"policies\": {}}", .unknownKey, 1, "policies"),
        ("{\"version\": 1, \"allowedAccounts\": \"ada\"}", .wrongType, 1, "allowedAccounts"),
        ("{\"version\": 1, \"allowedAccounts\": [\n1]}", .wrongType, 2, "allowedAccounts[0]"),
        ("{\"version\": 1, \"allowedAccounts\": [\"ada\",\n\"\"]}", .invalidIdentity, 2, "allowedAccounts[1]"),
        ("{\"version\": 1, \"allowedAccounts\": [\"ada\",\n\"ADA\"]}", .duplicateIdentity, 2, "allowedAccounts[1]"),
        ("{\"version\": 1, \"standard\": null}", .wrongType, 1, "standard"),
        ("{\"version\": 1, \"identities\": []}", .wrongType, 1, "identities"),
        ("{\"version\": 1, \"identities\": {\n\"\": {}}}", .invalidIdentity, 2, #"identities[""]"#),
        ("{\"version\": 1, \"identities\": {\"ada\": {},\n\"ada\": {}}}", .duplicateKey, 2, ""),
        (
            "{\"version\": 1, \"identities\": {\"ada@x\": {},\n\"ADA@x\": {}}}", .duplicateIdentity, 2,
            #"identities["ADA@x"]"#
        ),
        (
            "{\"version\": 1, \"identities\": {\"é\": {},\n\"e\u{301}\": {}}}", .duplicateIdentity, 2,
            "identities[\"e\u{301}\"]"
        ),
        ("{\"version\": 1, \"identities\": {\"ada\": {\n\"log\": 1}}}", .wrongType, 2, "identities.ada.log"),
        (
            "{\"version\": 1, \"identities\": {\"ada\": {\n\"notify\": \"all\"}}}", .unknownWord, 2,
            "identities.ada.notify"
        ),
        ("{\"version\": 1, \"identities\": {\"ada\": {\n\"log\": null}}}", .wrongType, 2, "identities.ada.log"),
        ("{\"version\": 1, \"identities\": {\"ada\": {\n\"saveto\": {}}}}", .unknownKey, 2, "identities.ada.saveto"),
        ("{\"version\": 1, \"standard\": {\"saveTo\": \"all\"}}", .unknownWord, 1, "standard.saveTo"),
        ("{\"version\": 1, \"standard\": {\"saveTo\": true}}", .wrongType, 1, "standard.saveTo"),
        (
            "{\"version\": 1, \"standard\": {\"saveTo\": {\"deviceInput\": true}}}", .unknownKey, 1,
            "standard.saveTo.deviceInput"
        ),
        ("{\"version\": 1, \"standard\": {\"shareWith\": true}}", .wrongType, 1, "standard.shareWith"),
        ("{\"version\": 1, \"standard\": {\"shareWith\": \"all\"}}", .unknownWord, 1, "standard.shareWith"),
        (
            "{\"version\": 1, \"standard\": {\"saveTo\": {\"services\": {\"b x\": \"refused\"}}}}", .invalidServiceName,
            1, #"standard.saveTo.services["b x"]"#
        ),
        (
            "{\"version\": 1, \"standard\": {\"saveTo\": {\"services\": {\"box\": \"refused\", \"BOX\": \"refused\"}}}}",
            .duplicateKey, 1, "standard.saveTo.services.BOX"
        ),
        (
            "{\"version\": 1, \"standard\": {\"saveTo\": {\"services\": {\"box\": true}}}}", .wrongType, 1,
            "standard.saveTo.services.box"
        ),
        (
            "{\"version\": 1, \"standard\": {\"saveTo\": {\"services\": {\"box\": \"yes\"}}}}", .unknownWord, 1,
            "standard.saveTo.services.box"
        ),
    ]

    @Test("is refused with the line and the keys that lead to the error", .rule("8.6"), arguments: wrong)
    func refused(_ text: String, _ code: PolicyTextError.Code, _ line: Int, _ keyPath: String) {
        let error = #expect(throws: PolicyError.self) { try PolicySet(json: text.utf8) }
        #expect(error?.code == .invalidText && error?.line == line && error?.keyPath == keyPath)
        let place = "line \(line)\(keyPath.isEmpty ? "" : ", \(keyPath)")"
        #expect(error?.message.hasPrefix("\(place): \(code): ") == true, "\(String(describing: error))")
    }

    @Test("is refused if it is truncated anywhere", .rule("8.6")) func truncated() {
        let whole = Array(Self.whole.utf8)
        for length in 0..<whole.count {
            #expect(throws: PolicyError.self, "of \(length) bytes") { try PolicySet(json: whole[..<length]) }
        }
    }

    @Test("is refused with bytes that are not UTF-8") func notUTF8() {
        for bytes in [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80]] as [[UInt8]] {
            let text = Array("{\"version\": 1,\n\"identities\": {\"a".utf8) + bytes + Array("\": {}}}".utf8)
            let error = expect(throws: PolicyError.Code.invalidText) { try PolicySet(json: text) }
            #expect(error?.line == 2 && error?.message.contains("notJSON") == true)
        }
    }
}
