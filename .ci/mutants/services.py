# A mutant for each rule of these sections of Docs/Semantics.md; .ci/check-mutants says what the words mean.

# -- 14 Leases --

mutant("closed-as-the-last", rule="14.1", breaks="A resource is closed as whoever is bound where that happens.",
       file="MultiIdentityLease/Pooling/LeasePool.swift", within="func asNobody",
       replace=("withIdentity(.nobody)", "withIdentity(Identity.current)"))
mutant("leased-to-no-one", rule="14.2", breaks="Work without an identity is leased to as nobody where that is not set.",
       file="MultiIdentityLease/Leasing/LeaseDesk.swift", within="func withoutIdentity",
       replace=("settings.withoutIdentity == .asNobody", "settings.withoutIdentity != .asNobody"))
mutant("used-by-another", rule="14.3", breaks="A lease is used by work that counts as another identity's.",
       file="MultiIdentityLease/Leasing/LeaseTurn.swift", within="func check(_ standing",
       replace=("here != owner", "here == nil, here != owner"))
mutant("threw-and-returned", rule="14.4", breaks="What work threw on is returned without having been closed.",
       file="MultiIdentityLease/Leasing/LeaseDesk.swift", within="func end(",
       replace=("settings.afterError == .closed", "settings.afterError == .cleared"))
mutant("waits-for-itself", rule="14.5", breaks="A lease inside another one waits for it.",
       file="MultiIdentityLease/Pooling/LeaseLedger.swift", within="func take(",
       replace=("$0.holder == holder", "$0.holder == holder && holder == 0"))
mutant("rolled-back-and-not-asked", rule="14.6",
       breaks="A resource on which something was rolled back is not asked who it is.",
       file="MultiIdentityLease/Leasing/LeaseDesk.swift", within="func verifies",
       replace=("slot.wasRolledBack.exchange(false, ordering: .relaxed) ||", ""))
mutant("revoked-and-leased", rule="14.7", breaks="A lease goes on when its lessee is revoked.",
       file="MultiIdentityLease/Pooling/LeaseLedger+Revoking.swift", within="func revoke",
       replace=("lease % 2 == 1", "lease % 2 == 7"))
mutant("committed-and-not-counted", rule="14.7", breaks="A commit begins though its lessee was revoked just before.",
       file="MultiIdentity/Revoking/CountedWork.swift", within="func beginCounted", drop="try admit()",
       tests="AttackedLeaseTests/commitsNothing")
mutant("gone-and-counted", rule="14.8", breaks="Who gives up waiting stays in the line.",
       file="MultiIdentityLease/Pooling/LeaseLedger.swift", within="func cancel", drop="state.gaveUp(waiter)",
       tests="FairnessTests/countedOnce")
mutant("closed-and-counted", rule="14.8", breaks="A place of what was closed is never free again.",
       file="MultiIdentityLease/Pooling/LeaseLedger.swift", within="func vacate",
       replace=("state.open -= 1", "state.open -= 0"),
       tests="AttackedLeaseTests/shutDownMeanwhile|LeasePoolTests/shutDown")
mutant("plain-order", rule="14.9", breaks="Whoever waits is served in plain order, however many one identity has in line.",
       file="MultiIdentityLease/Pooling/FairLine.swift", within="func popFirst",
       drop="turns.remove(at: turn)\n            lines[identity]?.turn = turns.append(identity)")
mutant("one-key-for-all", rule="14.10", breaks="Who asks for the same key joins whoever asked first.",
       file="MultiIdentityLease/Keyed/IdentityKeyed.swift", within="func owner",
       replace=("return owner", "return .nobody"))
mutant("shared-as-the-first", rule="14.11", breaks="What is shared is loaded as whoever asks first.",
       file="MultiIdentityLease/Keyed/FlightTable.swift", within="func snapshot",
       replace=("self == .amongAll", "self != .amongAll"))
mutant("kept-for-good", rule="14.12", breaks="What is kept outlives its lifetime.",
       file="MultiIdentityLease/Keyed/Cache.swift", within="func entry",
       replace=("clock.now() + $0", "clock.now() + $0 * 2"), tests="KeyedTests/kept")
mutant("newcomer-makes-room", rule="14.12", breaks="When a cache is full, a newcomer gives up what it has just stored.",
       file="MultiIdentityLease/Keyed/OwnerRanking.swift", within="func isBefore",
       replace=("count > other.count", "count < other.count"), tests="CacheTests/shares|CacheTests/newcomer")
mutant("batch-of-no-one", rule="14.13", breaks="A batch is loaded as nobody, and not as whose it is.",
       file="MultiIdentityLease/Keyed/Batcher.swift", within="func run",
       replace=("capture(for: owner)", "capture(for: .nobody)"))
mutant("unverified-owner", rule="14.14",
       breaks="A message is handled as whoever it names, though no verifier has believed it.",
       file="MultiIdentityLease/Consuming/IdentityConsumer.swift", within="func verifiedOwner",
       replace=("owner.verification != nil", "owner.verification == nil"))

# -- 15 Enrolment --

mutant("registered-and-asked-again", rule="15.1", breaks="An account that is registered again has a second request at once.",
       file="MultiIdentityManagement/Registry/AccountRegistry+Registering.swift", within="func begin",
       drop="if record.lease != nil { return (nil, record.life) }")
mutant("retried-early", rule="15.2", breaks="A failed request is made again after eight hours.",
       file="MultiIdentityManagement/Registry/RegistryTime.swift", within="static func interval",
       replace=("stage == .enrolled ?", "stage != .wiping ?"))
mutant("checked-at-each-start", rule="15.3", breaks="A restart has every policy checked at once.",
       file="MultiIdentityManagement/Registry/AccountRegistry+Adopting.swift", within="func adopt(_ enrolled",
       replace=("!accounts.hasPolicy($0.identity)", "accounts.hasPolicy($0.identity)"))
mutant("due-by-own-clock", rule="15.3", breaks="A process whose time of day is ahead makes requests that are not due.",
       file="MultiIdentityManagement/Registry/AccountRegistry+Timers.swift", within="func claimDue",
       replace=("transaction.due(at: transaction.time().now", "transaction.due(at: time.now"))
mutant("never-prompted", rule="15.4", breaks="A provider without a credential is asked again without a prompt.",
       file="MultiIdentityManagement/Registry/AccountRegistry+Asking.swift", within="func anyCredential",
       replace=("prompting: true", "prompting: false"))
mutant("service-not-told", rule="15.5", breaks="The service does not hear that an account was deregistered.",
       file="MultiIdentityManagement/Registry/AccountRegistry+Leaving.swift", within="func deregister",
       replace=("await notify(work, credential)", "_ = credential"))
mutant("yes-kept", rule="15.5", breaks="What the service accepts for an account that has left stays accepted.",
       file="MultiIdentityManagement/Registry/AccountRegistry+Enrolling.swift", within="func enroll(",
       replace=("await takeBack(request, credential)", "_ = credential"))
mutant("late-yes-kept", rule="15.5", breaks="What the service accepts after the limit stays accepted.",
       file="MultiIdentityManagement/Registry/AccountRegistry+Enrolling.swift", within="func enroll(",
       replace=("await takeBack(request, found)", "_ = found"))
mutant("asked-and-forgotten", rule="15.5", breaks="Nobody knows that a process which died had asked the service.",
       file="MultiIdentityManagement/Registry/AccountRegistry+Requests.swift", within="func lease",
       drop="if record.stage == .registered { record.wasAsked = true }")
mutant("wiped-by-the-time-of-day", rule="15.14", breaks="Time that may not have passed counts for a wipe.",
       file="MultiIdentityManagement/Registry/AccountRegistry+Silence.swift", within="func isWipedForSilence",
       replace=("try transaction.time().elapsed - heard.elapsed", "heard.now.duration(to: try transaction.time().now)"))
mutant("wiped-with-the-first-check", rule="15.14", breaks="An account is wiped by the first check that fails after its block.",
       file="MultiIdentityManagement/Registry/AccountRegistry+Silence.swift", within="func isWipedForSilence",
       replace=("record.silence == .blocked", "record.silence == .heard"))
mutant("blocked-in-one-process", rule="15.14", breaks="A program that starts has nobody blocked.",
       file="MultiIdentityManagement/Registry/AccountRegistry+Silence.swift", within="func adoptBlocked",
       drop=r"accounts.setBlocked(Set(blocked.map(\.identity)))")
mutant("admitted-while-blocked", rule="15.14", breaks="Work of an account that is blocked begins.",
       file="MultiIdentityPolicy/Accounts/AccountsState.swift", within="func isBlocked",
       replace=("$0.blocked.contains(identity)", "$0.registered.contains(identity)"))
mutant("request-of-another-life", rule="15.13", breaks="An answer counts for the account that has signed in again.",
       file="MultiIdentityManagement/Store/AccountRecord.swift", within="func counts",
       replace=("now?.lease == lease && now?.stage == stage && now?.life == life", "now?.lease == lease"))
mutant("all-at-once", rule="15.2", breaks="Registrations make as many requests at once as there are accounts.",
       file="MultiIdentityManagement/Registry/AccountRegistry+Asking.swift", within="func limited",
       drop="if inTurn { await places.take() }")
mutant("override-over-code", rule="17.5", breaks="A setting is announced that the code's hides.",
       file="MultiIdentityManagement/Registry/AccountRegistry+Settings.swift", within="func check",
       replace=("configuration.source(of: setting) != .code", "configuration.source(of: setting) != .environment"))
mutant("removed-and-at-work", rule="15.6", breaks="An account that left from outside may go on working.",
       file="MultiIdentityManagement/Registry/AccountRegistry+Leaving.swift", within="func leave",
       drop="revoke(written?.identity ?? identity)")
mutant("ended-without-an-event", rule="15.7", breaks="A request that changed nothing ends without an event.",
       file="MultiIdentityManagement/Registry/AccountRegistry+Requests.swift", within="func finish",
       drop="try note(now.identity, status, text, error, ending: AccountRequest(of: request), in: transaction)",
       tests="hasNoMissedNoDoubleAndNoEarlyRequest")
mutant("begins-without-a-policy", rule="15.8", breaks="Work begins without the policy that is required.",
       file="MultiIdentityManagement/Registry/AccountRegistry+Readiness.swift", within="func admit",
       replace=("!configuration.policyRequired && !configuration.policyWarnAbsent ||", "!configuration.policyWarnAbsent ||"))
mutant("restart-wanted-each-time", rule="15.9", breaks="Each policy wants a restart, and not the first alone.",
       file="MultiIdentityManagement/Registry/AccountRegistry+Enrolling.swift", within="func write",
       replace=("!wasEnrolled, !waits", "!waits"),
       tests="hasNoMissedNoDoubleAndNoEarlyRequest")
mutant("forgotten-with-the-process", rule="15.10", breaks="A request whose process ended is never made again.",
       file="MultiIdentityManagement/Registry/AccountRegistry+Requests.swift", within="func lease",
       replace=("try time.leaseEnd(transaction)", "nil"))
mutant("settled-at-work", rule="15.11", breaks="A removal counts as settled though work of the account runs.",
       file="MultiIdentityManagement/Registry/AccountRegistry+Settling.swift", within="func settle(",
       replace=("refused(of: identity, isRemoval).allSatisfy({…})", "!identity.isNobody"))
mutant("events-forgotten-unread", rule="15.10", breaks="A process has events forgotten, and waited for no more, that it has not read.",
       file="MultiIdentityManagement/Registry/AccountRegistry+Settling.swift", within="func showPresence",
       replace=("state.removals.settled", "try transaction.lastEvent()"))
mutant("gap-passed-over", rule="15.10", breaks="A process that missed events goes on with those that are there.",
       file="MultiIdentityManagement/Registry/RegistryState.swift", within="func following",
       replace=("let first = events.first, first.isSame(as: last)", "let first = events.first, first.number <= last.number"))
mutant("wipe-is-no-event", rule="15.6", breaks="Other processes do not hear that the data of an account are being wiped.",
       file="MultiIdentityManagement/Registry/AccountRegistry+Leaving.swift", within="func part",
       drop='if !status.revokes { try note(record.identity, .wipeBegan, "its data are being wiped", in: transaction) }')
mutant("departure-forgotten", rule="15.6", breaks="A sign-out that the store does not take is forgotten.",
       file="MultiIdentityManagement/Registry/AccountRegistry+Leaving.swift", within="func owe",
       drop="state.owe([departure])")
mutant("back-and-let-go", rule="15.6", breaks="A removal that is read late revokes who has signed in again.",
       file="MultiIdentityManagement/Registry/AccountRegistry+Events.swift", within="func revoke",
       replace=("(record?.life ?? 0) > number", "(record?.life ?? 0) > .max"))
mutant("moved-file-believed", rule="15.10", breaks="Changes go into a file that nobody will find.",
       file="MultiIdentityManagement/Store/SQLiteConnection.swift", within="var isMoved",
       replace=("isMoved != 0", "false"))
mutant("gone-by-time-of-day", rule="15.11", breaks="A process that is there is forgotten by the time of day.",
       file="MultiIdentityManagement/Store/SQLiteTransaction.swift", within="func put(_ process",
       replace=("StoreClock.milliseconds(try time().elapsed)", "try time().now.milliseconds"))
mutant("other-name-admitted", rule="15.12", breaks="Work begins under another name of an account.",
       file="MultiIdentity/Revoking/RevokedNames.swift", within="func change(announcing",
       replace=("name.spelling.record.change { $0.revoked(for: .signedOut) }", "name.spelling.record.tally"))
mutant("name-with-keys", rule="15.12", breaks="A name with keys of its own becomes another one of an account.",
       file="MultiIdentityManagement/Registry/AccountRegistry+Names.swift", within="private func checkHasNothing",
       replace=("guard let found else { return }", "guard let found, found.isEmpty else { return }"))

# -- 16 Configuration --

mutant("configuration-outlives-its-account", rule="16.1", breaks="An account that has left is configured as before.",
       file="MultiIdentityManagement/Registry/AccountRegistry+Adopting.swift", within="func letGoHere",
       drop="state.configure(identity, nil)")
mutant("standard-beats-targeted", rule="16.2", breaks="What everybody gets counts beside what is targeted.",
       file="MultiIdentityManagement/Configuration/AppConfiguration.swift", within="func settings",
       replace=("part.audience == .targeted || !isTargeted", "true"))
mutant("two-forms-of-a-key", rule="16.3", breaks="Of two keys that Unicode counts as one the last one counts.",
       file="MultiIdentityManagement/Configuration/AppConfiguration+JSON.swift", within="init",
       replace=("forKey: key) != nil", "forKey: key) != nil && false"))

# -- 17 Settings --

mutant("file-beats-environment", rule="17.1", breaks="A file hides what the environment says.",
       file="MultiIdentityManagement/Settings/ManagementConfiguration.swift", within="init( json",
       replace=("try read(json, path) try read(environment)", "try read(environment); try read(json, path)"))
mutant("wrong-value-as-it-is", rule="17.2", breaks="A number out of its range is in force.",
       file="MultiIdentityManagement/Settings/ManagementSetting+Kind.swift", within="func number",
       replace=("range.contains(number)", "range.contains(number) || true"))
mutant("near-section-ignored", rule="17.2", breaks="Settings in a section that is spelled nearly right are ignored.",
       file="MultiIdentityManagement/Settings/ManagementConfiguration+Reading.swift", within="static func section",
       replace=("guard let miss else", "guard let miss, miss.line < 0 else"))
mutant("secret-setting-explained", rule="17.3", breaks="An explanation shows the values to scrub.",
       file="MultiIdentityManagement/Settings/ManagementConfiguration.swift", within="func shownValue",
       replace=("setting.isSecret ? nil : ", ""))
mutant("test-policies-in-release", rule="17.4", breaks="A release build has policies for tests in force.",
       file="MultiIdentityManagement/Settings/ManagementConfiguration+TestPolicies.swift", within="package func testPolicyFile",
       replace=("if isRelease, !allowsTestPolicies", "if isRelease, false, !allowsTestPolicies"))
mutant("override-lost-by-the-next", rule="17.5", breaks="A second override of an account takes the place of the first.",
       file="MultiIdentityManagement/Registry/AccountRegistry+Settings.swift", within="func overrideSettings",
       replace=("var own = before", "var own = AccountSettings()"))
mutant("page-of-settings-of-before", rule="17.6", breaks="A setting takes other values than its page says.",
       file="MultiIdentityManagement/Settings/ManagementSetting+Kind.swift", within="var words",
       replace=("\"true or false\"", "\"yes or no\""))

# -- 18 Scrubbing and telemetry --

mutant("escaped-value-left", rule="18.1", breaks="A value stays where it is written as messages or JSON have it.",
       file="MultiIdentityManagement/Scrubbing/Scrubber.swift", within="func spellings",
       replace=("return [Array(value.utf8), Array(start.utf8), Array(quoted[1..<(quoted.count - 1)])]",
                "return [Array(value.utf8)]"))
mutant("value-behind-another-left", rule="18.1", breaks="A value stays where the beginning of another one runs into it.",
       file="MultiIdentityManagement/Scrubbing/ScrubbedPatterns.swift", within="init(_",
       replace=("nodes[node].fallback = next(after: nodes[parent].fallback, byte)", "nodes[node].fallback = 0"))
mutant("event-not-scrubbed", rule="18.2", breaks="What a service says of a failure is stored as it is.",
       file="MultiIdentityManagement/Registry/AccountRegistry+Events.swift", within="func note",
       replace=("shown(text)", "text"))
mutant("request-timed-from-the-last", rule="18.3", breaks="A later event has the time of a request before it.",
       file="MultiIdentityManagement/Registry/RegistryState.swift", within="func keepDuration",
       replace=("state.begun.removeValue(forKey: identity)", "state.begun[identity]"))
mutant("confirmed-by-a-failure", rule="18.4", breaks="A check that failed makes a policy young.",
       file="MultiIdentityManagement/Registry/AccountRegistry+Requests.swift", within="func finish",
       replace=("if status == .policyUnchanged {", "if now.stage == .enrolled {"))
mutant("report-to-anybody", rule="18.5", breaks="Any user of the machine is given the report.",
       file="MultiIdentityManagement/Diagnostics/ReportSocket.swift", within="static func isOurs",
       replace=("(user == geteuid() || user == 0)", "user < .max"))

# -- 19 Policies from a service --

mutant("policies-signed-by-nobody", rule="19.1", breaks="A text that nobody signed is in force.",
       file="MultiIdentityManagement/Policies/RemotePolicies.swift", within="func verified",
       replace=("(try? verify(signature)) == true", "(try? verify(signature)) != nil"))
mutant("earlier-question-counts", rule="19.2", breaks="The answer of an earlier question takes the place of a later one's.",
       file="MultiIdentityManagement/Policies/RemotePolicies+Following.swift", within="func settle",
       replace=("number <= $0.answered", "number < 0"))
mutant("answer-without-end", rule="19.2", breaks="A service that sends a byte now and then holds its question for ever.",
       file="MultiIdentityManagement/Policies/RemotePolicies+Following.swift", within="func refresh",
       replace=("wait + options.answerLimit", "wait + options.answerLimit * 1_000_000"))
mutant("copy-not-verified", rule="19.3", breaks="Who can write to the store sets policies.",
       file="MultiIdentityManagement/Policies/RemotePolicies.swift", within="func verified( _ copy",
       replace=("let (policies, signature) = try verified(Array(copy.text.utf8), copy.signature)",
                "guard let policies = try? PolicySet(json: copy.text.utf8), let signature = try? PolicySignature(copy.signature, of: Array(copy.text.utf8)) else { throw ManagementError(.malformedPolicies, \"\") }"))
mutant("begins-without-a-set", rule="19.3", breaks="A source that has no set begins with none, which limits no one.",
       file="MultiIdentityManagement/Policies/RemotePolicies.swift", within="public init<",
       replace=("if confirmed == nil { throw error }", ""))
mutant("older-set-kept", rule="19.3", breaks="A process that is behind puts older policies in the place of newer ones.",
       file="MultiIdentityManagement/Policies/RemotePolicies+Following.swift", within="func keep",
       replace=("known.isLater(than: given)", "given.isLater(than: given)"))
mutant("too-old-stays-open", rule="19.4", breaks="Policies that are too old stay in force where they are to be closed.",
       file="MultiIdentityManagement/Policies/RemotePolicies+Following.swift", within="func putIntoForce",
       replace=("options.whenTooOld == .closed", "options.whenTooOld == .warn"))
mutant("confirmed-in-the-future", rule="19.4", breaks="Policies stay open for as long as the clock was ahead when they were confirmed.",
       file="MultiIdentityManagement/Policies/RemotePolicies+Following.swift", within="func putIntoForce",
       replace=("min(known.confirmed, now)", "known.confirmed"))
mutant("decided-once", rule="19.5", breaks="What the policies forbid by the time of the answer is allowed.",
       file="MultiIdentityManagement/Policies/PolicyDecisionPoint.swift", within="public func decide",
       replace=("now.isAllowed ?", "now.isAllowed || true ?"))
mutant("no-answer-allows", rule="19.5", breaks="A decision point that cannot be reached allows.",
       file="MultiIdentityManagement/Policies/PolicyDecisionPoint.swift", within="public func decide",
       replace=("let decision = PolicyDecision(false,", "let decision = PolicyDecision(true,"))
