import MultiIdentity
import MultiIdentityManagement
import Testing

@Suite("A configuration") struct AppConfigurationTests {
    private static func parts(_ values: [AppConfigurationValue], for audience: AppConfiguration.Audience = .targeted)
        -> [AppConfiguration.Part]
    {
        values.enumerated().map { AppConfiguration.Part(["key": $1], for: audience, named: "part \($0)") }
    }

    struct Question: Sendable, CustomTestStringConvertible {
        let values: [AppConfigurationValue]
        let choice: AppConfiguration.Choice
        let string: String?
        let integer: Int64?
        let double: Double?
        var testDescription: String { "\(choice) of \(values)" }

        init(
            _ values: [AppConfigurationValue],
            _ choice: AppConfiguration.Choice,
            _ string: String?,
            _ integer: Int64?,
            _ double: Double?
        ) {
            (self.values, self.choice) = (values, choice)
            (self.string, self.integer, self.double) = (string, integer, double)
        }
    }

    @Test(
        "answers with the first, the least or the greatest of several values",
        .rule("16.2"),
        .guide("app configuration"),
        arguments: [
            Question([], .any, nil, nil, nil), Question([], .min, nil, nil, nil), Question([], .max, nil, nil, nil),
            Question([.integer(7), .text("5"), .number(30)], .any, "7", 7, 7),
            Question([.integer(7), .text("5"), .number(30)], .min, "30.0", 5, 5),
            Question([.integer(7), .text("5"), .number(30)], .max, "7", 30, 30),
            Question([.integer(.max)], .any, "9223372036854775807", .max, 9_223_372_036_854_775_808),
        ]
    )
    func answersWithOneOfSeveralValues(_ question: Question) throws {
        let configuration = AppConfiguration(Self.parts(question.values))
        #expect(configuration.string("key", question.choice) == question.string)
        #expect(try configuration.integer("key", question.choice) == question.integer)
        #expect(try configuration.double("key", question.choice) == question.double)
        #expect(configuration.string("another", question.choice) == nil)
    }

    @Test(
        "combines several Booleans into one",
        .rule("16.2"),
        .guide("app configuration"),
        arguments: [
            ([], nil, nil, nil), ([.boolean(false), .text("TRUE")], false, true, false),
            ([.text("true"), .boolean(true)], true, true, true),
            ([.boolean(false), .text("false")], false, false, false),
        ] as [([AppConfigurationValue], Bool?, Bool?, Bool?)]
    )
    func makesOneBooleanOfSeveral(_ values: [AppConfigurationValue], _ any: Bool?, _ or: Bool?, _ and: Bool?) throws {
        let configuration = AppConfiguration(Self.parts(values))
        #expect(try configuration.boolean("key") == any)
        #expect(try configuration.boolean("key", .or) == or)
        #expect(try configuration.boolean("key", .and) == and)
    }

    @Test("hides the standard value of each key that has a targeted value", .rule("16.2"))
    func hidesWhatEverybodyGets() {
        let configuration = AppConfiguration([
            AppConfiguration.Part(["theme": .text("light"), "size": .integer(3)], for: .standard, named: "all"),
            AppConfiguration.Part(["theme": .text("dark")], named: "pilot"),
        ])
        #expect(configuration.string("theme") == "dark" && configuration.string("size") == "3")
        #expect(configuration.values(of: "theme") == [.text("dark")])
        #expect(!configuration.hasConflict(on: "theme"))
        #expect(configuration.settings(of: "theme").map(\.isInForce) == [false, true])
    }

    @Test("reports a conflict with every value and its source", .rule("16.2"), .guide("app configuration"))
    func tellsOfAConflict() {
        let configuration = AppConfiguration(
            Self.parts([.integer(1)], for: .standard) + Self.parts([.integer(2), .integer(3), .integer(2)])
        )
        #expect(configuration.hasConflict(on: "key"))
        let settings = configuration.settings(of: "key")
        #expect(settings.map(\.value) == [.integer(1), .integer(2), .integer(3), .integer(2)])
        #expect(settings.map(\.part) == ["part 0", "part 0", "part 1", "part 2"])
        #expect(settings.map(\.audience) == [.standard, .targeted, .targeted, .targeted])
        #expect(!AppConfiguration(Self.parts([.integer(2), .integer(2)])).hasConflict(on: "key"))
    }

    @Test(
        "refuses a question if a value in force has another type, and shows no value",
        .rule("16.2"),
        arguments: [.text("s3cret"), .number(.greatestFiniteMagnitude), .boolean(true)] as [AppConfigurationValue]
    )
    func refusesAnotherType(_ value: AppConfigurationValue) throws {
        let configuration = AppConfiguration(Self.parts([.integer(1), value]))
        let failure = #expect(throws: ManagementError.self) { try configuration.integer("key") }
        #expect(failure?.code == .wrongValue && failure?.message.contains("part 1") == true)
        let asBoolean = #expect(throws: ManagementError.self) { try configuration.boolean("key", .or) }
        #expect(asBoolean?.message.contains("part 0") == true)
        for text in ["\(configuration)", failure?.description ?? ""] { #expect(!text.contains("s3cret")) }
        // Values that are not in force prevent no answer.
        let standard = AppConfiguration(Self.parts([value], for: .standard) + Self.parts([.integer(1)]))
        #expect(try standard.integer("key") == 1)
    }

    @Test(
        "treats text as a number only if it is one",
        .rule("16.2"),
        arguments: ["nan", "inf", "1e999", "", " 1", "0x"]
    )
    func takesNoTextForANumber(_ text: String) {
        let configuration = AppConfiguration(Self.parts([.text(text)]))
        #expect(throws: ManagementError.self) { try configuration.double("key") }
        #expect(throws: ManagementError.self) { try configuration.integer("key") }
    }

    @Test("is read with its types, audiences and names", .rule("16.3"))
    func isRead() throws {
        let text = """
            {"version": 1, "parts": [
                {"audience": "targeted", "name": "pilot", "values": {"a": "x", "b": true, "c": -5, "d": 0.5, "e": 1e2}},
                {"audience": "standard", "values": {"a": "y"}}
            ]}
            """
        let expected = AppConfiguration([
            AppConfiguration.Part(
                ["a": .text("x"), "b": .boolean(true), "c": .integer(-5), "d": .number(0.5), "e": .number(100)],
                named: "pilot"
            ),
            AppConfiguration.Part(["a": .text("y")], for: .standard),
        ])
        #expect(try AppConfiguration(json: text.utf8) == expected)
        #expect(expected.keys == ["a", "b", "c", "d", "e"])
    }

    @Test(
        "is read whole or not at all, and an error names the place but not the value",
        .rule("16.3"),
        arguments: [
            ("{", "line 1: notJSON"), ("[]", "line 1: wrongType"), ("{\"version\": 1}", "line 1: missingKey"),
            ("{\"version\": 2,\n \"parts\": []}", "line 1, version: unsupportedVersion"),
            ("{\"version\": 1, \"parts\": [],\n \"other\": 1}", "line 2, other: unknownKey"),
            (part("{\"audience\": \"s3cret\", \"values\": {}}"), "parts[0].audience: unknownWord"),
            (part("{\"audience\": \"targeted\"}"), "parts[0]: missingKey"),
            (part("{\"audience\": \"targeted\", \"values\": {\"k\": [\"s3cret\"]}}"), "parts[0].values.k: wrongType"),
            (part("{\"audience\": \"targeted\", \"values\": {\"k\": null}}"), "parts[0].values.k: wrongType"),
            (part("{\"audience\": \"targeted\", \"values\": {\"k\": 1e999}}"), "parts[0].values.k: wrongType"),
            (part("{\"audience\": \"targeted\", \"values\": {\"é\": 1, \"e\\u0301\": 2}}"), "duplicateKey"),
            (String(repeating: " ", count: 1 << 20 | 1), "1048577 bytes"),
        ]
    )
    func isReadWholeOrNotAtAll(_ text: String, _ place: String) {
        let failure = #expect(throws: ManagementError.self) { try AppConfiguration(json: text.utf8) }
        #expect(
            failure?.code == .malformedText && failure?.message.contains(place) == true,
            "\(failure?.message ?? "")"
        )
        if !place.contains("s3cret") { #expect(failure?.message.contains("s3cret") == false) }
    }

    private static func part(_ text: String) -> String { "{\"version\": 1, \"parts\": [\(text)]}" }
}
