# Queues that drain their work in batches.

BATCHES = "Sources/MultiIdentity/Boundaries/Batches/WorkInBatches.swift"
TURN = "Sources/MultiIdentity/Boundaries/Batches/WorkInBatches+Turn.swift"
BATCH_QUEUE = "Sources/MultiIdentity/Boundaries/Batches/WorkInBatches+Queue.swift"
PIECE = "Sources/MultiIdentity/Boundaries/Batches/BatchedWork.swift"
PLACE = "Sources/MultiIdentity/Binding/BindingPlace.swift"
BATCH_ASYNC = "Sources/MultiIdentity/Boundaries/IdentityQueue+Async.swift"
TESTS = "BatchOrderTests|BatchSuspensionTests|BatchIdentityTests|BatchReleaseTests|BindingPlaceTests"

mutant(
    "batched-captured-at-the-drain",
    "Work in a batch is captured when the batch runs it.",
    TESTS, PIECE,
    "if isCarried { captured.restore(work) } else { work() }",
    "if isCarried { BoundaryCapture(at: captured.boundary).restore(work) } else { work() }",
    "place.bind(captured.snapshot, for: work)",
    "place.bind(ThreadMirror.current(), for: work)",
)
mutant(
    "batch-bound-once",
    "A batch binds the identity of the first piece of work that has one, and keeps it for the others.",
    TESTS, PLACE,
    "        let bits = ThreadMirror.bits(of: snapshot)\n",
    "        if place.pointee != ThreadMirror.bitsOfNothing { return work() }\n        let bits = ThreadMirror.bits(of: snapshot)\n",
    "        _ = ThreadMirror.show(shown)\n        place.pointee = outer\n",
    "        _ = shown\n",
)
mutant(
    "batch-let-go-in-scope",
    "What a piece of work captured goes while its identity is bound.",
    TESTS, PLACE,
    "        _ = ThreadMirror.show(shown)\n        place.pointee = outer\n",
    "        _ = shown\n",
)
mutant(
    "batch-left-in-the-place",
    "Between two pieces of work the task-local keeps the first one's identity: a task that is started there has it.",
    TESTS, PLACE,
    "        place.pointee = outer\n",
    "",
)
mutant(
    "batch-left-in-the-mirror",
    "Between two pieces of work the worker shows the first one's identity.",
    TESTS, PLACE,
    "        _ = ThreadMirror.show(shown)\n",
    "        _ = shown\n",
)
mutant(
    "batch-in-the-mirror-alone",
    "Work in a batch sees its caller, and a task that it starts does not.",
    TESTS, PLACE,
    "        place.pointee = bits ^ ThreadMirror.bitsOfNothing\n",
    "",
)
mutant(
    "batch-goes-on-when-suspended",
    "A batch that has begun runs to its end on a suspended queue.",
    TESTS, TURN,
    "            if suspensions.load(ordering: .relaxed) > 0 { return .queueIsSuspended }\n",
    "",
)
mutant(
    "sync-before-the-rest-of-a-batch",
    "sync does not wait for the rest of a batch that was cut short by a suspension.",
    TESTS, BATCH_QUEUE,
    "            queue.sync {\n                guard isUpToDate else { return }\n",
    "            queue.sync {\n",
)
mutant(
    "delayed-before-the-rest-of-a-batch",
    "Delayed work does not wait for the rest of a batch that was cut short by a suspension.",
    TESTS, BATCH_QUEUE,
    "            if isUpToDate { captured.restore(work) } else { async(work, captured) }\n",
    "            captured.restore(work)\n",
)
mutant(
    "behind-for-ever",
    "A queue that fell behind never catches up: what waits for it waits for ever.",
    TESTS, TURN,
    "        isBehind.store(false, ordering: .relaxed)\n",
    "",
)
mutant(
    "no-turn-after-the-bound",
    "Work beyond what one turn runs gets no turn of its own.",
    TESTS, BATCHES,
    "(hasRoom ? 0 &- 1 : UInt64(Self.bound) - 1)",
    "(hasRoom ? 0 &- 1 : 255)",
)
mutant(
    "no-turn-after-a-suspension",
    "What is left of a batch that was cut short gets no other turn.",
    TESTS, TURN,
    "            askForTurn()\n            return Tally",
    "            return Tally",
)
mutant(
    "room-kept-by-an-ended-turn",
    "A turn that ended with an empty list counts for what is added later.",
    TESTS, TURN,
    "                desired: tally.withoutRoom,\n",
    "                desired: tally.word,\n",
)
mutant(
    "batch-without-a-bound",
    "A turn runs all there is, and others on the target wait for it.",
    TESTS, TURN,
    "        let limit = position.ran &+ UInt64(Self.bound)\n",
    "        let limit = UInt64.max\n",
)
mutant(
    "batch-gives-no-way",
    "A busy queue keeps its target, turn after turn.",
    TESTS, TURN,
    "        case .boundIsReached: giveWay()\n",
    "        case .boundIsReached: break\n",
)
mutant(
    "batched-item-past-the-list",
    "A work item goes to the queue past the list, and runs beside its order.",
    TESTS, BATCH_ASYNC,
    "        if let batches { batches.async(nil, workItem) } else { base.async(execute: workItem) }\n",
    "        base.async(execute: workItem)\n",
)
mutant(
    "batched-group-left-too-early",
    "A group hears of a piece of work in a batch before that has let go of what it captured.",
    TESTS, PIECE,
    "        _ = consume self\n        group.leave()\n",
    "        group.leave()\n        _ = consume self\n",
)
