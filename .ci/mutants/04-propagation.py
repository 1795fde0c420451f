# What is handed over: whom it runs as, when that is captured, and what else goes with it.

CORE = "Sources/MultiIdentity/"
BOUNDARIES = CORE + "Boundaries/"
CARRYING = CORE + "Carrying/"
CAPTURE = CARRYING + "BoundaryCapture.swift"
RESTORE = CARRYING + "IdentitySnapshot+Restore.swift"
WRAP = CARRYING + "IdentitySnapshot+Wrap.swift"
HANDLE = BOUNDARIES + "Queues/QueueHandle.swift"
BATCH_TURN = BOUNDARIES + "Queues/Batches/WorkInBatches+Turn.swift"
CANCELLATION = BOUNDARIES + "Tasks/IdentityTasks+CancellationHandler.swift"
PLACE = CORE + "Binding/BindingPlace.swift"
OBSERVED = CORE + "Carrying/IdentitySnapshot+Observed.swift"
VALUES = CORE + "Binding/CompanionValues.swift"
COMPANIONS_C = "Sources/CMultiIdentity/Companions.c"
FAN_IN = CARRYING + "IdentityFanIn.swift"
HANDLER = CARRYING + "HandlerIdentity.swift"
WORK_BLOCK = "Sources/CMultiIdentity/WorkBlock.c"
FOUNDATION = "Sources/MultiIdentityFoundation/"
STAND_IN = FOUNDATION + "Operations/OperationStandIn.swift"
ADDED = FOUNDATION + "Operations/AddedOperation.swift"
ITEMS = "Sources/CMultiIdentityItems/Items.c"
QUEUES = "HandedOverWorkTests|DirtyWorkerTests"
BATCHES = "BatchOrderTests|BatchSuspensionTests|BatchIdentityTests|BatchReleaseTests|BindingPlaceTests"

mutant(
    "elided-on-dirty-workers", rule="4.1",
    breaks="A boundary's restore is left out wherever anything is bound: on a worker inside somebody's scope.",
    file=CAPTURE, within="func restore",
    replace=("ThreadMirror.shows(snapshot)", "ThreadMirror.current().identity != nil"),
    tests="DirtyWorkerTests",
)
mutant(
    "held-work-without-restore", rule="4.1", breaks="What a thread, timer or process is given runs as its thread.",
    file=FOUNDATION + "HeldWork.swift", within="func run(_ content", unwrap="content.captured.restore",
    tests="GivenWorkTests|ThreadTests|TimerTests",
)
mutant(
    "restore-not-ended-on-throw", rule="4.1",
    breaks="A restored snapshot whose work ends with an error leaves its identity on the thread.",
    file=CORE + "Binding/IdentitySnapshot+Bind.swift", within="func bind", drop="defer { Self.leave(outer) }",
    replace=("return try operation()", "let value = try operation()\nSelf.leave(outer)\nreturn value"),
    tests="IdentitySnapshotTests|WrappedClosureTests|ScopeTests",
)
mutant(
    "levels-read-at-the-hand-over", rule="4.2",
    breaks="The process level is what it was where levels were made, not what it is where somebody asks.",
    file=CORE + "Levels/IdentityLevels.swift", within="var process > set",
    instead=("processLevel.identity", "if processLevel.identity == nil { processLevel.identity = newValue }"),
    tests="IdentityLevelsTests|HandedOverWorkTests",
)
mutant(
    "unset-not-carried", rule="4.3", breaks="Work that a boundary captured with nothing bound runs as its worker.",
    file=CAPTURE, within="func restore",
    replace=("shows(snapshot)", "shows(snapshot) || snapshot.identity == nil"),
    tests="DirtyWorkerTests|HandedOverWorkTests",
)
mutant(
    "unset-not-carried-by-a-snapshot", rule="4.3", breaks="Restoring a snapshot of nothing changes nothing.",
    file=RESTORE, within="var wayToRestore", replace=("shows(self)", "shows(self) || identity == nil"),
    tests="WrappedClosureTests|IdentitySnapshotTests",
)
mutant(
    "unset-not-carried-by-async-restore", rule="4.3",
    breaks="Asynchronous restoring where nothing was captured changes nothing.",
    file=RESTORE, within="nonisolated(nonsending) func restore", first="if identity == nil { return try await operation() }",
    tests="IdentitySnapshotTests|WrappedClosureTests|AsyncScopeTests",
)
mutant(
    "lasting-binding-in-the-mirror-alone", rule="4.4",
    breaks="A worker's second piece of work sees its caller, and a task that it starts does not.",
    file="Sources/CMultiIdentity/include/LastingBinding.h", within="mi_lasting_enter", drop="lasting = bits",
    tests="LastingBindingTests|TaskInheritanceTests",
)

mutant(
    "item-of-nobody-as-its-performer", rule="4.3", breaks="A work item that captured nothing runs as whoever performs it.",
    file=WORK_BLOCK, within="run_here", replace=("&& mi_thread_current()->mirror == 0", ""), tests="WorkItemTests|DirtyWorkerTests",
)
mutant(
    "item-set-where-hidden", rule="3.6",
    breaks="A work item that is performed in an isolated deinit sets a binding that is hidden there, and believes it.",
    file=WORK_BLOCK, within="run_here", replace=("mi_lasting_enter_if_seen", "mi_lasting_enter"), tests="IsolatedDeinitTests",
)
mutant(
    "box-captured-late", rule="4.5", breaks="What is handed over in one box captures when it runs.",
    file=CORE + "Carrying/WorkBox.swift", within="func run",
    replace=("IdentitySnapshot.bind(…)", "BoundaryCapture(at: .async).restore"),
    tests=QUEUES,
)
mutant(
    "group-notification-captured-at-ready", rule="4.5",
    breaks="A group's notification captures when the group has become empty.",
    file=BOUNDARIES + "WorkItems/IdentityNotifier.swift", within="func notify",
    instead=(
        "handle.notify",
        "_ = (handle, group)\nregister(.unspecified, [], queue) { BoundaryCapture(at: .notify).restore(work) }",
    ),
    tests=QUEUES,
)
mutant(
    "work-item-captured-when-performed", rule="4.5", breaks="A work item captures each time it runs, not when it was made.",
    file=BOUNDARIES + "WorkItems/WorkBlock.swift", within="let run",
    replace=("contents.pointee.captured", "BoundaryCapture(at: .workItem)"),
    tests="HandedOverWorkTests|WorkItemTests",
)
mutant(
    "wrapped-captured-late", rule="4.5", breaks="A wrapped closure runs as whoever calls it.",
    file=WRAP, within="func wrap", replace=("restore(work)", "IdentitySnapshot.capture().restore(work)"),
    tests="WrappedClosureTests|HandedOverWorkTests",
)
mutant(
    "detached-twin-without-restore", rule="4.5", breaks="A detached task that should carry does not.",
    file=BOUNDARIES + "Tasks/DetachedWork.swift", within="struct DetachedWork > func start",
    replace=("snapshot.restore {…}", "operation()"),
    tests="HandedOverWorkTests|TaskInheritanceTests",
)
mutant(
    "elements-made-as-their-consumer", rule="4.5", breaks="A carrying sequence makes its elements as whoever iterates.",
    file=BOUNDARIES + "Streams/IdentityAsyncSequence.swift", within="func next(isolation",
    replace=("snapshot.restore {…}", "base.next(isolation: actor)"),
    tests="AsyncSequenceTests",
)
mutant(
    "sequence-captured-when-iterated", rule="4.5", breaks="A carrying sequence captures where its iterator is made.",
    file=BOUNDARIES + "Streams/IdentityAsyncSequence.swift", within="func makeAsyncIterator",
    replace=("captured.restore", "BoundaryCapture(at: .asyncSequence).restore"),
    tests="AsyncSequenceTests",
)
mutant(
    "event-captured-when-it-comes", rule="4.5", breaks="A source's event handler captures each time an event comes.",
    file=BOUNDARIES + "Sources/IdentitySource+Handlers.swift", within="func setEventHandler",
    replace=("BoundaryCapture(…).wrap($0)", "handler in { @Sendable in BoundaryCapture(…).restore(handler) }"),
    tests="SourceTests|HandedOverWorkTests",
)
mutant(
    "channel-barrier-uncarried", rule="4.5", breaks="A channel's barrier is handed over raw.",
    file=BOUNDARIES + "IO/IdentityIO.swift", within="func barrier", unwrap="BoundaryCapture(…).wrap",
    tests="ChannelTests|HandedOverWorkTests",
)
mutant(
    "deallocator-captured-late", rule="4.5", breaks="A deallocator captures when the data go.",
    file=BOUNDARIES + "IO/DispatchData+PropagatingIdentity.swift", within="func propagatingIdentity",
    replace=(", BoundaryCapture(…).wrap(block))", ") { BoundaryCapture(…).restore(block) }"),
    tests="DeallocatorTests|HandedOverWorkTests",
)
mutant(
    "callback-uncarried", rule="4.5", breaks="What C calls back runs as whatever its thread is.",
    file=BOUNDARIES + "Callbacks/IdentityCallback.swift", within="func run", unwrap="captured.restore",
    tests="CallbackTests|HandedOverWorkTests",
)
mutant(
    "on-cancel-as-the-canceller", rule="4.5", breaks="onCancel runs as whoever cancels.",
    file=CANCELLATION, within="func handle",
    instead=("captured.restore", "_ = (captured, isKnown)\nhandler()"),
    tests="CancellationHandlerTests",
)
mutant(
    "escalation-as-the-escalator", rule="4.5", breaks="A handler of an escalated priority runs as whoever escalates.",
    file=BOUNDARIES + "Tasks/IdentityTasks+PriorityEscalationHandler.swift", within="func withPriorityEscalationHandler",
    instead=("captured.restore", "_ = captured\nhandler(old, new)"),
    tests="PriorityEscalationTests",
)
mutant(
    "observation-as-the-writer", rule="4.5", breaks="A handler of an observed change runs as whoever makes it.",
    file=BOUNDARIES + "Callbacks/WithIdentityObservationTracking.swift", within="func handling",
    instead=("restore(triggeredBy", "handler()"),
    tests="ObservationTrackingTests",
)
mutant(
    "thread-captured-when-it-runs", rule="4.5", breaks="A detached thread captures on the new thread.",
    file=FOUNDATION + "Threads/Thread+PropagatingIdentity.swift", within="func detachNewThread",
    replace=("(runningOnce(…))", "{ runningOnce(…)() }"),
    tests="GivenWorkTests|ThreadTests",
)
mutant(
    "observer-as-the-poster", rule="4.5", breaks="An observer of notifications runs as whoever posts.",
    file=FOUNDATION + "Notifications/NotificationCenter+PropagatingIdentity.swift", within="func addObserver",
    instead=("captured.restore", "_ = (captured, isKnown)\nblock(notification)"),
    tests="NotificationTests|GivenWorkTests",
)
mutant(
    "operation-captured-at-ready", rule="4.5",
    breaks="An operation that waited for another captures when that has finished: it runs as that one, or as nobody in "
    "particular.",
    file=STAND_IN, within="func startAsAdder",
    replace=(
        "captured.restore",
        "(operation.dependencies.isEmpty ? captured : BoundaryCapture(at: .operation)).restore",
    ),
    tests="OperationIdentityTests",
)
mutant(
    "item-of-an-operation-captured-when-run", rule="4.5", breaks="An operation captures when its work item runs, on whatever worker.",
    file=ADDED, within="func run", replace=("captured.restore", "BoundaryCapture(at: .operation).restore"),
    tests="OperationIdentityTests",
)
mutant(
    "completion-set-later-uncarried", rule="4.5",
    breaks="A completion block that is set after its operation was added runs as whoever finishes.",
    file=ADDED, within="func run", drop="if let block = operation.completionBlock",
    tests="OperationIdentityTests|OperationTriggerTests",
)
mutant(
    "items-made-later-are-owned", rule="4.5", breaks="Work items that a thread makes after it added an operation run as its adder.",
    file=ITEMS, within="mi_item_owners_end", drop="here = outer",
    tests="OperationIdentityTests",
)
mutant(
    "later-items-have-no-owner", rule="4.5",
    breaks="Where a readiness of somebody's own adds an operation, the one that is asked runs as nobody.",
    file=ITEMS, within="owned", replace=("here.made < here.count ? here.made : here.count - 1", "here.made"),
    instead=("here.count == 0", "if (here.made >= here.count) return NULL;"),
    tests="OperationIdentityTests",
)
mutant(
    "data-task-uncarried", rule="4.5", breaks="The completion handler of a data task for a URL is handed over raw.",
    file="Sources/MultiIdentityNetworking/IdentityURLSession+Tasks.swift", within="func dataTask(with url",
    instead=("captured.wrap", "_ = captured\nreturn base.dataTask(with: url, completionHandler: completionHandler)"),
    tests="CompletionTests",
)

mutant(
    "helpers-not-restored", rule="4.6",
    breaks="What other threads run for a waiting one, as concurrentPerform's helpers do, runs as those threads.",
    file=BOUNDARIES + "Queues/CallersThread.swift", within="func run", drop="if !isThisOne",
    tests="ConcurrentPerformTests|DirtyWorkerTests",
)
mutant(
    "stand-in-starts-without-restore", rule="4.6", breaks="An operation starts as whatever its worker is.",
    file=STAND_IN, within="func startAsAdder", replace=("captured.restore", "do"),
    tests="OperationIdentityTests",
)
mutant(
    "barrier-is-none", rule="4.7", breaks="A barrier that has a handle is handed over as any other work.",
    file=HANDLE, within="func barrierAsync", replace=("dispatch_barrier_async_f", "dispatch_async_f"),
    tests="WrappedQueueTests|QueueHandleTests",
)
mutant(
    "group-not-counted", rule="4.7", breaks="Work in a group does not count for the group.",
    file=HANDLE, within="func async", replace=("dispatch_group_async_f(group.group,", "dispatch_async_f("),
    tests="WrappedQueueTests|ReleaseTests",
)
mutant(
    "own-readiness-ignored", rule="4.7", breaks="An operation that decides by itself when it is ready is started before.",
    file=STAND_IN, within="var isReady", replace=("if operation.isReady { return true }", "return true"),
    tests="WaitingOperationTests",
)
mutant(
    "those-that-wait-are-asked", rule="4.7",
    breaks="A queue asks each operation that waits anew, whenever another one finishes: n of them cost n times n.",
    file=STAND_IN, within="func dependAlike", drop="for other in others",
    tests="WaitingOperationTests",
)
mutant(
    "cancelled-and-waits-on", rule="4.7", breaks="A cancelled operation waits for what it depended on, which may never finish.",
    file=STAND_IN, within="func announceReadiness", replace=("giveWayToFree()", 'announce("isReady")'),
    tests="OperationCancellationTests",
)
mutant(
    "progress-not-counted", rule="4.7", breaks="A queue's progress does not count what ran by a stand-in.",
    file=STAND_IN, within="func start", replace=("if isCountedByProgress { super.start() } else { startOperation() }", "startOperation()"),
    tests="OperationParityTests",
)
mutant(
    "end-not-handed-on", rule="4.10", breaks="Who cancelled an operation that waited is forgotten where another stand-in takes over.",
    file=STAND_IN, within="func giveWay", replace=("Rest(end: end", "Rest(end: nil"),
    tests="OperationTriggerTests",
)
mutant(
    "cancellation-leaves-the-actor", rule="4.7", breaks="The operation beside an onCancel runs off its caller's actor.",
    file=CANCELLATION, within="func run", drop="_ = isolation",
    tests="CancellationHandlerTests",
)
mutant(
    "first-capture-does-not-win", rule="4.8",
    breaks="A closure with arguments or a value that is called inside another's scope runs as that one, though it was "
    "wrapped first.",
    file=WRAP, within="func wrap<each Argument, Value>",
    instead=(
        "restore {…}",
        "Identity.current == nil ? restore { work(repeat each arguments) } : work(repeat each arguments)",
    ),
    tests="HandedOverWorkTests|WrappedClosureTests",
)
mutant(
    "made-operation-gets-a-stand-in", rule="4.8",
    breaks="A block operation that was made to carry gets a stand-in all the same.",
    file=ADDED, within="func carriesAlready", replace=("operation is CarryingBlockOperation ||", ""),
    tests="OperationIdentityTests",
)
mutant(
    "cancelled-by-the-last", rule="4.10",
    breaks="An operation's trigger is who cancelled all of its queue's, though it had been cancelled before.",
    file=FOUNDATION + "Operations/CancelledOperations.swift", within="func note", replace=("!operation.isCancelled &&", ""),
    tests="OperationTriggerTests",
)
mutant(
    "immediate-detached-not-carried", rule="4.5", breaks="A detached task that begins at once runs with nothing bound.",
    file=BOUNDARIES + "Tasks/IdentityTasks+ImmediateDetached.swift", within="-> Task<Success, Never>",
    replace=("DetachedWork(operation, snapshot)", "DetachedWork(operation, IdentitySnapshot(of: nil))"),
    tests="ImmediateDetachedTests|HandedOverWorkTests",
)
mutant(
    "companions-not-captured", rule="4.9", breaks="Other task-locals that a program named stay behind.",
    file=VALUES, within="func withCompanions(_ bits", replace=("$0.withCompanions(table)", "$0"),
    tests="CompanionTests",
)
mutant(
    "companions-only-with-another-identity", rule="4.9",
    breaks="Companions are bound only where the identity has to be bound as well.",
    file=OBSERVED, within="func restoreNoted",
    replace=("shows(self) { bindCompanions(for: work) }", "shows(self) { work() }"),
    tests="CompanionTests",
)
mutant(
    "companions-of-another-capture", rule="4.9", breaks="All captures of a scope have the companions of the first one.",
    file=VALUES, within="func holdsCompanions", replace=("mi_companions_hold(companionBytes)", "true"),
    tests="CompanionFrameTests|CompanionTests",
)
mutant(
    "companions-not-taken-back", rule="4.9", breaks="A worker keeps the companions of the work that it ran.",
    file=VALUES, within="func bindCompanions", drop="mi_companions_take_back",
    tests="LastingCompanionTests",
)
mutant(
    "companions-set-beneath-others", rule="4.9",
    breaks="A companion is set where it stands, though somebody has bound it anew above.",
    file=COMPANIONS_C, within="are_innermost", replace=("!= binding->place", "== NULL"),
    tests="LastingCompanionTests",
)
mutant(
    "word-companions-of-another-capture", rule="4.9", breaks="The same of companions that are words.",
    file=COMPANIONS_C, within="words_hold", replace=("return false", "continue"),
    tests="WordCompanionTests",
)
mutant(
    "word-companions-set-beneath-others", rule="4.9",
    breaks="The same of companions that are words, which are bound together with the identity.",
    file=COMPANIONS_C, within="mi_companions_enter_work", replace=("!= binding->place", "== NULL"),
    tests="WordCompanionTests",
)
mutant(
    "word-companions-half-set", rule="4.9",
    breaks="Where the second of two is bound anew by somebody, the first one keeps the value of work that did not begin.",
    file=COMPANIONS_C, within="mi_companions_enter_work", drop="take_back_words(bindings->of, (uint32_t)",
    tests="WordCompanionTests",
)
mutant(
    "word-companions-lent-twice", rule="4.9", breaks="Values that are lent to work already are replaced, and then lost for it.",
    file=COMPANIONS_C, within="mi_companions_enter_work", replace=(" || bindings->lent) return", ") return"),
    tests="WordCompanionTests",
)
mutant(
    "word-companions-not-taken-back", rule="4.9", breaks="A worker keeps the companions of the work in a box that it ran.",
    file=COMPANIONS_C, within="mi_companions_leave_work", drop="take_back_words",
    tests="WordCompanionTests",
)
mutant(
    "companions-last-upon-others", rule="4.9",
    breaks="Bindings of companions are left upon somebody's scope, whose end ends one of them in its place.",
    file=COMPANIONS_C, within="mi_companion_become_lasting",
    replace=("!= (uintptr_t)(below - 3)", "== (uintptr_t)(below - 2)"),
    tests="LastingCompanionTests",
)
mutant(
    "captures-kept-without-end", rule="4.9", breaks="Each capture with other companions is kept until its scope ends.",
    file=VALUES, within="func capturing(", replace=("== Self.keptCaptures", "== 400"),
    tests="CompanionFrameTests",
)
mutant(
    "companion-pairs-left-out", rule="4.9", breaks="Values that closures read and bind do not cross.",
    file=VALUES, within="func bind(for body: () -> Void)", replace=("pairs.isEmpty", "!pairs.isEmpty"),
    tests="CompanionPairTests",
)
mutant(
    "companion-work-run-twice", rule="4.9", breaks="Work runs as often as a companion's closure calls it.",
    file=CARRYING + "IdentityCompanions.swift", within="func bind(_ body", drop="if hasRun { return }",
    tests="CompanionPairTests",
)
mutant(
    "owner-and-trigger-exchanged", rule="4.10",
    breaks="A handler that should run as its owner runs as whoever set it off, and the other way round.",
    file=HANDLER, within="func restore", replace=("choice == .owner", "choice != .owner"),
    tests="CancellationHandlerTests|StreamTerminationTests|TriggerTests",
)
mutant(
    "on-cancel-always-knows-who", rule="4.10",
    breaks="onCancel of a task that is cancelled already names that task as the one that cancelled.",
    file=CANCELLATION, within="let isKnown", replace=("|| hasBegun()", "|| true"),
    tests="CancellationHandlerTests",
)
mutant(
    "mixed-join-runs-as-the-registrant", rule="4.11",
    breaks="What follows work of several identities runs as whoever registered it, and not as nobody.",
    file=FAN_IN, within="func owner", replace=(".with(.nobody)", ""),
    tests="FanInTests",
)
mutant(
    "batch-left-in-the-place", rule="4.12",
    breaks="Between two pieces of work the task-local keeps the first one's identity: a task that is started there has it.",
    file=PLACE, within="func bind", drop="place.pointee = outer",
    tests=BATCHES,
)
mutant(
    "batch-goes-on-when-suspended", rule="4.12", breaks="A batch that has begun runs to its end on a suspended queue.",
    file=BATCH_TURN, within="extension WorkInBatches", drop="if suspensions",
    tests=BATCHES,
)
mutant(
    "batched-item-past-the-list", rule="4.12",
    breaks="A work item goes to the queue past the list, and runs beside its order.",
    file=BOUNDARIES + "Queues/IdentityQueue+Async.swift", within="func async(execute workItem",
    instead=("if let batches", "base.async(execute: workItem)"),
    tests=BATCHES,
)

INFERENCE = CORE + "Binding/IdentityInference.swift"
INFERRED = "InferredIdentityTests|InferredClaimTests"

mutant(
    "inferred-and-required-all-the-same", rule="4.14",
    breaks="Code that requires an identity gets one that was inferred and is only to be shown.",
    file=CORE + "Resolving/Identity+Current.swift", within="func require", replace=("== .isOnlyShown", "== .decides"),
    tests=INFERRED,
)
mutant(
    "inferred-and-counted-all-the-same", rule="4.14",
    breaks="Work counts as whoever automatic mode inferred, though that is only to be shown.",
    file=INFERENCE, within="var decidingIdentity", body="identity", tests=INFERRED,
)
mutant(
    "inferred-mark-not-set", rule="4.14", breaks="What automatic mode captures is not marked as inferred.",
    file=INFERENCE, within="func inferred", drop="contents.inference =", tests=INFERRED,
)
mutant(
    "inferred-mark-renewed", rule="4.14", breaks="Each capture by automatic mode hides where the identity was inferred first.",
    file=INFERENCE, within="func inferred", drop="inference != nil", tests=INFERRED,
)
mutant(
    "inferred-vouched-for-by-anybody", rule="4.14",
    breaks="Inferred work counts as explicit on a worker that is bound to somebody else.",
    file=INFERENCE, within="var vouchedFor", replace=("here.identity == identity", "here.identity != nil"), tests=INFERRED,
)
mutant(
    "inferred-vouched-for-by-inference", rule="4.14",
    breaks="Inferred work counts as explicit on a worker of whom the same was inferred.",
    file=INFERENCE, within="var vouchedFor", replace=("here.inference == nil,", ""), tests=INFERRED,
)
mutant(
    "inferred-mark-lost-in-a-fan-in", rule="4.14",
    breaks="What follows inferred work as its contributor runs as that one, unmarked.",
    file=FAN_IN, within="func owner", replace=("inferred: inference", "inferred: nil"), tests=INFERRED,
)
mutant(
    "inferred-and-claimed-all-the-same", rule="4.14",
    breaks="An identity that is only to be shown is claimed to another process.",
    file=CORE + "Resolving/Identity+Current.swift", within="func forDeciding",
    replace=("snapshot.withheldInference == nil ? current : nil", "current"), tests=INFERRED,
)
mutant(
    "inferred-and-owner-all-the-same", rule="4.14",
    breaks="A file is made in work whose identity is only to be shown, as nobody's.",
    file="Sources/MultiIdentityFiles/Files/IdentityFileSystem+Making.swift", within="func creator",
    drop="IdentityFileError(inference, path)", tests=INFERRED,
)
mutant(
    "inferred-and-allowed-all-the-same", rule="4.14",
    breaks="A question of policy about who is only to be shown is answered as about anybody.",
    file="Sources/MultiIdentityPolicy/Accounts/AccountsView+Deciding.swift", within="func decide",
    drop="by: .inferred", tests=INFERRED,
)
