# The configuration of accounts: where it comes from, and how questions to it are answered.

FOLDER = "Sources/MultiIdentityManagement/"
QUESTIONS = "AppConfigurationTests"
ACCOUNTS = "ConfiguredAccountTests"

mutant(
    "configuration-after-its-event", rule="16.1", breaks="A configuration is not in force when its event is told.",
    file=FOLDER + "Registry/AccountRegistry+Events.swift", within="func followEvents",
    replace=("if event.status == .configurationReplaced { configure(event.identity) }", ""),
    tests=ACCOUNTS,
)
mutant(
    "configuration-outlives-its-account", rule="16.1", breaks="An account that has left is configured as before.",
    file=FOLDER + "Registry/AccountRegistry+Enrolling.swift", within="func letGoHere", drop="state.configure(identity, nil)",
    tests=ACCOUNTS,
)
mutant(
    "malformed-configuration-counts", rule="16.1", breaks="A text that is no configuration takes the place of the one before.",
    file=FOLDER + "Registry/AccountRegistry+Timers.swift", within="func configured", drop="try checkConfiguration(text)",
    tests=ACCOUNTS,
)
mutant(
    "standard-beats-targeted", rule="16.2", breaks="What everybody gets counts beside what is targeted.",
    file=FOLDER + "Configuration/AppConfiguration.swift", within="func settings",
    replace=("part.audience == .targeted || !isTargeted", "true"),
    tests=QUESTIONS,
)
mutant(
    "another-type-passed-over", rule="16.2", breaks="A value of another type is passed over, and the next one answers.",
    file=FOLDER + "Configuration/AppConfiguration+Questions.swift", within="func read", replace=("throw AppConfigurationError", "continue; throw AppConfigurationError"),
    tests=QUESTIONS,
)
mutant(
    "two-forms-of-a-key", rule="16.3", breaks="Of two keys that Unicode counts as one the last one counts.",
    file=FOLDER + "Configuration/AppConfiguration+JSON.swift", within="init", replace=("forKey: key) != nil", "forKey: key) != nil && false"),
    tests=QUESTIONS,
)
