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
    file=REGISTRY + "+Enrolling.swift", within="func forget", drop="try transaction.put(other)",
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
    file=REGISTRY + "+Leaving.swift", within="func leave", drop="IdentityRevocation.revoke(identity",
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
