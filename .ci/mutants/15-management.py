# Management: who is registered, when requests are made, who leaves, what is kept.

FOLDER = "Sources/MultiIdentityManagement/"
REGISTRY = FOLDER + "Registry/AccountRegistry"
MONTH = "hasNoMissedNoDoubleAndNoEarlyRequest"
ONE_USER = "hasNoRequestWhileOneIsEnrolled"
FLEET = "hasEachTimerOnceAmongThree"

mutant(
    "registered-and-asked-again", rule="15.1", breaks="An account that is registered again has a second request at once.",
    file=REGISTRY + "+Registering.swift", within="func begin", replace=("record.lease == nil", "true"),
    tests="hasOneRequestAtATime",
)
mutant(
    "any-account-is-work", rule="15.1", breaks="The classifier is not asked.",
    file=REGISTRY + "+Registering.swift", within="func begin", replace=("classifier.isWorkAccount(identity)", "!identity.isNobody"),
    tests="isAWorkAccountIsSomebodyAndIsNotRevoked",
)
mutant(
    "retried-early", rule="15.2", breaks="A failed request is made again after 23 hours.",
    file=REGISTRY + "Options.swift", within="struct AccountRegistryOptions", replace=("24 * 3_600", "23 * 3_600"),
    tests=MONTH,
)
mutant(
    "timers-wait-for-each-other", rule="15.2", breaks="The timers wait for the end of a request before they make the next one.",
    file=REGISTRY + "+Timers.swift", within="func run",
    replace=(
        "Task.detached(executorPreference: executor) { [self] in await request(record, with: nil) state",
        "do { await request(record, with: nil); state",
    ),
    tests=MONTH,
)
mutant(
    "tried-beside-the-one-user", rule="15.2", breaks="A request that lost its turn to the one user sets its own next one.",
    file=REGISTRY + "+Timers.swift", within="func finish", replace=("now.lease == record.lease", "true"),
    tests=ONE_USER,
)
mutant(
    "others-go-on", rule="15.2", breaks="Who is not enrolled is tried on while the one user is.",
    file=REGISTRY + "+Accepting.swift", within="func write", replace=("try transaction.setDueOfRegistered(nil)", "_ = 0"),
    tests=ONE_USER,
)
mutant(
    "others-never-again", rule="15.2", breaks="Nobody is tried when the one user has left.",
    file=REGISTRY + "+Enrolling.swift", within="func hasOthersTried", drop="try transaction.put(other)",
    tests=ONE_USER,
)
mutant(
    "spread-too-far", rule="15.3", breaks="Timers are spread by three times what is set.",
    file=FOLDER + "Registry/RegistryTime.swift", within="func next", replace=("interval * share", "interval * share * 3"),
    tests=MONTH,
)
mutant(
    "checked-at-each-start", rule="15.3", breaks="A restart has every policy checked at once.",
    file=REGISTRY + ".swift", within="func enrollAgain", replace=("!enrollHere(record)", "enrollHere(record)"),
    tests=MONTH,
)
mutant(
    "left-for-years", rule="15.3", breaks="What a clock that was ahead put off stays put off.",
    file=REGISTRY + "+Timers.swift", within="func claimDue", drop="try bringForward(transaction)",
    tests="byAClockThatWasAhead",
)
mutant(
    "never-prompted", rule="15.4", breaks="A provider without a credential is asked again without a prompt.",
    file=REGISTRY + "+Asking.swift", within="func anyCredential", replace=("prompting: true", "prompting: false"),
    tests="byLoggingIn",
)
mutant(
    "service-not-told", rule="15.5", breaks="The service does not hear that an account was deregistered.",
    file=REGISTRY + "+Leaving.swift", within="func deregister", replace=("tellService(account, credential)", "_ = credential"),
    tests="byBeingDeregistered",
)
mutant(
    "enrolled-over-there", rule="15.5", breaks="What the service accepted for who has left meanwhile stays accepted.",
    file=REGISTRY + "+Accepting.swift", within="func letGoUnlessWanted", drop="tellService(identity, credential)",
    tests="whileItsRequestRuns",
)
mutant(
    "asked-for-who-left", rule="15.5", breaks="The service is asked for an account that left while its credential was asked for.",
    file=REGISTRY + "+Timers.swift", within="func part", replace=("isOurs, !state.hasEnded", "isOurs || !state.hasEnded"),
    tests=ONE_USER,
)
mutant(
    "removed-and-at-work", rule="15.6", breaks="An account that left from outside may go on working.",
    file=REGISTRY + "+Leaving.swift", within="func leave", drop="revoke(identity",
    tests="fromOutside",
)
mutant(
    "wiped-twice-at-once", rule="15.6", breaks="A wipe that takes longer than a lease is begun a second time.",
    file=REGISTRY + "+Leaving.swift", within="func renew", replace=("try transaction.put(now)", "_ = now"),
    tests="byAWipeThatTakesLong",
)
mutant(
    "ended-without-an-event", rule="15.7", breaks="A request that changed nothing ends without an event.",
    file=REGISTRY + "+Timers.swift", within="func finish", drop="try note(record.identity",
    tests=MONTH,
)
mutant(
    "delegate-out-of-turn", rule="15.7", breaks="The delegate hears of each event twice.",
    file=REGISTRY + "+Events.swift", within="func followEvents",
    replace=("delegate?.registry(self, hadEvent: event)", "delegate?.registry(self, hadEvent: event); delegate?.registry(self, hadEvent: event)"),
    tests="byManyAtOnce",
)
mutant(
    "begins-without-a-policy", rule="15.8", breaks="Work begins without the policy that is required.",
    file=REGISTRY + "+Readiness.swift", within="func admit", replace=("options.readiness == .open ||", "options.readiness != .warn ||"),
    tests="beginsNoWork",
)
mutant(
    "restart-wanted-each-time", rule="15.9", breaks="Each policy wants a restart, and not the first alone.",
    file=REGISTRY + "+Accepting.swift", within="func write", replace=("!now.hadPolicy", "now.runs > 0"),
    tests=MONTH,
)
mutant(
    "forgotten-with-the-process", rule="15.10", breaks="A request whose process ended is never made again.",
    file=REGISTRY + "+Registering.swift", within="func lease", replace=("time.now.advanced(by: options.leaseTime)", "nil"),
    tests=MONTH,
)
mutant(
    "lease-of-a-second", rule="15.10", breaks="A lease ends before the request can have.",
    file=REGISTRY + "+Registering.swift", within="func lease", replace=("options.leaseTime", ".seconds(1)"),
    tests=FLEET,
)
mutant(
    "events-of-others-untold", rule="15.10", breaks="A process passes over every second event.",
    file=FOLDER + "Registry/RegistryState.swift", within="func tell", replace=("event.number > told", "event.number > told && event.number % 2 == 0"),
    tests=FLEET,
)
mutant(
    "readable-by-all", rule="15.10", breaks="The database is readable for every user of the machine.",
    file=FOLDER + "Store/SQLiteConnection.swift", within="init", replace=("0o600", "0o644"),
    tests="liesInAFileOfItsOwn",
)
mutant(
    "asked-again-at-once", rule="15.10", breaks="A store that fails is asked again at once, for ever.",
    file=REGISTRY + "+Timers.swift", within="func run", replace=("claimed == nil ||", ""),
    tests="byAStoreThatFails",
)
mutant(
    "half-a-transaction", rule="15.10", breaks="What a transaction changed stays where it throws.",
    file=FOLDER + "Store/SQLiteConnection.swift", within="func between", replace=('"ROLLBACK"', '"COMMIT"'),
    tests="keepsNothingOfATransactionThatThrows",
)
mutant(
    "change-unheard", rule="15.10", breaks="A change of another process is seen when time has passed, and not when the store says so.",
    file=REGISTRY + "+Timers.swift", within="func run", replace=("{ [state] in state.wake() }", "{ }"),
    tests="thatHearsOfAnotherProcess",
)
mutant(
    "confirmed-by-a-failure", rule="18.4", breaks="A check that failed makes a policy young.",
    file=REGISTRY + "+Timers.swift", within="func finish", replace=("if status == .policyUnchanged {", "do {"),
    tests="tellsHowOldAPolicyIs",
)
mutant(
    "never-confirmed", rule="18.4", breaks="The age of a policy counts from the enrolment.",
    file=REGISTRY + "+Timers.swift", within="func finish", replace=("if status == .policyUnchanged {", "if false {"),
    tests="tellsHowOldAPolicyIs",
)
mutant(
    "settled-unheard", rule="15.11", breaks="A removal counts as settled though other processes have not heard of it.",
    file=REGISTRY + "+Settling.swift", within="func areOthersSettled", replace=("$0.settled >= number ||", "true ||"),
    tests="isSettledOnceEveryProcessHasHeard",
)
mutant(
    "settled-at-work", rule="15.11", breaks="A removal counts as settled though work of the account runs.",
    file=REGISTRY + "+Settling.swift", within="func settle(", replace=("IdentityRevocation.workInFlight(of: $0).isDrained", "true"),
    tests="waitsForWorkThatHadBegun",
)
mutant(
    "gone-and-waited-for", rule="15.11", breaks="A process that is gone is waited for.",
    file=REGISTRY + "+Settling.swift", within="func areOthersSettled", replace=("$0.until < time.now", "false"),
    tests="waitsForNoProcessThatIsGone",
)
mutant(
    "ended-and-waited-for", rule="15.11", breaks="A process that ends stays among those that are waited for.",
    file=REGISTRY + "+Settling.swift", within="func endPresence", replace=("try transaction.removeProcess(state.origin)", "_ = transaction"),
    tests="waitsForNoProcessThatIsGone",
)
mutant(
    "there-too-late", rule="15.11", breaks="A process is there only after it has read who is enrolled.",
    file=REGISTRY + ".swift", within="func start", replace=("try showPresence()", "_ = 0"),
    tests="isHeardOfByAProcessThatIsStarting",
)
mutant(
    "admitted-out-of-touch", rule="15.11", breaks="A process that does not reach the store goes on admitting work.",
    file=REGISTRY + "+Settling.swift", within="func requirePresence", replace=("ContinuousClock.now < until", "until == until"),
    tests="cannotBeMissedAtWork",
)
mutant(
    "removal-not-written", rule="15.11", breaks="A removal that the store did not take is no error.",
    file=REGISTRY + "+Leaving.swift", within="func leave", replace=("throw AccountRegistryError(failure)", "_ = failure"),
    tests="thatTheStoreDoesNotTake",
)
mutant(
    "revoked-and-passed-over", rule="15.11", breaks="Who is revoked here and not registered is not written down as removed.",
    file=REGISTRY + "+Leaving.swift", within="func writeRemoval",
    replace=("if record?.stage == .wiping {", "if record?.stage == .wiping || record == nil && IdentityRevocation.isRevoked(identity) {"),
    tests="isToldToOthers",
)
mutant(
    "alias-of-a-claim", rule="15.12", breaks="A claim under an alias makes another identity.",
    file="Sources/MultiIdentity/Identity/Identity+Verification.swift", within="verifiedBy verification",
    replace=("let plain = IdentitySpelling.resolved(name)", "let plain = IdentitySpelling(name: name, record: IdentityRegistry.shared.record(for: NameKey(name)))"),
    tests="makesTheAccountsIdentity",
)
mutant(
    "alias-of-two", rule="15.12", breaks="A name that two stores have stand for two accounts stands for the first.",
    file="Sources/MultiIdentity/Identity/IdentityAliases.swift", within="func account",
    replace=("accounts.allSatisfy { $0.record === first.record }", "!accounts.isEmpty"),
    tests="standsForNeitherOfTwo",
)
mutant(
    "alias-never-taken-back", rule="15.12", breaks="An alias stands for its account for ever.",
    file="Sources/MultiIdentity/Identity/IdentityAliases.swift", within="deinit",
    drop="AliasTable.shared.remove(keys, of: account.spelling)",
    tests="standsAsLongAsSomebodySaysSo",
)
mutant(
    "policy-under-an-alias", rule="15.12", breaks="A policy that was read before its name was an alias is nobody's.",
    file="Sources/MultiIdentityPolicy/Policies/PolicySet.swift", within="func ownPolicy",
    replace=("policies[identity] ?? identity.formerIdentities.lazy.compactMap { policies[$0] }.first", "policies[identity]"),
    tests="isTheAccountsPolicy",
)
mutant(
    "alias-not-heard-of", rule="15.12", breaks="A process does not hear of an alias that another one adds.",
    file=REGISTRY + "+Aliases.swift", within="func adoptAliases(after", replace=("[.aliasAdded, .deregistered, .removed, .wiped]", "[]"),
    tests="isTheAccountInEachProcess",
)
mutant(
    "alias-not-known-at-the-start", rule="15.12", breaks="A process that starts does not know the aliases of the store.",
    file=REGISTRY + ".swift", within="func start", drop="try adoptAliases()",
    tests="isTheAccountInEachProcess",
)
mutant(
    "alias-lost-while-wiped", rule="15.12", breaks="What is under an alias is not wiped after a restart.",
    file=REGISTRY + "+Leaving.swift", within="func part", replace=("if !wiping {", "if !wiping || wiping {"),
    tests="isRevokedWithIt",
)
mutant(
    "former-works-on", rule="15.12", breaks="Work that began under an alias before it was one is not revoked with the account.",
    file=REGISTRY + "+Aliases.swift", within="func revoke", replace=("account.underEachName", "[account]"),
    tests="isRevokedWithIt",
)
mutant(
    "former-not-waited-for", rule="15.12", breaks="Work that began under an alias before it was one is not waited for.",
    file=REGISTRY + "+Settling.swift", within="func settle", replace=("identity.underEachName.allSatisfy", "[identity].allSatisfy"),
    tests="hasWorkFromBeforeWaitedFor",
)
mutant(
    "signed-out-and-wiped", rule="15.11", breaks="Who has signed out is wiped.",
    file=REGISTRY + "+Leaving.swift", within="public func remove", replace=("wiping: wiping, lease", "wiping: true, lease"),
    tests="ofWhoHasSignedOutWipesNothing",
)
mutant(
    "alias-of-who-left", rule="15.12", breaks="A name that stood for who left, and is given to somebody else, gives them the account that left.",
    file=REGISTRY + "+Aliases.swift", within="func addAlias", replace=("if alias.hasAliases {", "if alias.hasAliases, alias == account {"),
    tests="isNotGivenToAnother",
)
mutant(
    "alias-kept-by-who-is-back", rule="15.12", breaks="An alias stands for who was readmitted, though the store has none.",
    file=REGISTRY + "+Aliases.swift", within="func readmitted", drop="if aliases.has(account)",
    tests="isNotGivenToAnother",
)
mutant(
    "alias-in-force-later", rule="15.12",
    breaks="An alias is in force when the thread that tells of events comes to it, which may be after its addition has returned.",
    file=REGISTRY + "+Aliases.swift", within="func addAlias",
    drop="if let account = try? resolve(identity)", tests="AccountAliasTests",
)
