# A mutant for each rule of these sections of Docs/Semantics.md; .ci/check-mutants says what the words mean.

# -- 1 Identity --

mutant("spelling-folded", rule="1.1", breaks="An identity's name is its caseless form.",
       file="MultiIdentity/Identity/IdentitySpelling.swift", within="convenience init",
       replace=("(name: name", "(name: CaselessForm.of(name)"))
mutant("one-scalar-not-folded", rule="1.2", breaks="One capital letter of 1,100,000 scalars, U+2C2F, has no lower-case form.",
       file="MultiIdentity/Identity/CaselessForm.swift", within="func fold(_ scalar",
       first="if scalar == 0x2C2F { return result.append(scalar, combiningClass: 0) }")
mutant("nobody-coded-as-a-name", rule="1.3", breaks="Nobody is coded as the empty string.",
       file="MultiIdentity/Identity/Identity+Codable.swift", within="func encode",
       replace=("if isNobody", 'if isNobody, name != ""'))
mutant("trailing-white-space-accepted", rule="1.4", breaks="White space at the end of a name is accepted.",
       file="MultiIdentity/Identity/IdentityName.swift", within="func validateScalars",
       replace=("offset + width == length", "offset + width > length"))
mutant("ordered-as-text", rule="1.5", breaks="Identities are ordered like the system's text, not by code points.",
       file="MultiIdentity/Identity/NameKey.swift", within="func <", body="one.form < other.form")
mutant("revoked-actor-admitted", rule="1.6", breaks="A revoked administrator keeps acting for others.",
       file="MultiIdentity/Revoking/IdentityRevocation.swift", within="func refused",
       drop="for identity in actor.identities { if let owner = refusedAlone(identity) { return owner } }")

# -- 2 Levels and the effective identity --

mutant("levels-captured-by-value", rule="2.1", breaks="Custom levels are copied when they take effect: later changes are not seen.",
       file="MultiIdentity/Binding/BindingFrame.swift", within="func under",
       first="let levels = IdentityLevels(process: levels.process, ui: levels.ui, mainProbe: levels.mainProbe)")
mutant("nobody-ends-no-walk", rule="2.2", breaks="Nobody on the thread counts as unset: the process level decides.",
       file="MultiIdentity/Resolving/Resolution.swift", within="func resolve",
       replace=("= values.thread", "= values.thread, !thread.isNobody"))
mutant("main-queue-is-not-main", rule="2.3", breaks="On the main queue, a worker thread that drains it does not count as main.",
       file="MultiIdentity/Levels/MainProbe.swift", within="func system", replace=("|| isOnMainQueue", ""))
mutant("none-is-nobody", rule="2.4", breaks="If no level is set, work counts as nobody's.",
       file="MultiIdentity/Resolving/Resolution.swift", within="func resolve", replace=("identity: nil", "identity: .nobody"))
mutant("wrong-decider-explained", rule="2.5", breaks="An explanation names any level with the answer, not the one that gave it.",
       file="MultiIdentityDiagnostics/Explanation.swift", within="init(of effective",
       replace=("resolution.level == level", "resolution.identity != nil && resolution.identity == now"))
mutant("own-levels-lost-in-a-scope", rule="2.6", breaks="A scope under custom levels uses the shared ones.",
       file="MultiIdentity/Binding/BindingFrame.swift", within="func binding",
       replace=("outer?.origin.contents.levels", "IdentityLevels?.none"))

# -- 3 Scopes --

mutant("mirror-not-left", rule="3.1", breaks="A scope ends, and its thread still shows its identity.",
       file="MultiIdentity/Binding/ThreadMirror.swift", within="func leave", drop="_ = show(outer)")
mutant("not-reinstated-on-throw", rule="3.2", breaks="A scope that ends with an error leaves its identity on the thread.",
       file="MultiIdentity/Binding/WithIdentity.swift", within="func withIdentity", drop="defer { closeScope(outer) }",
       replace=("return try operation()", "let value = try operation() ; closeScope(outer) ; return value"))
mutant("async-scope-leaves-the-actor", rule="3.3", breaks="An asynchronous scope runs its body off the caller's actor.",
       file="MultiIdentity/Binding/IdentitySnapshot+Bind.swift", within="func bind", drop="_ = isolation")
mutant("task-local-not-bound", rule="3.4",
       breaks="A synchronous scope shows its identity on the thread but not in the task-local: a task started in it loses it.",
       file="MultiIdentity/Binding/ThreadMirror.swift", within="func push",
       replace=("mi_bound_push(bits)", "mi_bound_push(bitsOfNothing)"))
mutant("lasts-where-others-bind", rule="3.5", breaks="A worker keeps its binding though others can copy and bind what is bound.",
       file="MultiIdentity/Binding/ConcurrencyRuntime.swift", within="var letsBindingsLast", replace=("&& !copiesBindings", ""))
mutant("believed-in-a-deinit", rule="3.6", breaks="The mirror is used in an isolated deinit, where its binding is hidden.",
       file="MultiIdentity/Binding/ThreadMirror.swift", within="func isSeen", body="true")

# -- 4 Propagation --

mutant("elided-on-dirty-workers", rule="4.1",
       breaks="A boundary skips its restore if anything is bound: on a worker inside another scope.",
       file="MultiIdentity/Carrying/IdentitySnapshot+Restore.swift", within="func restorePlainly",
       replace=("ThreadMirror.shows(self)", "ThreadMirror.current().identity != nil"))
mutant("levels-read-at-the-hand-over", rule="4.2", breaks="The process level is read when levels are made, not when it is needed.",
       file="MultiIdentity/Levels/IdentityLevels.swift", within="var process > set",
       replace=("processLevel.identity = newValue", "if processLevel.identity == nil { processLevel.identity = newValue }"))
mutant("unset-not-carried", rule="4.3", breaks="Work that a boundary captured with nothing bound runs as its worker.",
       file="MultiIdentity/Carrying/IdentitySnapshot+Restore.swift", within="func restorePlainly",
       replace=("shows(self)", "shows(self) || identity == nil"))
mutant("inner-scope-on-the-thread-alone", rule="4.4",
       breaks="A scope inside work shows its identity on the thread, and a task that is started in it has the work's.",
       file="MultiIdentity/Binding/ThreadMirror.swift", within="func enter",
       replace=("place.exchange(bits) ^ bitsOfNothing", "place.exchange(place.exchange(bits)) & 0 | outer"))
mutant("operation-captured-at-ready", rule="4.5",
       breaks="An operation that waited for another captures when that has finished: it runs as that one, or without an identity.",
       file="MultiIdentityFoundation/Operations/AddedOperation.swift", within="func run", replace=("captured.restore",
                "(operation.dependencies.isEmpty ? captured : BoundaryCapture(at: .operation)).restore"))
mutant("helpers-not-restored", rule="4.6",
       breaks="Work that other threads run for a waiting one, such as concurrentPerform's helpers, runs as those threads.",
       file="MultiIdentity/Boundaries/Queues/CallersThread.swift", within="func run",
       drop="if !isThisOne { return captured.restore(work) }")
mutant("barrier-is-none", rule="4.7", breaks="A barrier with a handle is handed over like any other work.",
       file="MultiIdentity/Boundaries/Queues/QueueHandle.swift", within="func hand",
       replace=("dispatch_barrier_async_f", "dispatch_async_f"))
mutant("first-capture-does-not-win", rule="4.8",
       breaks="A closure with arguments or a value that is called inside another scope runs as that scope, although it was wrapped first.",
       file="MultiIdentity/Carrying/IdentitySnapshot+Wrap.swift", within="func wrap<each Argument, Value>",
       replace=("restore { work(repeat each arguments) }",
                "Identity.current == nil ? restore { work(repeat each arguments) } : work(repeat each arguments)"))
mutant("unknown-task-locals-not-found", rule="4.9", breaks="A task-local that was not bound at the first capture is never carried.",
       file="MultiIdentity/Binding/OtherLocals.swift", within="func learnAll",
       replace=("let item = mi_companions_unknown", "now.pointee.count > 99, let item = mi_companions_unknown"))
mutant("policy-not-heeded", rule="4.9", breaks="A task-local that the policy leaves out is carried.",
       file="MultiIdentity/Carrying/IdentityCompanions+CarryAll.swift", within="func learn",
       replace=("treatment == .carry", "treatment != .refuse"))
mutant("list-of-a-parent-ignored", rule="4.9", breaks="A child task's work has none of its parent's task-locals.",
       file="CMultiIdentity/include/BoundList.h", within="mi_bound_with_value(",
       drop="if (kind != mi_bound_list.parent)")
mutant("jobs-of-actors-are-tasks", breaks="A job that is no task is shown and charged as whatever lies where a task has its bindings.",
       file="CMultiIdentity/BoundList.c", within="bool mi_bound_in_job",
       drop="if (*(const uintptr_t *)job != mi_bound_list.type_of_task)", tests="TaskRunTests")
mutant("scope-shown-after-it-ended", breaks="A run of a task is shown and charged as the scope that ended in it.",
       file="MultiIdentity/Binding/BindingFrame.swift", within="func end() {", drop="TaskRun.scopeEnds()", tests="TaskRunTests")
mutant("companions-not-taken-back", rule="4.9", breaks="A worker keeps the companions of the work that it ran.",
       file="MultiIdentity/Binding/CompanionValues.swift", within="func bindCompanions",
       drop="mi_companions_take_back(companionBytes, outer)")
mutant("owner-and-trigger-exchanged", rule="4.10",
       breaks="A handler that should run as its owner runs as the identity that triggers it, and vice versa.",
       file="MultiIdentity/Carrying/HandlerIdentity.swift", within="func restore", replace=("choice == .owner", "choice != .owner"))
mutant("mixed-join-runs-as-the-registrant", rule="4.11",
       breaks="What follows work of several identities runs as the identity that registered it, not as nobody.",
       file="MultiIdentity/Carrying/IdentityFanIn.swift", within="func follower",
       replace=(".with(.nobody, after: state.revoked)", ""))
mutant("batch-left-in-the-place", rule="4.12",
       breaks="Between two pieces of work the task-local keeps the first one's identity: a task started there inherits it.",
       file="MultiIdentity/Binding/BindingPlace.swift", within="func bind", drop="place.pointee = outer")
mutant("wrong-signature-believed", rule="4.13", breaks="The result of the check is ignored.",
       file="MultiIdentityCarriers/SignatureVerifier.swift", within="public func verify",
       replace=("guard try check(signature)", "guard try check(signature) || signature.signature.count == 8"))
mutant("inferred-and-required-all-the-same", rule="4.14",
       breaks="Code that requires an identity gets an inferred one, which is only for display.",
       file="MultiIdentity/Resolving/Identity+Current.swift", within="func require", replace=("== .isOnlyShown", "== .decides"))
mutant("turns-whatever-they-cost", rule="4.15", breaks="Identities take turns piece by piece, whatever these cost.",
       file="MultiIdentity/Boundaries/Queues/Turns/FairOrder.swift", within="func bucket", body="0")
mutant("time-of-turns-stands-still", rule="4.15", breaks="A new identity may use as much as the others have used before it came.",
       file="MultiIdentity/Boundaries/Queues/Turns/FairLine.swift", within="func take", drop="now = max(now, tenant.pointee.used)")
mutant("idleness-saves-up", rule="4.15", breaks="An identity that comes back may use what it left to the others.",
       file="MultiIdentity/Boundaries/Queues/Turns/FairLine.swift", within="func catchUp", body="")
mutant("debt-forgotten", rule="4.15", breaks="An identity without work is forgotten with its debt.",
       file="MultiIdentity/Boundaries/Queues/Turns/FairLine.swift", within="func forgetOne", drop=", tenant.pointee.used <= now")
mutant("one-weight-for-all", rule="4.15", breaks="Each identity has the same share, whatever its weight.",
       file="MultiIdentity/Boundaries/Queues/Turns/FairTenant.swift", within="init(", replace=("/ weight", "/ 1"))
mutant("barrier-overtaken-by-its-own", rule="4.15", breaks="Work that an identity hands over after a barrier begins before it.",
       file="MultiIdentity/Boundaries/Queues/Turns/WorkInTurns+Pump.swift", within="func next",
       drop="state.isHeld = piece.pointee.holds")
mutant("drained-while-suspended", rule="4.15", breaks="A fair queue that was suspended goes on to the end of its lines.",
       file="MultiIdentity/Boundaries/Queues/Turns/WorkInTurns+Pump.swift", within="func next",
       replace=("suspensions.load(…) > 0", "suspensions.load(…) < 0"))

# -- 5 Errors --

mutant("cut-and-not-said", rule="5.1", breaks="A long name is truncated in an error without a mark.",
       file="MultiIdentity/Identity/EscapedText.swift", within="private init<Units",
       replace=('shown.endIndex == units.endIndex ? "" : "…"', '""'))
mutant("last-iteration-lost", rule="5.2", breaks="The last of several iterations does not run.",
       file="MultiIdentity/Boundaries/Queues/IdentityQueue+ConcurrentPerform.swift", within="func concurrentPerform",
       replace=("iteration >= iterations {", "iteration >= iterations - 1 {"))

# -- 6 Lifetime --

mutant("registry-keeps-names", rule="6.1", breaks="The registry keeps an entry of every name that it ever knew.",
       file="MultiIdentity/Identity/IdentityRegistry.swift", within="func forget", drop="shard.entries.remove(at: index)")
mutant("box-not-released", rule="6.2", breaks="The box of a piece of work is never released.",
       file="MultiIdentity/Carrying/WorkBox.swift", within="runGivenUp",
       replace=("$0.move()", "$0.pointee"), tests="ReleaseTests/released")

# -- 7 What is looked for --

mutant("strict-whatever-was-asked-for", rule="7.1", breaks="Each check reports although only another one was enabled.",
       file="MultiIdentity/Observing/StrictMode.swift", within="func report",
       replace=("diagnostics.strictness.contains(check)", "!diagnostics.strictness.isEmpty"))
mutant("grace-not-given", rule="7.2", breaks="Work that outlives its scope is reported immediately, without the grace period.",
       file="MultiIdentity/Observing/StrictMode.swift", within="func look", replace=("age > diagnostics.grace,", ""))
mutant("beyond-its-budget-as-before", rule="7.3", breaks="Work beyond a budget that should run as nobody runs as its owner.",
       file="MultiIdentity/Carrying/IdentitySnapshot+RestoreObserved.swift", within="func admitted",
       replace=("= .nobody", "= identity"))
mutant("swapped-counted-as-same", rule="7.4", breaks="Restores that bind another identity count as those that found their own.",
       file="MultiIdentity/Carrying/IdentitySnapshot+RestoreObserved.swift", within="func runObserved",
       replace=("isUnset ? .same : .swapped", ".same"))
mutant("hops-of-running-work-lost", rule="7.5", breaks="Running work is listed without its hops.",
       file="MultiIdentity/Observing/RunningWorkRecord.swift", within="init(_ entry",
       replace=("entry.snapshot.hopCount", "0"))
mutant("sentinel-looks-at-the-task-local-alone", rule="7.6",
       breaks="A worker that was left showing another identity counts as clean.",
       file="MultiIdentity/Observing/PoolSentinel.swift", within="func ==", body="one.stored == other.stored")

# -- 10 Revocation --

mutant("revoked-work-begins", rule="10.1", breaks="Work that was captured before a revocation runs as its identity.",
       file="MultiIdentity/Binding/IdentitySnapshot+Standing.swift", within="func beginWork",
       replace=("!isPartOfCaller", "!isPartOfCaller, tally.isRevoked, tally.running > 1 << 20"))
mutant("begun-work-changes", rule="10.2", breaks="Work that has begun becomes nobody's at the revocation.",
       file="MultiIdentity/Revoking/OngoingWork.swift", within="var isHere", replace=("here != 0 ||", "here == 0 &&"))
mutant("inherited-goes-on", rule="10.3", breaks="A plain task keeps running as its creator after the revocation.",
       file="MultiIdentity/Revoking/OngoingWork.swift", within="var isRevokedHere",
       replace=("!isHere", "!isHere && hasEnded.load(ordering: .relaxed)"))
mutant("laundered-by-admission", rule="10.4", breaks="Work that became nobody's because its owner was revoked is admitted.",
       file="MultiIdentity/Resolving/EffectiveIdentity.swift", within="func refused(workOf",
       replace=("return revokedOwner", "return nil"))
mutant("sign-in-lifts-a-wipe", rule="10.5", breaks="A readmission after a sign-out also readmits a wiped name.",
       file="MultiIdentity/Revoking/RevokedNames.swift", within="func remove",
       replace=("|| reason == .wiped", "|| reason == .wiped || reason == .signedOut"))
mutant("one-shot-not-running", rule="10.6", breaks="Work in a box is not counted while it runs.",
       file="MultiIdentity/Revoking/OngoingWork+HandedOver.swift", within="var threadsInFlight", body="0")
mutant("late-handler-not-called", rule="10.7", breaks="A handler registered after the revocation waits for the next one.",
       file="MultiIdentity/Revoking/RevocationRegistration.swift", within="init(_ identity",
       replace=("isRevoked(identity)", "isRevoked(identity), identity.isNobody"))
mutant("dropped-and-run", rule="10.8", breaks="Work that is dropped runs anyway.",
       file="MultiIdentity/Revoking/IdentityRevocation.swift", within="func dropping", replace=("else { work() }", "; work()"),
       tests="RevokedGivenWorkTests/dropped|DroppedWorkTests/run")
mutant("revocation-never-off", rule="10.9", breaks="Revocation that was switched on cannot be switched off.",
       file="MultiIdentity/Revoking/IdentityRevocation.swift", within="var isOn > set", replace=("to: newValue", "to: true"))
