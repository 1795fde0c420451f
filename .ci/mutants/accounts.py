# Accounts and policies: who is managed, who is enrolled, what a policy decides, and the file that policies stand in.

ACCOUNTS = "Sources/MultiIdentityPolicy/Accounts/Accounts.swift"
ALLOWED = "Sources/MultiIdentityPolicy/Accounts/Accounts+Allowed.swift"
VIEW = "Sources/MultiIdentityPolicy/Accounts/AccountsView.swift"
DECIDING = "Sources/MultiIdentityPolicy/Accounts/AccountsView+Deciding.swift"
FOLDER = "Sources/MultiIdentityPolicy/Policies/"
COUNTING = FOLDER + "PlaceRules+Counting.swift"
RULE = FOLDER + "IdentityRule.swift"
PLACE = FOLDER + "DataPlace.swift"
FEED = FOLDER + "PolicyFeed.swift"
TEXT = FOLDER + "Reading/PolicySet+JSON.swift"
READER = FOLDER + "Reading/PolicyReader.swift"
PARSER = FOLDER + "Reading/JSONParser.swift"
READING = FOLDER + "Watching/PolicyFileReading.swift"
READINGS = FOLDER + "Watching/PolicyReadings.swift"
FILE = FOLDER + "Watching/PolicyFile.swift"
WATCH = FOLDER + "Watching/PolicyFileWatch.swift"
TESTS = "Enrolling|AllowedAccounts|Deciding|DataPlace|PolicyFeed|PolicyFile|PolicyReadings|PolicyText|WatchedFile"

mutant(
    "multi-mode-keeps-levels",
    "Multi-identity mode starts with whatever the levels held.",
    TESTS, ACCOUNTS,
    "        if mode == .multi {\n            levels.process = nil", "        if mode == .single {\n            levels.process = nil",
)
mutant(
    "second-user-let-in",
    "In single-identity mode a second user is enrolled beside the first.",
    TESTS, ACCOUNTS,
    "if let other = enrolled.identities.first { return other }", "",
)
mutant(
    "process-level-unset-on-leaving",
    "Whoever leaves takes with them what the process level held before.",
    TESTS, ACCOUNTS,
    "levels.process = before.map { IdentityRevocation.isRevoked($0) ? .nobody : $0 }", "levels.process = nil",
)
mutant(
    "leaving-overwrites-the-level",
    "Whoever leaves resets a process level that somebody has set since.",
    TESTS, ACCOUNTS,
    "if levels.process == identity {", "if levels.process != nil {",
)
mutant(
    "enrolled-though-not-allowed",
    "An account that the list does not have is enrolled.",
    TESTS, ACCOUNTS,
    "if let allowed = policies.allowedAccounts, !allowed.contains(identity) {",
    "if let allowed = policies.allowedAccounts, allowed.isEmpty {",
)
mutant(
    "enrolled-without-a-policy",
    "A user is enrolled whom no policy is for.",
    TESTS, ACCOUNTS,
    "if policies.policy(of: identity) == nil {", "if policies.policies.isEmpty {",
)
mutant(
    "nobody-enrolled",
    "Nobody is enrolled.",
    TESTS, ACCOUNTS,
    "        if identity.isNobody {\n            throw AccountsError(", "        if identity == nil {\n            throw AccountsError(",
)
mutant(
    "enrolled-though-revoked",
    "Who was signed out, or is being wiped, is enrolled.",
    TESTS, ACCOUNTS,
    "            try IdentityRevocation.admit(identity)\n", "            try IdentityRevocation.admit(.nobody)\n",
)
mutant(
    "revoked-comes-back",
    "The process level holds somebody again who was revoked meanwhile.",
    TESTS, ACCOUNTS,
    "levels.process = before.map { IdentityRevocation.isRevoked($0) ? .nobody : $0 }", "levels.process = before",
)
mutant(
    "nobody-managed",
    "Nobody is managed where a source names nobody.",
    TESTS, VIEW,
    "        if identity.isNobody { return false }\n", "",
)
mutant(
    "all-of-the-source-managed-in-single-mode",
    "In single-identity mode whoever the source names is managed.",
    TESTS, VIEW,
    "return mode == .multi && policies.policies[identity] != nil", "return policies.policies[identity] != nil",
)
mutant(
    "free-by-a-lost-policy",
    "Whoever is enrolled and loses their policy has no limits.",
    TESTS, VIEW,
    "return policies.policy(of: identity) ?? .nothing", "return policies.policy(of: identity)",
)
mutant(
    "empty-list-allows-all",
    "An empty list of allowed accounts is no limit.",
    TESTS, ALLOWED,
    "let isAllowed = allowed.contains(account)", "let isAllowed = allowed.isEmpty || allowed.contains(account)",
)
mutant(
    "unchanged-list-told",
    "A change of policies that leaves the allowed accounts as they are is told.",
    TESTS, ALLOWED,
    "guard before.allowedAccounts != now.allowedAccounts else { return }", "guard before != now else { return }",
)
mutant(
    "closed-for-the-unset-alone",
    "With work without an owner refused, that of nobody goes through.",
    TESTS, DECIDING,
    "withoutOwner == .closed, identity == nil || identity == .nobody", "withoutOwner == .closed, identity == nil",
)
mutant(
    "own-policy-alone",
    "The policy of the identity whose space data goes to is not asked.",
    TESTS, DECIDING,
    "[outward(question, identity), inward(question, identity)]", "[outward(question, identity)]",
)
mutant(
    "last-rule-decides",
    "A rule that refuses is outvoted by a later one.",
    TESTS, DECIDING,
    "findings.first(where: { !$0.isAllowed }) ?? findings.last", "findings.last",
)
mutant(
    "opened-by-receiving",
    "Opening from an identity's space asks whom that receives from.",
    TESTS, DECIDING,
    "case .open(let place): (place.owner, false)", "case .open(let place): (place.owner, true)",
)
mutant(
    "saved-to-a-camera",
    "Data is saved to device input where all places are allowed.",
    TESTS, DECIDING,
    "if place.kind == .deviceInput {", "if place.kind == .deviceInput, !policy.saveTo.deviceInput {",
)
mutant(
    "same-name-elsewhere-is-own",
    "The same name at another service counts as the account itself.",
    TESTS, COUNTING,
    "let isReachedAsItself = place.account == .identity(identity)",
    """let isReachedAsItself =
            if case .foreign(let name, _) = place.account { (try? Identity(name)) == identity } else {
                place.account == .identity(identity)
            }""",
)
mutant(
    "unlisted-is-other",
    "A service that is not listed counts as other though it is reached with the managed account.",
    TESTS, COUNTING,
    "case nil: return isReachedAsItself ? asOwnDocuments : asOther", "case nil: return asOther",
)
mutant(
    "own-account-for-anybody",
    "A service for the own account alone is reached with any.",
    TESTS, COUNTING,
    "case .ownAccount? where !isReachedAsItself: return asOther", "case .ownAccount? where false: return asOther",
)
mutant(
    "managed-admits-all",
    "A rule for managed identities admits unmanaged ones.",
    TESTS, RULE,
    "case .managed: isManaged", "case .managed: identity != nil",
)
mutant(
    "local-storage-with-account",
    "Local storage takes an account.",
    TESTS, PLACE,
    "case .service, .other: break\n        case .localStorage, .deviceInput, .space:",
    "case .service, .other, .localStorage: break\n        case .deviceInput, .space:",
)
mutant(
    "unchanged-set-published",
    "A publication that changes nothing is told.",
    TESTS, FEED,
    "            if state.current == policies { return false }\n", "",
)
mutant(
    "told-out-of-order",
    "Changes that are published while others are told are told out of order.",
    TESTS, FEED,
    "let first = state.untold.removeFirst()", "let first = state.untold.removeLast()",
)
mutant(
    "unknown-key-passed-over",
    "A key that means nothing is passed over, and its policy with it.",
    TESTS, READER,
    "guard known.contains(member.key) else {", "guard known.contains(member.key) || member.line > 1 else {",
)
mutant(
    "two-spellings-kept",
    "An identity that is there in two spellings has the last policy.",
    TESTS, TEXT,
    "if let index = policies.index(forKey: identity) { throw member.reader.duplicate(of: policies[index].key) }", "",
)
mutant(
    "missing-list-allows-none",
    "Policies without a list of accounts allow none.",
    TESTS, TEXT,
    "        standard = try members[\"standard\"]", "        allowedAccounts = allowedAccounts ?? []\n        standard = try members[\"standard\"]",
)
mutant(
    "duplicate-key-wins",
    "Of two members of one key the last counts.",
    TESTS, PARSER,
    "if let first = lines.updateValue(line, forKey: Array(key.utf8)) {",
    "if let first = lines.updateValue(line, forKey: Array(key.utf8)), first < 0 {",
)
mutant(
    "writable-by-all",
    "A file that anybody may write sets the policies.",
    TESTS, READING,
    "guard before.st_mode & S_IWOTH == 0 else {", "guard before.st_mode & S_ISVTX == 0 else {",
)
mutant(
    "overtaken-reading-counts",
    "A reading that was begun earlier and ends later puts an old file into force.",
    TESTS, READINGS,
    "        guard number > counted else { return false }\n", "",
)
mutant(
    "unreadable-once-and-for-all",
    "A file that the system refused to read is not tried again.",
    TESTS, READINGS,
    "if let problem, problem.code == .unreadable || problem.code == .missing { return .tryAgain(known: problem) }", "",
)
mutant(
    "broken-file-empties-policies",
    "A file that is broken leaves no policies in force.",
    TESTS, FILE,
    "            problem = error\n        }\n        let tells", "            problem = error\n            policies = PolicySet()\n        }\n        let tells",
)
mutant(
    "known-problem-told-again",
    "A file that stays unreadable is told of each time.",
    TESTS, FILE,
    "if let problem = load(), problem != known { tell(problem) }", "_ = known\n            if let problem = load() { tell(problem) }",
)
mutant(
    "links-not-followed",
    "Only the folder of the file's own name is watched, not those where links lead.",
    TESTS, FOLDER + "Watching/LinkChain.swift",
    "followed < 40", "followed < 0",
)
