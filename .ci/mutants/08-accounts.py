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
    file="Sources/MultiIdentityPolicy/Policies/PolicySet.swift", within="func allows",
    replace=("allowed.contains(identity)", "allowed.isEmpty || allowed.contains(identity)"),
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
AUDITED = "AuditedAccountsTests"
AUDIT_FILE = "AuditFileTests"
AUDITING = "Sources/MultiIdentityProtection/Auditing/"
mutant(
    "refusals-not-audited", rule="8.7", breaks="No auditor hears of a refusal.",
    file=FOLDER + "Accounts/Accounts+Deciding.swift", within="func decide", replace=("!decision.isAllowed", "false"),
    tests=AUDITED,
)
mutant(
    "permissions-audited", rule="8.7", breaks="An auditor hears of what is allowed too.",
    file=FOLDER + "Accounts/Accounts+Deciding.swift", within="func decide", replace=("!decision.isAllowed", "true"),
    tests=AUDITED,
)
mutant(
    "audited-as-itself", rule="8.7", breaks="The actor of an event is whom it is about.",
    file=FOLDER + "Auditing/AuditEvent.swift", within="init(", replace=("self.init(kind, identity, effective.identity,", "self.init(kind, identity, identity,"),
    tests=AUDITED,
)
mutant(
    "failed-switch-is-switched", rule="8.7", breaks="A switch that failed is recorded as one that came about.",
    file=FOLDER + "Switching/IdentitySwitcher.swift", within="func recorded", replace=("result == .success", "true"),
    tests=AUDITED,
)
mutant(
    "audited-by-others-too", rule="8.7", breaks="Each process records what happened in one.",
    file="Sources/MultiIdentityManagement/Registry/AccountRegistry+Events.swift", within="func followEvents",
    replace=("event.origin == state.origin", "true"),
    tests="isAudited",
)
mutant(
    "audit-chain-forgets", rule="8.8", breaks="The digest of a line says nothing of the one before.",
    file=AUDITING + "AuditLine.swift", within="func chain", replace=("chain + text", "Array(text)"),
    tests=AUDIT_FILE,
)
mutant(
    "audit-gap-not-seen", rule="8.8", breaks="Numbers that are missing are passed over.",
    file=AUDITING + "AuditFile+Verifying.swift", within="func pass", replace=("line.number > next", "false"),
    tests=AUDIT_FILE,
)
mutant(
    "audit-end-not-asked-for", rule="8.8", breaks="A position that was kept is not looked for.",
    file=AUDITING + "AuditFile+Verifying.swift", within="func ended", drop="for number in held.keys",
    tests=AUDIT_FILE,
)
mutant(
    "audit-loss-unsaid", rule="8.8", breaks="No line says that some could not be written.",
    file=AUDITING + "AuditFile.swift", within="func record", replace=("state.lost > 0", "false"),
    tests=AUDIT_FILE,
)
mutant(
    "audit-half-lines", rule="8.8", breaks="What was cut off stays in front of the next line.",
    file=AUDITING + "AuditFile.swift", within="func add", replace=("if state.hasRest { try file.truncate(to: state.size) }", ""),
    tests=AUDIT_FILE,
)
mutant(
    "opened-in-the-identitys-name", rule="8.9", breaks="A URL is opened as the identity that wants it.",
    file="Sources/MultiIdentityPolicy/Accounts/Accounts+Opening.swift", within="public func opening", replace=("withIdentity(.nobody, operation)", "withIdentity(identity, operation)"),
    tests="OpenedPlaceTests",
)
mutant(
    "opened-unasked", rule="8.9", breaks="A URL is opened though the policy does not allow it.",
    file="Sources/MultiIdentityPolicy/Accounts/Accounts+Opening.swift", within="public func opening", drop="try decide(.open(from: place), for: identity).check()",
    tests="OpenedPlaceTests",
)
