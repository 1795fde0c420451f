# Queues, groups, work items and detached tasks.

QUEUE = "Sources/MultiIdentity/Boundaries/IdentityQueue.swift"
ASYNC = "Sources/MultiIdentity/Boundaries/IdentityQueue+Async.swift"
AFTER = "Sources/MultiIdentity/Boundaries/IdentityQueue+AsyncAfter.swift"
BOX = "Sources/MultiIdentity/Boundaries/HandedOver.swift"
HANDLE = "Sources/MultiIdentity/Boundaries/QueueHandle.swift"
CALLER = "Sources/MultiIdentity/Boundaries/CallersThread.swift"
NOTIFIER = "Sources/MultiIdentity/Boundaries/IdentityNotifier.swift"
WORK_BLOCK = "Sources/MultiIdentity/Boundaries/WorkBlock.swift"
TASK = "Sources/MultiIdentity/Boundaries/Task+PropagatingIdentity.swift"
QUEUES = "HandedOverWorkTests|DirtyWorkerTests"

mutant(
    "box-captured-late",
    "What is handed over in one box captures when it runs.",
    QUEUES, BOX,
    "IdentitySnapshot.bind(takingOver: bits) { job.work() }",
    "BoundaryCapture(at: .async).restore { job.work() }",
)
mutant(
    "async-captured-late",
    "async with a quality of service captures inside the closure, when that runs.",
    QUEUES, ASYNC,
    "        let captured = capture(at: .async, fileID, line)\n"
    "        base.async(group: group, qos: qos, flags: flags, execute: captured.wrap(work))",
    "        base.async(group: group, qos: qos, flags: flags) { capture(at: .async, fileID, line).restore(work) }",
)
mutant(
    "captured-when-the-queue-was-wrapped",
    "A queue captures once, when it is made or wrapped, and not for each piece of work.",
    "CompanionTests|FanInTests|OperationIdentityTests", QUEUE,
    "    let handle: QueueHandle?\n",
    "    let handle: QueueHandle?\n    let captured = BoundaryCapture(at: .async)\n",
    "        BoundaryCapture(at: boundary, onto: base, fileID, line)\n",
    "        captured\n",
)
mutant(
    "barrier-uncarried",
    "A barrier is handed over raw.",
    QUEUES, ASYNC,
    "return handle.barrierAsync(HandedOver(work, capture(at: .async, fileID, line)))",
    "return base.async(flags: .barrier, execute: work)",
)
mutant(
    "barrier-is-none",
    "A barrier that has a handle is handed over as any other work.",
    "WrappedQueueTests|QueueHandleTests", HANDLE,
    "dispatch_barrier_async_f(queue,",
    "dispatch_async_f(queue,",
)
mutant(
    "group-not-counted",
    "Work in a group does not count for the group.",
    "WrappedQueueTests|ReleaseTests", HANDLE,
    "dispatch_group_async_f(group.group, queue,",
    "dispatch_async_f(queue,",
)
mutant(
    "notification-on-the-wrong-queue",
    "A group's notification runs on a global queue.",
    "RealCodeTests|WorkItemTests", HANDLE,
    "dispatch_group_notify_f(group.group, queue,",
    "dispatch_group_notify_f(group.group, dispatch_get_global_queue(0, 0),",
)
mutant(
    "group-notification-captured-at-ready",
    "A group's notification captures when the group has become empty.",
    QUEUES, NOTIFIER,
    "        handle.notify(of: group, HandedOver(work, captured))\n",
    "        _ = (handle, group)\n        register(.unspecified, [], queue) { BoundaryCapture(at: .notify).restore(work) }\n",
)
mutant(
    "notification-uncarried",
    "The notification of an item, and a group's with a quality of service, is handed over raw.",
    QUEUES, NOTIFIER,
    "register(.unspecified, [], queue, captured.wrap(work))",
    "register(.unspecified, [], queue, work)",
    "register(qos, flags, queue, BoundaryCapture(at: .notify, onto: queue, fileID, line).wrap(work))",
    "register(qos, flags, queue, work)",
)
mutant(
    "after-a-wall-clock-uncarried",
    "asyncAfter a wall clock's deadline is handed over raw.",
    QUEUES, AFTER,
    "return handle.async(after: wallDeadline.rawValue, HandedOver(work, capture(at: .asyncAfter, fileID, line)))",
    "return base.asyncAfter(wallDeadline: wallDeadline, execute: work)",
)
mutant(
    "after-with-flags-uncarried",
    "asyncAfter with a quality of service or flags is handed over raw.",
    QUEUES, AFTER,
    "base.asyncAfter(deadline: deadline, qos: qos, flags: flags, execute: captured.wrap(work))",
    "_ = captured\n        base.asyncAfter(deadline: deadline, qos: qos, flags: flags, execute: work)",
)
mutant(
    "distant-future-handed-over",
    "asyncAfter the distant future is handed over, where plain Dispatch drops it.",
    "DistantFutureTests", HANDLE,
    "if time != dispatch_time_t.max { dispatch_after_f(",
    "do { dispatch_after_f(",
)
mutant(
    "box-not-released",
    "The box of a piece of work is never let go of.",
    "ReleaseTests", BOX,
    "&contents.pointee.job) { $0.move() }",
    "&contents.pointee.job) { $0.pointee }",
)
mutant(
    "dropped-box-not-released",
    "Work that is dropped before it has run is never let go of.",
    "ReleaseTests", BOX,
    "        contents.deinitialize(count: 1)\n",
    "",
)
mutant(
    "same-identity-kept",
    "Where the worker has the identity bound already, the reference that came with the work is never given back.",
    "ReleaseTests", "Sources/MultiIdentity/Binding/IdentitySnapshot+Bind.swift",
    "            if bits != ThreadMirror.bitsOfNothing { release(bits) }\n",
    "",
)
mutant(
    "one-iteration-more",
    "concurrentPerform runs one iteration more than it was asked for.",
    "ConcurrentPerformTests", "Sources/MultiIdentity/Boundaries/IdentityQueue+ConcurrentPerform.swift",
    "if iteration >= iterations { break }",
    "if iteration > iterations { break }",
)
mutant(
    "box-kept-after-run",
    "The box that ran last is kept until the next one has run.",
    "ReleaseTests", BOX,
    "            IdentitySnapshot.bind(takingOver: bits) { job.work() }\n",
    "            IdentitySnapshot.bind(takingOver: bits) { job.work() }\n"
    "            let old = Self.last.withLock { last in\n"
    "                defer { last = job.work }\n"
    "                return last\n"
    "            }\n"
    "            withExtendedLifetime(old) {}\n",
    "    private let contents",
    "    private static let last = Locked<(@Sendable () -> Void)?>(nil)\n    private let contents",
)
mutant(
    "work-item-captured-when-performed",
    "A work item captures each time it runs, not when it was made.",
    "HandedOverWorkTests|WorkItemTests", WORK_BLOCK,
    "contents.pointee.captured.restore(contents.pointee.work)",
    "BoundaryCapture(at: .workItem).restore(contents.pointee.work)",
)
mutant(
    "work-block-never-let-go",
    "What a work item holds stays when the item goes.",
    "ReleaseTests|WorkItemTests", WORK_BLOCK,
    "        contents(of: memory).deinitialize(count: 1)\n",
    "        _ = memory\n",
)
mutant(
    "helpers-not-restored",
    "What other threads run for a waiting one, as concurrentPerform's helpers do, runs as those threads.",
    "ConcurrentPerformTests|DirtyWorkerTests", CALLER,
    "        if !isThisOne { return captured.restore(work) }\n",
    "",
)
mutant(
    "restored-on-the-wrong-thread",
    "What a thread waits for is restored on that thread, and not where another runs it.",
    "ConcurrentPerformTests|DirtyWorkerTests", CALLER,
    "if !isThisOne { return captured.restore(work) }",
    "if isThisOne { return captured.restore(work) }",
)
mutant(
    "main-lost-in-sync",
    "What main code runs through sync on a queue is not main any more.",
    "MainTests", CALLER,
    "if MainProbe.wouldBeLostInSync { MainProbe.onBehalfOfMain(boundary) } else { boundary() }",
    "boundary()",
)
mutant(
    "detached-twin-without-restore",
    "A detached task that should carry does not.",
    "HandedOverWorkTests|TaskInheritanceTests", TASK,
    "return Task.detached(priority: priority) { await snapshot.restore { await operation() } }",
    "_ = snapshot\n        return Task.detached(priority: priority) { await operation() }",
)
mutant(
    "throwing-detached-twin-captured-late",
    "A detached task that throws captures when it runs.",
    "HandedOverWorkTests|TaskInheritanceTests", TASK,
    "{ try await snapshot.restore { try await operation() } }",
    "{ _ = snapshot; return try await IdentitySnapshot.capture().restore { try await operation() } }",
)
