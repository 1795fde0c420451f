# Settings, what is scrubbed, and telemetry.

FOLDER = "Sources/MultiIdentityManagement/"
SETTINGS = "IdentitySettingsTests"
OVERRIDES = "OverriddenSettingTests"
SCRUBBER = "ScrubberTests"
TELEMETRY = "TelemetryTests"

mutant(
    "file-beats-environment", rule="17.1", breaks="A file hides what the environment says.",
    file=FOLDER + "Settings/IdentitySettings.swift", within="enum Source",
    replace=("        /// An environment variable.\n        case environment\n        /// A file.\n        case file\n",
             "        /// A file.\n        case file\n        /// An environment variable.\n        case environment\n"),
    tests=SETTINGS,
)
mutant(
    "wrong-value-as-it-is", rule="17.2", breaks="A number out of its range is in force.",
    file=FOLDER + "Settings/IdentitySetting+Reading.swift", within="func taking",
    replace=("case (.number(let range), .number(let number)): range.contains(number) ? value : nil", "case (.number, .number): value"),
    tests=SETTINGS,
)
mutant(
    "secret-setting-explained", rule="17.3", breaks="An explanation shows the values to scrub.",
    file=FOLDER + "Settings/IdentitySettings.swift", within="var description", replace=('setting.isSecret ? "not shown" : ', ""),
    tests=SETTINGS,
)
mutant(
    "test-policies-in-release", rule="17.4", breaks="A release build has policies for tests in force.",
    file=FOLDER + "Settings/IdentitySettings+TestPolicies.swift", within="package func testPolicyFile", replace=("if isRelease, !isOn", "if isRelease, false, !isOn"),
    tests=SETTINGS,
)
mutant(
    "completed-twice", rule="17.7", breaks="A setting that the file has is added once more.",
    file=FOLDER + "Settings/IdentitySettingsFile+Completing.swift", within="func completed",
    replace=("before.values[$0] == nil && $0.standard != nil", "$0.standard != nil"),
    tests="CompletedSettingsTests",
)
mutant(
    "any-setting-overridden", rule="17.5", breaks="An account can have a setting of the program of its own.",
    file=FOLDER + "Settings/IdentitySettings.swift", within="func checkOverridable", replace=("if setting.isOverridable { return }", "return"),
    tests=OVERRIDES,
)
mutant(
    "provider-without-override", rule="17.5", breaks="The provider of credentials gets the program's settings for every account.",
    file=FOLDER + "Registry/AccountRegistry+Asking.swift", within="func askProvider", replace=("try given ?? identity.map { try self.settings(of: $0) } ?? settings", "settings"),
    tests=OVERRIDES,
)
mutant(
    "override-lost-by-the-next", rule="17.5", breaks="A second override of an account takes the place of the first.",
    file=FOLDER + "Registry/AccountRegistry+Settings.swift", within="func override", replace=("values[setting] = value", "values = value.map { [setting: $0] } ?? [:]"),
    tests=OVERRIDES,
)
mutant(
    "overlapping-value-left", rule="18.1", breaks="Of two values that overlap, the rest of the second is left.",
    file=FOLDER + "Scrubbing/ScrubbedPatterns.swift", within="func stretches", replace=("last.upperBound >= start {", "last.upperBound > start { continue } else if let last = stretches.last, last.upperBound == start {"),
    tests=SCRUBBER,
)
mutant(
    "start-of-a-value-left", rule="18.1", breaks="The start of a value stays where a text was cut off in it.",
    file=FOLDER + "Scrubbing/ScrubbedPatterns.swift", within="func end", replace=("return cut.map { start + $0 }", "return nil"),
    tests=SCRUBBER,
)
mutant(
    "escaped-value-left", rule="18.1", breaks="A value stays where it is written as messages or JSON have it.",
    file=FOLDER + "Scrubbing/Scrubber.swift", within="func spellings", replace=("return [Array(value.utf8), Array(start.utf8), Array(quoted[1..<(quoted.count - 1)])]", "return [Array(value.utf8)]"),
    tests=SCRUBBER,
)
mutant(
    "event-not-scrubbed", rule="18.2", breaks="What a service says of a failure is stored as it is.",
    file=FOLDER + "Registry/AccountRegistry+Events.swift", within="func note", replace=("scrubber.scrubbed(text)", "text"),
    tests=SCRUBBER,
)
mutant(
    "telemetry-always-on", rule="18.3", breaks="Events are told where telemetry is off.",
    file=FOLDER + "Telemetry/Telemetry.swift", within="init?", replace=("guard settings.isOn(.telemetry), let sink", "guard let sink"),
    tests=TELEMETRY,
)
mutant(
    "request-without-its-time", rule="18.3", breaks="A request has no time, so that it counts as an action.",
    file=FOLDER + "Registry/AccountRegistry+Timers.swift", within="func request", drop="if telemetry != nil { state.times(record.identity, since: time.now) }",
    tests=TELEMETRY,
)

SOCKET = "Sources/MultiIdentityManagement/Diagnostics/ReportSocket.swift"

mutant(
    "report-to-anybody", rule="18.5", breaks="Any user of the machine is given the report.",
    file=SOCKET, within="static func isOurs", replace=("(user == geteuid() || user == 0)", "user < .max"),
    tests="ReportSocketTests",
)
mutant(
    "report-from-anybody", rule="18.5", breaks="Another user's socket passes for the program's.",
    file=SOCKET, within="public init(fromSocket", replace=("guard ReportSocket.isOurs(connection) else", "guard ReportSocket.isOurs(connection) || true else"),
    tests="ReportSocketTests",
)
mutant(
    "report-in-the-place-of-a-file", rule="18.5", breaks="A file that has the socket's name is removed.",
    file=SOCKET, within="private static func listen", replace=(", status.kind == MIF_OTHER", ""),
    tests="ReportSocketTests",
)
mutant(
    "failure-in-full", rule="18.5", breaks="What an error says goes out unscrubbed.",
    file=SOCKET, within="private static func bytes", replace=("Self.code(of: $0)", '"\\($0)"'),
    tests="ReportSocketTests",
)
