# A mutant for each rule of these sections of Docs/Semantics.md; .ci/check-mutants says what the words mean.

# -- 14 Leases --

mutant("closed-as-the-last", rule="14.1", breaks="A resource is closed as the identity that happens to be bound.",
       file="MultiIdentityLease/Pooling/ResourcePool.swift", within="func asNobody",
       replace=("withIdentity(.nobody)", "withIdentity(Identity.current)"))
mutant("leased-to-no-one", rule="14.2", breaks="Work without an identity gets a lease as nobody without that setting.",
       file="MultiIdentityLease/Leasing/LeaseDesk.swift", within="func withoutIdentity",
       replace=("settings.withoutIdentity == .asNobody", "settings.withoutIdentity != .asNobody"))
mutant("used-by-another", rule="14.3", breaks="A lease is used by work that counts as another identity's.",
       file="MultiIdentityLease/Leasing/LeaseTurn.swift", within="func check(_ standing",
       replace=("here != owner", "here == nil, here != owner"))
mutant("threw-and-returned", rule="14.4", breaks="A resource whose work threw is returned without being closed.",
       file="MultiIdentityLease/Leasing/LeaseDesk.swift", within="func end(",
       replace=("settings.afterError == .closed", "settings.afterError == .cleared"))
mutant("waits-for-itself", rule="14.5", breaks="A lease inside another one waits for it.",
       file="MultiIdentityLease/Pooling/LeaseLedger.swift", within="func take(",
       replace=("$0.holder == holder", "$0.holder == holder && holder == 0"))
mutant("rolled-back-and-not-asked", rule="14.6", breaks="A resource is not asked for its identity after a rollback.",
       file="MultiIdentityLease/Leasing/LeaseDesk.swift", within="func verifies",
       replace=("slot.wasRolledBack.exchange(false, ordering: .relaxed) ||", ""))
mutant("revoked-and-leased", rule="14.7", breaks="A lease stays valid after its lessee is revoked.",
       file="MultiIdentityLease/Pooling/LeaseLedger+Revoking.swift", within="func revoke",
       replace=("lease % 2 == 1", "lease % 2 == 7"))
mutant("committed-and-not-counted", rule="14.7", breaks="A commit begins although its lessee was just revoked.",
       file="MultiIdentity/Revoking/CountedWork.swift", within="func beginCounted", drop="try admit()",
       tests="AttackedLeaseTests/commitsNothing")
mutant("gone-and-counted", rule="14.8", breaks="A caller that gives up waiting stays in the line.",
       file="MultiIdentityLease/Pooling/LeaseLedger.swift", within="func cancel", drop="state.gaveUp(waiter)",
       tests="FairnessTests/countedOnce")
mutant("closed-and-counted", rule="14.8", breaks="The slot of a closed resource is never free again.",
       file="MultiIdentityLease/Pooling/LeaseLedger.swift", within="func vacate", replace=("state.open -= 1", "state.open -= 0"),
       tests="AttackedLeaseTests/shutDownMeanwhile|ResourcePoolTests/shutDown")
mutant("plain-order", rule="14.9", breaks="Waiters are served in plain order, however many waiters one identity has.",
       file="MultiIdentityLease/Pooling/FairLine.swift", within="func popFirst",
       drop="turns.remove(at: turn)\n            lines[identity]?.turn = turns.append(identity)")
mutant("one-key-for-all", rule="14.10", breaks="A caller joins another identity's load of the same key.",
       file="MultiIdentityLease/Keyed/IdentitySharing.swift", within="func owner", replace=("return owner", "return .nobody"))
mutant("shared-as-the-first", rule="14.11", breaks="A shared value is loaded as the first caller.",
       file="MultiIdentityLease/Keyed/FlightTable.swift", within="func snapshot", replace=("self == .shared", "self != .shared"))
mutant("kept-for-good", rule="14.12", breaks="A cached value outlives its lifetime.",
       file="MultiIdentityLease/Keyed/IdentityCache.swift", within="func entry",
       replace=("clock.now() + $0", "clock.now() + $0 * 2"), tests="KeyedTests/kept")
mutant("newcomer-makes-room", rule="14.12", breaks="If a cache is full, a newcomer's entry is evicted, not the heaviest user's.",
       file="MultiIdentityLease/Keyed/OwnerRanking.swift", within="func isBefore",
       replace=("count > other.count", "count < other.count"), tests="CacheTests/shares|CacheTests/newcomer")
mutant("batch-of-no-one", rule="14.13", breaks="A batch is loaded as nobody, not as its identity.",
       file="MultiIdentityLease/Keyed/IdentityBatcher.swift", within="func run",
       replace=("capture(for: owner)", "capture(for: .nobody)"))
mutant("unverified-owner", rule="14.14",
       breaks="A message is handled as the identity that it names, although no verifier accepted it.",
       file="MultiIdentityLease/Consuming/IdentityConsumer.swift", within="func verifiedOwner",
       replace=("owner.verification != nil", "owner.verification == nil"))

# -- 15 Enrolment --

mutant("registered-and-asked-again", rule="15.1", breaks="An account that is registered again has a second request immediately.",
       file="MultiIdentityManagement/Registry/AccountRegistry+Registering.swift", within="func begin",
       drop="if record.lease != nil { return (nil, record.life) }")
mutant("retried-early", rule="15.2", breaks="A failed request is retried after eight hours.",
       file="MultiIdentityManagement/Registry/RegistryTime.swift", within="static func interval",
       replace=("stage == .enrolled ?", "stage != .wiping ?"))
mutant("checked-at-each-start", rule="15.3", breaks="A restart checks every policy immediately.",
       file="MultiIdentityManagement/Registry/AccountRegistry+Adopting.swift", within="func adopt(_ enrolled",
       replace=("!accounts.hasPolicy($0.identity)", "accounts.hasPolicy($0.identity)"))
mutant("due-by-own-clock", rule="15.3", breaks="A process whose time of day is ahead makes requests that are not due.",
       file="MultiIdentityManagement/Registry/AccountRegistry+Timers.swift", within="func claimDue",
       replace=("transaction.due(at: transaction.time().now", "transaction.due(at: time.now"))
mutant("never-prompted", rule="15.4", breaks="A provider without a credential is asked again without a prompt.",
       file="MultiIdentityManagement/Registry/AccountRegistry+Asking.swift", within="func anyCredential",
       replace=("prompting: true", "prompting: false"))
mutant("service-not-told", rule="15.5", breaks="The service is not notified that an account was deregistered.",
       file="MultiIdentityManagement/Registry/AccountRegistry+Leaving.swift", within="func deregister",
       replace=("await notify(work, credential)", "_ = credential"))
mutant("yes-kept", rule="15.5", breaks="What the service accepts for an account that has left stays accepted.",
       file="MultiIdentityManagement/Registry/AccountRegistry+Enrolling.swift", within="func enroll(",
       replace=("await takeBack(request, credential)", "_ = credential"))
mutant("late-yes-kept", rule="15.5", breaks="What the service accepts after the limit stays accepted.",
       file="MultiIdentityManagement/Registry/AccountRegistry+Enrolling.swift", within="func enroll(",
       replace=("await takeBack(request, found)", "_ = found"))
mutant("asked-and-forgotten", rule="15.5", breaks="The request of a process that died is unknown.",
       file="MultiIdentityManagement/Registry/AccountRegistry+Requests.swift", within="func lease",
       drop="if record.stage == .registered { record.wasAsked = true }")
mutant("wiped-by-the-time-of-day", rule="15.14", breaks="Time that may not have passed counts for a wipe.",
       file="MultiIdentityManagement/Registry/AccountRegistry+Silence.swift", within="func isWipedForSilence",
       replace=("try transaction.time().elapsed - heard.elapsed", "heard.now.duration(to: try transaction.time().now)"))
mutant("wiped-with-the-first-check", rule="15.14", breaks="An account is wiped by the first failed check after its block.",
       file="MultiIdentityManagement/Registry/AccountRegistry+Silence.swift", within="func isWipedForSilence",
       replace=("record.silence == .blocked", "record.silence == .heard"))
mutant("blocked-in-one-process", rule="15.14", breaks="A starting program has no blocked accounts.",
       file="MultiIdentityManagement/Registry/AccountRegistry+Silence.swift", within="func adoptBlocked",
       drop=r"accounts.setBlocked(Set(blocked.map(\.identity)))")
mutant("admitted-while-blocked", rule="15.14", breaks="Work of a blocked account begins.",
       file="MultiIdentityPolicy/Accounts/AccountsState.swift", within="func isBlocked",
       replace=("$0.blocked.contains(identity)", "$0.registered.contains(identity)"))
mutant("request-of-another-life", rule="15.13", breaks="An old answer counts for an account that has signed in again.",
       file="MultiIdentityManagement/Store/AccountRecord.swift", within="func counts",
       replace=("now?.lease == lease && now?.stage == stage && now?.life == life", "now?.lease == lease"))
mutant("all-at-once", rule="15.2", breaks="Registrations make as many requests at once as there are accounts.",
       file="MultiIdentityManagement/Registry/AccountRegistry+Asking.swift", within="func limited",
       drop="if inTurn { await places.take() }")
mutant("override-over-code", rule="17.5", breaks="A setting is announced although the code's setting overrides it.",
       file="MultiIdentityManagement/Registry/AccountRegistry+Settings.swift", within="func check",
       replace=("configuration.source(of: setting) != .code", "configuration.source(of: setting) != .environment"))
mutant("removed-and-at-work", rule="15.6", breaks="An account that was removed from outside can keep working.",
       file="MultiIdentityManagement/Registry/AccountRegistry+Leaving.swift", within="func leave",
       drop="revoke(written?.identity ?? identity)")
mutant("ended-without-an-event", rule="15.7", breaks="A request that changed nothing ends without an event.",
       file="MultiIdentityManagement/Registry/AccountRegistry+Requests.swift", within="func finish",
       drop="try note(now.identity, status, text, error, ending: AccountRequest(of: request), in: transaction)",
       tests="hasNoMissedNoDoubleAndNoEarlyRequest")
mutant("begins-without-a-policy", rule="15.8", breaks="Work begins without the policy it requires.",
       file="MultiIdentityManagement/Registry/AccountRegistry+Readiness.swift", within="func admit",
       replace=("!configuration.policyRequired && !configuration.policyWarnAbsent ||", "!configuration.policyWarnAbsent ||"))
mutant("restart-wanted-each-time", rule="15.9", breaks="Each policy requests a restart, not only the first.",
       file="MultiIdentityManagement/Registry/AccountRegistry+Enrolling.swift", within="func write",
       replace=("!wasEnrolled, !waits", "!waits"), tests="hasNoMissedNoDoubleAndNoEarlyRequest")
mutant("forgotten-with-the-process", rule="15.10", breaks="A request whose process ended is never retried.",
       file="MultiIdentityManagement/Registry/AccountRegistry+Requests.swift", within="func lease",
       replace=("try time.leaseEnd(transaction)", "nil"))
mutant("settled-at-work", rule="15.11", breaks="A removal counts as settled although the account's work runs.",
       file="MultiIdentityManagement/Registry/AccountRegistry+Settling.swift", within="func settle(",
       replace=("refused(of: identity, isRemoval).allSatisfy({…})", "!identity.isNobody"))
mutant("events-forgotten-unread", rule="15.10", breaks="Events that a process has not read are deleted and no longer waited for.",
       file="MultiIdentityManagement/Registry/AccountRegistry+Settling.swift", within="func showPresence",
       replace=("state.removals.settled", "try transaction.lastEvent()"))
mutant("gap-passed-over", rule="15.10", breaks="A process that missed events continues with the remaining ones.",
       file="MultiIdentityManagement/Registry/RegistryState.swift", within="func following",
       replace=("let first = events.first, first.isSame(as: last)", "let first = events.first, first.number <= last.number"))
mutant("wipe-is-no-event", rule="15.6", breaks="Other processes are not notified that the data of an account are being wiped.",
       file="MultiIdentityManagement/Registry/AccountRegistry+Leaving.swift", within="func part",
       drop='if !status.revokes { try note(record.identity, .wipeBegan, "its data are being wiped", in: transaction) }')
mutant("departure-forgotten", rule="15.6", breaks="A sign-out that the store cannot save is forgotten.",
       file="MultiIdentityManagement/Registry/AccountRegistry+Leaving.swift", within="func owe", drop="state.owe([departure])")
mutant("back-and-let-go", rule="15.6", breaks="A removal that is read late revokes an account that has signed in again.",
       file="MultiIdentityManagement/Registry/AccountRegistry+Events.swift", within="func revoke",
       replace=("(record?.life ?? 0) > number", "(record?.life ?? 0) > .max"))
mutant("moved-file-believed", rule="15.10", breaks="Changes are written to a file that was moved away.",
       file="MultiIdentityManagement/Store/SQLiteConnection.swift", within="var isMoved", replace=("isMoved != 0", "false"))
mutant("gone-by-time-of-day", rule="15.11", breaks="A running process is forgotten because of the time of day.",
       file="MultiIdentityManagement/Store/SQLiteTransaction.swift", within="func put(_ process",
       replace=("StoreClock.milliseconds(try time().elapsed)", "try time().now.milliseconds"))
mutant("other-name-admitted", rule="15.12", breaks="Work begins under another name of an account.",
       file="MultiIdentity/Revoking/RevokedNames.swift", within="func change(announcing",
       replace=("name.spelling.record.change { $0.revoked(for: .signedOut) }", "name.spelling.record.tally"))
mutant("name-with-keys", rule="15.12", breaks="A name with its own keys becomes an alias of an account.",
       file="MultiIdentityManagement/Registry/AccountRegistry+Names.swift", within="private func checkHasNothing",
       replace=("guard let found else { return }", "guard let found, found.isEmpty else { return }"))

# -- 16 Configuration --

mutant("configuration-outlives-its-account", rule="16.1", breaks="An account that has left is configured as before.",
       file="MultiIdentityManagement/Registry/AccountRegistry+Adopting.swift", within="func letGoHere",
       drop="state.configure(identity, nil)")
mutant("standard-beats-targeted", rule="16.2", breaks="Standard values count in addition to targeted ones.",
       file="MultiIdentityManagement/Configuration/AppConfiguration.swift", within="func settings",
       replace=("part.audience == .targeted || !isTargeted", "true"))
mutant("two-forms-of-a-key", rule="16.3", breaks="Of two keys that are equal in Unicode, the last one counts.",
       file="MultiIdentityManagement/Configuration/AppConfiguration+JSON.swift", within="init",
       replace=("forKey: key) != nil", "forKey: key) != nil && false"))

# -- 17 Settings --

mutant("file-beats-environment", rule="17.1", breaks="A file overrides the environment.",
       file="MultiIdentityManagement/Settings/ManagementConfiguration.swift", within="init( json",
       replace=("try read(json, path) try read(environment)", "try read(environment); try read(json, path)"))
mutant("wrong-value-as-it-is", rule="17.2", breaks="A number out of its range is in force.",
       file="MultiIdentityManagement/Settings/ManagementSetting+Kind.swift", within="func number",
       replace=("range.contains(number)", "range.contains(number) || true"))
mutant("near-section-ignored", rule="17.2", breaks="Settings in a misspelled section are ignored.",
       file="MultiIdentityManagement/Settings/ManagementConfiguration+Reading.swift", within="static func section",
       replace=("guard let miss else", "guard let miss, miss.line < 0 else"))
mutant("secret-setting-explained", rule="17.3", breaks="An explanation shows the values to scrub.",
       file="MultiIdentityManagement/Settings/ManagementConfiguration.swift", within="func shownValue",
       replace=("setting.isSecret ? nil : ", ""))
mutant("test-policies-in-release", rule="17.4", breaks="A release build uses test policies.",
       file="MultiIdentityManagement/Settings/ManagementConfiguration+TestPolicies.swift", within="package func testPolicyFile",
       replace=("if isRelease, !allowsTestPolicies", "if isRelease, false, !allowsTestPolicies"))
mutant("override-lost-by-the-next", rule="17.5", breaks="A second override of an account replaces the first.",
       file="MultiIdentityManagement/Registry/AccountRegistry+Settings.swift", within="func overrideSettings",
       replace=("var own = before", "var own = AccountSettings()"))
mutant("page-of-settings-of-before", rule="17.6", breaks="A setting accepts other values than its page says.",
       file="MultiIdentityManagement/Settings/ManagementSetting+Kind.swift", within="var words",
       replace=("\"true or false\"", "\"yes or no\""))

# -- 18 Scrubbing and telemetry --

mutant("escaped-value-left", rule="18.1", breaks="A value in the spelling of messages or JSON is not removed.",
       file="MultiIdentityManagement/Scrubbing/Scrubber.swift", within="func spellings",
       replace=("return [Array(value.utf8), Array(start.utf8), Array(quoted[1..<(quoted.count - 1)])]",
                "return [Array(value.utf8)]"))
mutant("value-behind-another-left", rule="18.1", breaks="A value that overlaps the beginning of another one is not removed.",
       file="MultiIdentityManagement/Scrubbing/ScrubbedPatterns.swift", within="init(_",
       replace=("nodes[node].fallback = next(after: nodes[parent].fallback, byte)", "nodes[node].fallback = 0"))
mutant("event-not-scrubbed", rule="18.2", breaks="A service's failure message is stored without scrubbing.",
       file="MultiIdentityManagement/Registry/AccountRegistry+Events.swift", within="func note", replace=("shown(text)", "text"))
mutant("request-timed-from-the-last", rule="18.3", breaks="A later event has the duration of an earlier request.",
       file="MultiIdentityManagement/Registry/RegistryState.swift", within="func keepDuration",
       replace=("state.begun.removeValue(forKey: identity)", "state.begun[identity]"))
mutant("confirmed-by-a-failure", rule="18.4", breaks="A failed check resets the age of a policy.",
       file="MultiIdentityManagement/Registry/AccountRegistry+Requests.swift", within="func finish",
       replace=("if status == .policyUnchanged {", "if now.stage == .enrolled {"))
mutant("report-to-anybody", rule="18.5", breaks="Any user of the machine can read the report.",
       file="MultiIdentityManagement/Diagnostics/ReportSocket.swift", within="static func isOurs",
       replace=("(user == geteuid() || user == 0)", "user < .max"))

# -- 19 Policies from a service --

mutant("policies-signed-by-nobody", rule="19.1", breaks="An unsigned text is in force.",
       file="MultiIdentityManagement/Policies/RemotePolicies.swift", within="func verified",
       replace=("(try? verify(signature)) == true", "(try? verify(signature)) != nil"))
mutant("earlier-question-counts", rule="19.2", breaks="The answer to an earlier request replaces a later one's.",
       file="MultiIdentityManagement/Policies/RemotePolicies+Following.swift", within="func settle",
       replace=("number <= $0.answered", "number < 0"))
mutant("answer-without-end", rule="19.2", breaks="A service that sends a byte from time to time keeps its request open for ever.",
       file="MultiIdentityManagement/Policies/RemotePolicies+Following.swift", within="func refresh",
       replace=("wait + options.answerLimit", "wait + options.answerLimit * 1_000_000"))
mutant("copy-not-verified", rule="19.3", breaks="Write access to the store is enough to set policies.",
       file="MultiIdentityManagement/Policies/RemotePolicies.swift", within="func verified( _ copy",
       replace=("let (policies, signature) = try verified(Array(copy.text.utf8), copy.signature)",
                "guard let policies = try? PolicySet(json: copy.text.utf8), let signature = try? PolicySignature(copy.signature, of: Array(copy.text.utf8)) else { throw ManagementError(.malformed, \"\") }"))
mutant("begins-without-a-set", rule="19.3", breaks="A source without a set starts with an empty one, which limits no one.",
       file="MultiIdentityManagement/Policies/RemotePolicies.swift", within="public init<",
       replace=("if confirmed == nil { throw error }", ""))
mutant("older-set-kept", rule="19.3", breaks="An outdated process replaces newer policies with older ones.",
       file="MultiIdentityManagement/Policies/RemotePolicies+Following.swift", within="func keep",
       replace=("known.isLater(than: given)", "given.isLater(than: given)"))
mutant("too-old-stays-open", rule="19.4", breaks="Policies that are too old stay in force although they should be closed.",
       file="MultiIdentityManagement/Policies/RemotePolicies+Following.swift", within="func putIntoForce",
       replace=("options.closesWhenTooOld", "!options.closesWhenTooOld"))
mutant("confirmed-in-the-future", rule="19.4", breaks="Policies stay open for as long as the clock was ahead when they were confirmed.",
       file="MultiIdentityManagement/Policies/RemotePolicies+Following.swift", within="func putIntoForce",
       replace=("min(known.confirmed, now)", "known.confirmed"))
mutant("decided-once", rule="19.5", breaks="A request that the policies forbid when the answer arrives is allowed.",
       file="MultiIdentityManagement/Policies/PolicyDecisionPoint.swift", within="public func decide",
       replace=("now.isAllowed ?", "now.isAllowed || true ?"))
mutant("no-answer-allows", rule="19.5", breaks="An unreachable decision point allows.",
       file="MultiIdentityManagement/Policies/PolicyDecisionPoint.swift", within="public func decide",
       replace=("let decision = PolicyDecision(false,", "let decision = PolicyDecision(true,"))
mutant("redirect-followed", rule="19.6", breaks="A service is asked wherever it says, and not where the program says.",
       file="Integrations/Sources/URLSessionTransport/ServiceRequests.swift",
       within="func urlSession(_ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection",
       body="completionHandler(request)")
