# Operation queues.

STAND_IN = "Sources/MultiIdentityFoundation/Operations/OperationStandIn.swift"
QUEUE = "Sources/MultiIdentityFoundation/Operations/IdentityOperationQueue.swift"
VIEW = "Sources/MultiIdentityFoundation/Operations/OperationQueue+PropagatingIdentity.swift"
BLOCK = "Sources/MultiIdentityFoundation/Operations/CarryingBlockOperation.swift"

mutant(
    "stand-in-starts-without-restore",
    "An operation starts as whatever its worker is.",
    "OperationIdentityTests", STAND_IN,
    "        captured.restore {\n            if let block",
    "        do {\n            if let block",
)
mutant(
    "operation-captured-at-ready",
    "An operation that waited for another captures when that has finished: it runs as that one, or as nobody in particular.",
    "OperationIdentityTests", STAND_IN,
    "        captured.restore {\n            if let block",
    "        (operation.dependencies.isEmpty ? captured : BoundaryCapture(at: .operation)).restore {\n            if let block",
)
mutant(
    "completion-block-under-the-finisher",
    "A completion block runs as whoever finished the operation.",
    "OperationIdentityTests", STAND_IN,
    "operation.completionBlock = captured.wrapOnce(block, endedBy: end)",
    "operation.completionBlock = block; _ = captured",
)
mutant(
    "successor-captured-anew",
    "A stand-in that gives place to another has that one capture where it is made, on the queue.",
    "OperationIdentityTests|OperationParityTests", STAND_IN,
    "let successor = OperationStandIn(for: operation, captured)",
    "let successor = OperationStandIn(for: operation, BoundaryCapture(at: .operation))",
)
mutant(
    "own-readiness-ignored",
    "An operation that decides by itself when it is ready is started before.",
    "OperationParityTests", STAND_IN,
    "super.isReady && operation.isReady",
    "super.isReady",
)
mutant(
    "barrier-block-uncarried",
    "A queue that carries hands barrier blocks over raw.",
    "OperationIdentityTests", QUEUE,
    "super.addBarrierBlock(BoundaryCapture(at: .barrierBlock, of: name).wrap(barrier))",
    "super.addBarrierBlock(barrier)",
)
mutant(
    "barrier-block-uncarried-by-the-view",
    "The view of a plain queue hands barrier blocks over raw.",
    "OperationIdentityTests", VIEW,
    "base.addBarrierBlock(BoundaryCapture(at: .barrierBlock, of: base.name, fileID, line).wrap(barrier))",
    "base.addBarrierBlock(barrier)",
)
mutant(
    "closure-captured-late",
    "A closure added through the view of a queue captures when it runs.",
    "OperationIdentityTests", VIEW,
    "base.addOperation(BoundaryCapture(at: .operation, of: base.name, fileID, line).wrap(block))",
    "base.addOperation { BoundaryCapture(at: .operation, of: base.name, fileID, line).restore(block) }",
)
mutant(
    "execution-blocks-uncarried",
    "The blocks of an operation that was made of a closure run as their worker.",
    "OperationIdentityTests", BLOCK,
    "super.addExecutionBlock(captured.wrap(block))",
    "super.addExecutionBlock(block)",
)
mutant(
    "closures-completion-block-uncarried",
    "The completion block of an operation that was made of a closure runs as its worker.",
    "OperationIdentityTests", BLOCK,
    "captured.restore(triggeredBy: hasRun ? captured.snapshot : nil, block)",
    "_ = (captured, hasRun)\n                    block()",
)
mutant(
    "snapshot-kept-with-the-operation",
    "An operation that has run keeps what was captured for it.",
    "OperationLifetimeTests", "Sources/MultiIdentityFoundation/Operations/BoundaryCapture+WrapOnce.swift",
    "defer { held = nil }",
    "defer { held = held.map { $0 } }",
)
mutant(
    "chosen-quality-lost",
    "A closure's operation does not get the quality of service that was chosen for its queue.",
    "OperationParityTests", QUEUE,
    "if let chosen = chosenQualityOfService.withLock({ $0 }) { operation.qualityOfService = chosen }",
    "",
)
mutant(
    "closures-completion-block-as-its-setter",
    "The completion block of an operation that was made of a closure runs as whoever set it.",
    "OperationIdentityTests", BLOCK,
    "let captured = captured.restore { BoundaryCapture(at: .completionBlock, of: name) }",
    "let captured = BoundaryCapture(at: .completionBlock, of: name)",
)
mutant(
    "cancelled-operation-names-the-last-canceller",
    "Of an operation that was cancelled before, whoever cancels it again is said to have ended it.",
    "OperationTriggerTests", STAND_IN,
    "if !operation.isCancelled { end.noteCancelled() }",
    "end.noteCancelled()",
)
mutant(
    "operation-cancelled-meanwhile-names-its-finisher",
    "Of an operation that was cancelled while it ran, whoever finished it is said to have ended it.",
    "OperationTriggerTests", STAND_IN,
    "if let operation, !operation.isCancelled { end.noteFinished() }",
    "if operation != nil { end.noteFinished() }",
)
mutant(
    "cancelled-closure-is-said-to-have-run",
    "A closure's operation that was cancelled is said to have run to its end.",
    "OperationTriggerTests", BLOCK,
    "let hasRun = self?.isCancelled == false",
    "let hasRun = self != nil",
)
mutant(
    "made-operation-carries-nothing",
    "A block operation that was made to carry does not.",
    "OperationIdentityTests", "Sources/MultiIdentityFoundation/Operations/BlockOperation+PropagatingIdentity.swift",
    "CarryingBlockOperation(block, BoundaryCapture(at: .operation, fileID, line))",
    "BlockOperation(block: block)",
)
mutant(
    "made-operation-gets-a-stand-in",
    "A block operation that was made to carry gets a stand-in all the same.",
    "OperationIdentityTests", STAND_IN,
    "operation is CarryingBlockOperation || ",
    "",
)
