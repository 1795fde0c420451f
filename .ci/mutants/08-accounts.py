# Accounts and policies: who is managed, who is enrolled, what a policy decides, and the file that policies stand in.

FOLDER = "Sources/MultiIdentityPolicy/"
ACCOUNTS = FOLDER + "Accounts/Accounts.swift"
ALLOWED = FOLDER + "Accounts/Accounts+Allowed.swift"
DECIDING = FOLDER + "Accounts/AccountsView+Deciding.swift"
WATCHING = FOLDER + "Policies/Watching/"
TESTS = "Enrolling|AllowedAccounts|Deciding|DataPlace|PolicyFeed|PolicyFile|PolicyReadings|PolicyText|WatchedFile"

mutant(
    "nobody-managed", rule="8.1", breaks="Nobody is managed where a source names nobody.",
    file=FOLDER + "Accounts/AccountsView.swift", within="func isManaged", drop="if identity.isNobody",
    tests=TESTS,
)
mutant(
    "multi-mode-keeps-levels", rule="8.2", breaks="A mode of many users starts with whatever the levels held.",
    file=ACCOUNTS, within="init(", replace=("mode != .single", "mode == .single"),
    tests=TESTS,
)
mutant(
    "one-managed-is-many", rule="8.2", breaks="Of many users more than one is managed.",
    file=FOLDER + "Accounts/AccountsMode.swift", within="managesOne", replace=("self != .multi", "self == .single"),
    tests=TESTS,
)
mutant(
    "notifications-show-more", rule="8.3", breaks="A notification shows more than the policy says.",
    file=FOLDER + "Accounts/AccountsView+Deciding.swift", within="func outward", replace=("content <= policy.notify", "true"),
    tests="DecidingTests",
)
mutant(
    "second-user-let-in", rule="8.2", breaks="Where one user is managed a second one is enrolled beside the first.",
    file=FOLDER + "Accounts/AccountsState.swift", within="func enroll", drop="enrolled.identities.first",
    tests=TESTS,
)
mutant(
    "own-policy-alone", rule="8.3", breaks="The policy of the identity whose space data goes to is not asked.",
    file=DECIDING, within="func decide", replace=(", inward(…)", ""),
    tests=TESTS,
)
mutant(
    "unlisted-is-other", rule="8.3",
    breaks="A service that is not listed counts as other though it is reached with the managed account.",
    file=FOLDER + "Policies/PlaceRules+Counting.swift", within="func answer",
    replace=("nil: return isReachedAsItself ? asOwnDocuments :", "nil: return"),
    tests=TESTS,
)
mutant(
    "empty-list-allows-all", rule="8.4", breaks="An empty list of allowed accounts is no limit.",
    file=ALLOWED, within="let isAllowed", replace=("= allowed", "= allowed.isEmpty || allowed"),
    tests=TESTS,
)
mutant(
    "closed-for-the-unset-alone", rule="8.5", breaks="With work without an owner refused, that of nobody goes through.",
    file=DECIDING, within="func decide", replace=("|| identity == .nobody", ""),
    tests=TESTS,
)
mutant(
    "broken-file-empties-policies", rule="8.6", breaks="A file that is broken leaves no policies in force.",
    file=WATCHING + "PolicyFile.swift", within="func load",
    replace=("problem = error", "problem = error\npolicies = PolicySet()"),
    tests=TESTS,
)
mutant(
    "overtaken-reading-counts", rule="8.6",
    breaks="A reading that was begun earlier and ends later puts an old file into force.",
    file=WATCHING + "PolicyReadings.swift", within="func end", drop="number > counted",
    tests=TESTS,
)
