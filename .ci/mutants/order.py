# Errors of order: what is right in some schedules, or for one piece of work alone. `.ci/check-order-mutants` plants all of them in
# one copy, and has controlled schedules and the stress program look for each.

CORE = "Sources/MultiIdentity/"
QUEUES = CORE + "Boundaries/Queues/"
ASYNC = QUEUES + "IdentityQueue+Async.swift"
AFTER = QUEUES + "IdentityQueue+AsyncAfter.swift"
TURN = QUEUES + "Batches/WorkInBatches+Turn.swift"
BATCHES = QUEUES + "Batches/WorkInBatches+Queue.swift"
NOTIFIER = CORE + "Boundaries/WorkItems/IdentityNotifier.swift"
JOINING = QUEUES + "IdentityQueue+Joining.swift"
OBSERVED = CORE + "Carrying/IdentitySnapshot+Observed.swift"
DRAINING = CORE + "SigningOut/IdentityRevocation+Draining.swift"
OPERATIONS = "Sources/MultiIdentityFoundation/Operations/"
STAND_IN = OPERATIONS + "OperationStandIn.swift"
LEASE = "Sources/MultiIdentityLease/"
DESK = LEASE + "Leasing/LeaseDesk+Synchronous.swift"

# -- Queues --

mutant(
    "async-captured-in-one-place", rule="4.5",
    breaks="Captures are kept in one place, so that work runs as who handed over last.",
    file=ASYNC, within="func async",
    replace=("} handle.async(WorkBox(work, …))", "} ; LastCapture.keep(capture(at: .async, fileID, line)) ; "
             "handle.async(WorkBox({ LastCapture.restore(work) }, captureForOneShot(at: .async, fileID, line)))"),
)
mutant(
    "due-work-captured-when-it-runs", rule="4.5", breaks="Work for later is captured when it runs.",
    file=AFTER, within="func asyncAfter",
    replace=("handle.async(after: deadline.rawValue, WorkBox(…))", "handle.async(after: deadline.rawValue, WorkBox({ "
             "BoundaryCapture(at: .asyncAfter).restore(work) }, OneShotCapture(BoundaryCapture(of: .nothing, at: .asyncAfter))))"),
)
mutant(
    "barrier-dropped", rule="4.7", breaks="A barrier is handed over as any other work.",
    file=ASYNC, within="func async", replace=("handle.barrierAsync", "handle.async"),
)
mutant(
    "waited-barrier-dropped", rule="4.7", breaks="A barrier that is waited for runs beside other work.",
    file=QUEUES + "IdentityQueue+Sync.swift", within="func runAndWait", replace=("base.sync(flags: flags) {…}", "base.sync {…}"),
)
mutant(
    "group-left-at-the-hand-over", rule="4.7", breaks="A group is left when its work was handed over, and not when it has run.",
    file=ASYNC, within="func async",
    replace=("if flags.isEmpty, let group = GroupHandle(of: group) {…}", "if flags.isEmpty { group.enter() ; defer { group.leave() } ; "
             "return handle.async(WorkBox(work, captureForOneShot(at: .async, fileID, line))) }"),
)
mutant(
    "group-notified-at-once", rule="4.7", breaks="A group's notification is handed over when it is registered.",
    file=NOTIFIER, within="func notify", replace=("handle.notify(of: group, …)", "handle.async(…)"),
)
mutant(
    "item-notified-at-once", rule="4.7", breaks="An item's notification is handed over when it is registered.",
    file=NOTIFIER, within="func register",
    replace=("item.notify(qos: qos, flags: flags, queue: queue, execute: work)", "queue.async(qos: qos, flags: flags, execute: work)"),
)
mutant(
    "iterations-bound-once", rule="4.6", breaks="A thread that helps has the caller's identity for its first iteration only.",
    file=QUEUES + "IdentityQueue+ConcurrentPerform.swift", within="func concurrentPerform",
    replace=("caller.run { while true {…} }", """var isFirst = true
        while true {
            let iteration = next.wrappingAdd(1, ordering: .relaxed).oldValue
            if iteration >= iterations { break }
            if isFirst { caller.run { work(iteration) } } else { work(iteration) }
            isFirst = false
        }"""),
)

# -- Scopes, closures, tasks and sources --

mutant(
    "reinstatement-lost", rule="3.2", breaks="After a scope inside another the thread goes on to show the inner one.",
    file=CORE + "Binding/ThreadMirror.swift", within="func leaveInPlace", drop="show(outer)",
)
mutant(
    "restore-skipped-where-bound", rule="4.1", breaks="A closure runs as its worker, where that has anything bound.",
    file=CORE + "Carrying/IdentitySnapshot+Restore.swift", within="var wayToRestore",
    replace=("ThreadMirror.shows(self)", "ThreadMirror.currentBits != 0"),
)
mutant(
    "detached-captured-in-one-place", rule="4.5", breaks="A detached task runs as who made the last one before it began.",
    file=CORE + "Boundaries/Tasks/DetachedWork.swift", within="struct DetachedWork > func start",
    replace=("Self.isolated { _ = actor return await snapshot.restore {…} }",
             "LastCapture.keep(snapshot) ; return Self.isolated { _ = actor ; return await LastCapture.snapshot.restore {…} }"),
)
mutant(
    "handlers-captured-in-one-place", rule="4.5", breaks="A source's handler runs as who set the last handler of any source.",
    file=CORE + "Boundaries/Sources/IdentitySource+Handlers.swift", within="func setEventHandler",
    replace=("handler.map { BoundaryCapture(at: .sourceEvent, fileID, line).wrap($0) }", """handler.map { handler -> @Sendable () -> Void in
            LastCapture.keep(BoundaryCapture(at: .sourceEvent, fileID, line))
            return { LastCapture.restore(handler) }
        }"""),
)
mutant(
    "cancelled-and-noted-later", rule="4.10", breaks="Who cancels a source is noted after it was cancelled.",
    file=CORE + "Boundaries/Sources/IdentitySource.swift", within="func cancel",
    body="let wasCancelled = source.isCancelled\nsource.cancel()\nif !wasCancelled { SourceCancellation.note(of: source as AnyObject) }",
)

# -- What follows several --

mutant(
    "fan-in-counts-what-runs", rule="4.11", breaks="Work contributes from when it runs, and not from its hand-over.",
    file=JOINING, within="func async", drop="fanIn.begin()",
    replace=("work() fanIn.end()", "fanIn.begin() ; work() ; fanIn.end()"),
)
mutant(
    "fan-in-ends-before-the-work", rule="4.11", breaks="A contribution counts as ended before its work has run.",
    file=JOINING, within="func async", replace=("work() fanIn.end()", "fanIn.end() ; work()"),
)
mutant(
    "fan-in-names-the-first", rule="4.11", breaks="What follows is told who finished first, and not last.",
    file=CORE + "Carrying/IdentityFanIn.swift", within="func end", replace=("state.running == 0", "state.last == nil"),
)

# -- Batches --

mutant(
    "suspension-seen-between-looks", rule="4.12", breaks="A batch looks for a suspension only where it looks for more work.",
    file=TURN, within="func run", drop="return .queueIsSuspended",
    instead=("return .listIsEmpty", """if !findsMore(after: position.ran, &position.known) { return .listIsEmpty }
            if suspensions.load(ordering: .relaxed) > 0 { return .queueIsSuspended }"""),
    replace=("if position.ran == position.known, !findsMore(after: position.ran, &position.known) { if", "if position.ran == position.known { if"),
)
mutant(
    "sync-overtakes-what-is-owed", rule="4.12", breaks="After a suspension, what is waited for overtakes work of the batch that was cut short.",
    file=TURN, within="func fallBehind", drop="isBehind.store(true, ordering: .relaxed)",
)
mutant(
    "due-work-overtakes-what-is-owed", rule="4.12", breaks="After a suspension, due work overtakes work of the batch that was cut short.",
    file=BATCHES, within="func inTurn",
    replace=("if isUpToDate { captured.restore(work) } else {…}", "captured.restore(work)"),
)
mutant(
    "due-work-overtaken", rule="4.12", breaks="Work that is due already is overtaken by what is handed over after it.",
    file=AFTER, within="func asyncAfter", drop="if deadline <= .now() { return batches.async(nil, qos, flags, work, captured) }",
)
mutant(
    "turn-that-has-ended-counted-on", rule="4.12", breaks="Who adds work counts on a turn that has found no more and ended.",
    file=TURN, within="func findsMore", replace=("tally.withoutRoom", "tally.word"),
)
mutant(
    "resumed-before-suspended", rule="4.12", breaks="A batch that gives way asks to be resumed before it is suspended.",
    file=TURN, within="func giveWay", drop="queue.suspend()",
    instead=("target.async {…}", "target.async { [queue] in queue.resume() }\nqueue.suspend()"),
)
mutant(
    "group-entered-after-the-hand-over", rule="4.12", breaks="A batch's group is entered when the work was handed over already.",
    file=BATCHES, within="func async",
    replace=("group?.enter() if qos == .unspecified", "defer { group?.enter() } ; if qos == .unspecified"),
)

# -- Revocation --

mutant(
    "drain-one-early", rule="10.6", breaks="A drain ends while one piece of work still runs.",
    file=DRAINING, within="func workInFlight",
    replace=("record.tally.running + record.threadsInFlight", "max(0, record.tally.running + record.threadsInFlight - 1)"),
)
mutant(
    "drain-looks-once", rule="10.6", breaks="A drain does not see that the last work has ended.",
    file=DRAINING, within="func drained",
    replace=("while true { let left = workInFlight(of: identity)", "let left = workInFlight(of: identity) ; while true {"),
)
mutant(
    "boxed-work-left-early", rule="10.6", breaks="Work that was handed over once is no longer counted when it begins.",
    file=CORE + "Carrying/WorkBox.swift", within="func restoreCounted",
    replace=("{ job.work() work", "{ OngoingWork.handedOverEnds() ; job.work() ; work"),
)
mutant(
    "restored-work-left-early", rule="10.6", breaks="Restored work is no longer counted when it begins.",
    file=OBSERVED, within="func restoreObserved",
    replace=("begun(features, at: boundary) defer { ongoing?.end() }", "begun(features, at: boundary) ; ongoing?.end()"),
)
mutant(
    "restored-task-left-early", rule="10.6", breaks="Asynchronous work that is restored is no longer counted when it begins.",
    file=OBSERVED, within="func restoreObserved",
    replace=("begun(features, at: .snapshot) defer { ongoing?.end() }", "begun(features, at: .snapshot) ; ongoing?.end()"),
)
mutant(
    "scope-left-before-its-work", rule="10.6", breaks="An asynchronous scope counts as ended before its first suspension.",
    file=CORE + "Binding/WithIdentity.swift", within="func withIdentity",
    replace=("defer { scope.end() } return try await", "scope.end() ; return try await"),
)
mutant(
    "begun-without-a-look", rule="10.1", breaks="Work that was handed over before a revocation begins as the revoked.",
    file=CORE + "Revoking/OngoingWork+HandedOver.swift", within="func handedOverBegins",
    instead=("tally.keepsOut", "if tally.running >= 0 { return true }"),
)
mutant(
    "life-looked-up-when-it-runs", rule="10.5", breaks="Work of a life that ended runs in the next one.",
    file=CORE + "Revoking/WorkTally.swift", within="func keepsOut", body="isRevoked",
)
mutant(
    "handed-on-into-the-next-life", rule="10.5", breaks="What work of a life that ended hands over belongs to the next one.",
    file=CORE + "Binding/IdentitySnapshot+Standing.swift", within="func beginCapture",
    replace=("CapturedWork(of: record, generation, isPartOfCaller: waits)",
             "CapturedWork(of: record, record.tally.generation, isPartOfCaller: waits)"),
)
mutant(
    "registered-too-late", rule="10.7", breaks="A handler that is registered after the revocation is not called.",
    file=CORE + "SigningOut/RevocationRegistration.swift", within="init(_ identity", drop="RevocationHandlers.shared.callLate(for: identity)",
)
mutant(
    "handlers-called-again", rule="10.7", breaks="Whoever calls the handlers leaves them to be called again.",
    file=CORE + "Revoking/RevocationHandlers.swift", within="func call",
    replace=("state.handlers.removeValue(forKey: identity)", "state.handlers[identity]"),
)
mutant(
    "handlers-before-the-revocation", rule="10.7", breaks="Handlers are called before the name is revoked.",
    file=CORE + "SigningOut/IdentityRevocation+Revoking.swift", within="func revoke",
    body="""if identity.isNobody { return 0 }
        isOn = true
        let called = RevocationHandlers.shared.call(for: identity)
        RevokedNames.shared.add(identity, for: reason)
        return called""",
)
mutant(
    "watchers-told-later", rule="14.7", breaks="A revocation returns before leases and caches know of it.",
    file=CORE + "Revoking/RevokedNames.swift", within="func change",
    replace=("for watcher in watchers { watcher.tell() }", "LastCapture.later { for watcher in watchers { watcher.tell() } }"),
)
mutant(
    "dropping-decided-at-the-hand-over", rule="10.8", breaks="Whether work is to be dropped is asked when it is handed over.",
    file=CORE + "SigningOut/IdentityRevocation+Dropping.swift", within="func dropping",
    body="let owner = revokedOwner\nreturn { if let owner { handler(owner) } else { work() } }",
)

# -- Leases, and what is keyed by identity --

mutant(
    "waiter-not-woken", rule="14.8", breaks="A thread that waits for a lease is given it, and sleeps on.",
    file=LEASE + "Pooling/LeaseWaiter.swift", within="func callAsFunction", replace=("semaphore.signal()", "_ = semaphore"),
)
mutant(
    "waiter-forgotten", rule="14.8", breaks="A resource that comes back rests, though somebody waits.",
    file=LEASE + "Pooling/LeaseLedger.swift", within="func release",
    replace=("state.isShutDown || !state.line.isEmpty", "state.isShutDown"),
)
mutant(
    "given-back-before-it-is-cleared", rule="14.4", breaks="A resource is given back, and then cleared.",
    file=DESK, within="func checkIn", drop="giveBack(slot)",
    instead=("do { try clear(slot) } catch {…}", "giveBack(slot)\ndo { try clear(slot) } catch { return }"),
)
mutant(
    "leased-to-the-revoked", rule="14.7", breaks="Who is revoked between being granted a resource and having it bound gets it.",
    file=DESK, within="func bound", drop="try admit(turn)",
)
mutant(
    "last-come-first-served", rule="14.9", breaks="Of those who wait, who came last has the next turn.",
    file=LEASE + "Pooling/FairLine.swift", within="func popFirst", replace=("turns.popFirst()", "turns.popLast()"),
)
mutant(
    "closed-while-used", rule="14.4", breaks="A resource is closed while a task uses it.",
    file=LEASE + "Pooling/LeaseSlot.swift", within="func closeWhenLeft",
    replace=("old & Self.users == 0, old & Self.closing == 0", "old & Self.closing == 0"),
)
mutant(
    "returned-while-used", rule="14.4", breaks="A resource is returned while a task uses it.",
    file=LEASE + "Leasing/LeaseDesk.swift", within="func end", drop="if isInUse { return .stillUsed }",
)
mutant(
    "place-free-before-it-is-closed", rule="14.8", breaks="The place of a resource that is to be closed is free while it is used.",
    file=LEASE + "Pooling/LeaseLedger.swift", within="func discard",
    replace=("if slot.closeWhenLeft() { vacate(slot.index) }", "_ = slot.closeWhenLeft() ; vacate(slot.index)"),
)
mutant(
    "committed-after-the-revocation", rule="14.7", breaks="A transaction commits, though its lessee was revoked meanwhile.",
    file=LEASE + "Leasing/Lease+Transactions.swift", within="func withTransactionBlocking",
    replace=("value = try work() try turn.check()", "value = try work()"),
)
mutant(
    "landed-after-its-end", rule="14.12", breaks="What a load of a life that ended returns is kept for the next one.",
    file=LEASE + "Keyed/SingleFlight.swift", within="func land", replace=("if isCurrent, case", "if isCurrent || true, case"),
)
mutant(
    "flight-ends-the-next-one", rule="14.10", breaks="A load that ends is taken for the one that began after it.",
    file=LEASE + "Keyed/SingleFlight.swift", within="func finish",
    replace=("if $0[key] === flight { $0[key] = nil }", "$0[key] = nil"),
)
mutant(
    "answered-after-the-revocation", rule="14.13", breaks="A batch answers whoever was revoked while it was loaded.",
    file=LEASE + "Keyed/Batcher.swift", within="func run",
    replace=("load(Array(batch.joiners.keys)) } try IdentityRevocation.admit(owner)", "load(Array(batch.joiners.keys)) }"),
)
mutant(
    "joined-what-is-loaded", rule="14.13", breaks="A batch that is full stays open, and is loaded again.",
    file=LEASE + "Keyed/Batcher.swift", within="func value", replace=("isFull ? nil : batch", "batch"),
)
mutant(
    "closed-by-an-earlier-timer", rule="14.13", breaks="The end of an earlier batch's time closes the next one.",
    file=LEASE + "Keyed/Batcher.swift", within="func close", replace=("batch.number == number", "batch.number >= number"),
)
mutant(
    "acknowledged-before-it-is-handled", rule="14.14", breaks="A message is acknowledged, and then handled.",
    file=LEASE + "Consuming/IdentityConsumer.swift", within="func consume", drop="try await acknowledge(message)",
    replace=("withIdentity(verified) {", "withIdentity(verified) { try await acknowledge(message)\n"),
)

# -- Operations --

mutant(
    "waits-for-the-last-alone", rule="4.7", breaks="Who waits for several operations waits for the last one only.",
    file=OPERATIONS + "IdentityOperationQueue.swift", within="func addOperations",
    replace=("for operation in operations { operation.waitUntilFinished() }", "operations.last?.waitUntilFinished()"),
)
mutant(
    "barrier-block-dropped", rule="4.7", breaks="A barrier block is added as any other.",
    file=OPERATIONS + "IdentityOperationQueue.swift", within="func addBarrierBlock",
    replace=("super.addBarrierBlock", "super.addOperation"),
)
mutant(
    "finished-when-started", rule="4.7", breaks="A queue is told that an asynchronous operation has finished, when it has started.",
    file=STAND_IN, within="func start",
    replace=("announceFinish()", 'phase.store(.left, ordering: .releasing) ; announce("isFinished")'),
)
mutant(
    "started-though-not-ready", rule="4.7", breaks="An operation starts that was given a dependency after it was added.",
    file=STAND_IN, within="func start", replace=(" || !operation.isReady && giveWay(and: .left)", ""),
)
mutant(
    "operation-cancelled-and-noted-later", rule="4.10", breaks="Who cancels an operation is noted when its queue knows of that already.",
    file=STAND_IN, within="func cancel",
    body="let wasCancelled = operation.isCancelled\noperation.cancel()\nfollow()\nif !wasCancelled { end().noteCancelled() }",
)
mutant(
    "completion-captured-after-the-start", rule="4.5", breaks="A completion block is given its identity when the operation was started already.",
    file=STAND_IN, within="func startAsAdder", drop="OperationAttendant.shared.starting(operation.start)",
    replace=("captured.restore { if let", "captured.restore { OperationAttendant.shared.starting(operation.start) ; if let"),
)
