# Errors of order: each is right for one piece of work alone, or in some orders. Controlled schedules look for them.

mutant("async-captured-in-one-place", rule="4.5", breaks="Captures are kept in one place, so that work runs as the last caller.",
       file="MultiIdentity/Boundaries/Queues/IdentityQueue+Async.swift", within="func async",
       replace=("handle.async(WorkBox(work, …))",
                "LastCapture.keep(BoundaryCapture(at: .async, onto: base, fileID, line)) ; handle.async(WorkBox({ LastCapture.restore(work) }, BoundaryCapture(at: .async, onto: base, runsOnce: true, fileID, line)))"))
mutant("group-left-at-the-hand-over", rule="4.7", breaks="A group is left when its work was handed over, not when it has run.",
       file="MultiIdentity/Boundaries/Queues/QueueHandle.swift", within="struct QueueHandle > func hand",
       replace=("guard let group = GroupHandle(of: group) else { return false } dispatch_group_async_f(group.group, queue, box().givenUp(), WorkBox.runGivenUp)",
                "group.enter() ; async(box()) ; group.leave()"))
mutant("item-notified-at-once", rule="4.7", breaks="An item's notification is handed over when it is registered.",
       file="MultiIdentity/Boundaries/WorkItems/IdentityNotifier.swift", within="func register",
       replace=("item.notify(qos: qos, flags: flags, queue: queue, execute: work)",
                "queue.async(qos: qos, flags: flags, execute: work)"))
mutant("restore-skipped-where-bound", rule="4.1", breaks="A closure runs as its worker if that has anything bound.",
       file="MultiIdentity/Carrying/IdentitySnapshot+Restore.swift", within="var wayToRestore",
       replace=("ThreadMirror.shows(self)", "ThreadMirror.currentBits != 0"))
mutant("detached-captured-in-one-place", rule="4.5", breaks="A detached task runs as the creator of the latest one before it began.",
       file="MultiIdentity/Boundaries/Tasks/DetachedWork.swift", within="struct DetachedWork > var plainStart",
       body="""LastCapture.keep(snapshot)
return { () async -> Success in await LastCapture.snapshot.restore { () async -> Success in await operation() } }""")
mutant("cancelled-and-noted-later", rule="4.10", breaks="The identity that cancels a source is recorded after the cancellation.",
       file="MultiIdentity/Boundaries/Sources/IdentitySource.swift", within="func cancel",
       body="""let wasCancelled = source.isCancelled
source.cancel()
if !wasCancelled { SourceCancellation.note(of: source as AnyObject) }""")
mutant("fan-in-ends-before-the-work", rule="4.11", breaks="A contribution counts as ended before its work has run.",
       file="MultiIdentity/Boundaries/Queues/IdentityQueue+Joining.swift", within="func async",
       replace=("work() fanIn.end()", "fanIn.end() ; work()"))
mutant("suspension-seen-between-looks", rule="4.12", breaks="A batch checks for a suspension only when it checks for more work.",
       file="MultiIdentity/Boundaries/Queues/Batches/WorkInBatches+Turn.swift", within="func run",
       replace=("known, !findsMore(after: position.ran, &position.known) { return .listIsEmpty } if suspensions.load(…) > 0 {…}",
                "known { if !findsMore(after: position.ran, &position.known) { return .listIsEmpty } ; if suspensions.load(…) > 0 {…} }"))
mutant("turn-that-has-ended-counted-on", rule="4.12",
       breaks="A caller that adds work relies on a turn that has found no more and ended.",
       file="MultiIdentity/Boundaries/Queues/Batches/WorkInBatches+Turn.swift", within="func findsMore",
       replace=("tally.withoutRoom", "tally.word"))
mutant("place-given-back-unnoticed", rule="4.15", breaks="Work that waits in a fair queue gets no place that a barrier gives back.",
       file="MultiIdentity/Boundaries/Queues/Turns/WorkInTurns.swift", within="func giveBack",
       replace=("resume {…}", "state.withLock(of: self) {…}"))
mutant("boxed-work-left-early", rule="10.6", breaks="Work that was handed over once is no longer counted when it begins.",
       file="MultiIdentity/Carrying/IdentitySnapshot+RestoreObserved.swift", within="func runObserved",
       replace=("else { work() }", "else { OngoingWork.handedOverEnds() ; work() }"))
mutant("scope-left-before-its-work", rule="10.6", breaks="An asynchronous scope counts as ended before its first suspension.",
       file="MultiIdentity/Binding/WithIdentity.swift", within="func withIdentity",
       replace=("defer { scope.end() } return try await", "scope.end() ; return try await"))
mutant("registered-too-late", rule="10.7", breaks="A handler that is registered after the revocation is not called.",
       file="MultiIdentity/Revoking/RevocationRegistration.swift", within="init(_ identity",
       drop="_ = Self.call(for: identity)")
mutant("dropping-decided-at-the-hand-over", rule="10.8", breaks="Whether to drop work is decided when it is handed over.",
       file="MultiIdentity/Revoking/IdentityRevocation.swift", within="func dropping",
       body="""let owner = revokedOwner
return { if let owner { handler(owner) } else { work() } }""")
mutant("watchers-told-later", rule="14.7", breaks="A revocation returns before leases and caches are notified.",
       file="MultiIdentity/Revoking/RevokedNames.swift", within="func change",
       replace=("for watcher in watchers { watcher.notify() }",
                "LastCapture.later { for watcher in watchers { watcher.notify() } }"))
mutant("leased-to-the-revoked", rule="14.7",
       breaks="An identity that is revoked after being granted a resource and before its binding gets it.",
       file="MultiIdentityLease/Leasing/LeaseDesk+Synchronous.swift", within="func bound", drop="try admit(turn)")
mutant("place-free-before-it-is-closed", rule="14.8", breaks="The slot of a resource to be closed is free while it is still used.",
       file="MultiIdentityLease/Pooling/LeaseLedger.swift", within="func discard",
       replace=("if slot.closeWhenLeft() { vacate(slot.index) }", "_ = slot.closeWhenLeft() ; vacate(slot.index)"))
mutant("answered-after-a-revocation", rule="14.10", breaks="A caller that was revoked after its load ended is answered anyway.",
       file="MultiIdentityLease/Keyed/Joiner.swift", within="func value", drop="try owner.admit()")
mutant("finished-when-started", rule="4.7", breaks="A queue is notified that an asynchronous operation has finished when it has started.",
       file="MultiIdentityFoundation/Operations/OperationStandIn.swift", within="func start",
       replace=("announceFinish()", 'phase.store(.left, ordering: .releasing) ; announce("isFinished")'))
mutant("operation-cancelled-and-noted-later", rule="4.10", breaks="The canceller of an operation is recorded after its queue knows.",
       file="MultiIdentityFoundation/Operations/OperationStandIn.swift", within="func cancel",
       body="let wasCancelled = operation.isCancelled\noperation.cancel()\nfollow()\nif !wasCancelled { added.noteCancelled() }")
