# Threads, timers, run loops, notifications, processes, file handles and progress.

HELD = "Sources/MultiIdentityFoundation/HeldWork.swift"
HANDLE = "Sources/MultiIdentityFoundation/Files/FileHandle+PropagatingIdentity.swift"
CENTER = "Sources/MultiIdentityFoundation/Notifications/NotificationCenter+PropagatingIdentity.swift"
MESSAGES = "Sources/MultiIdentityFoundation/Notifications/PropagatingNotificationCenter+Messages.swift"
PROCESS = "Sources/MultiIdentityFoundation/Processes/Process+PropagatingIdentity.swift"
PROGRESS = "Sources/MultiIdentityFoundation/Progress/Progress+PropagatingIdentity.swift"
CARRYING_TIMER = "Sources/MultiIdentityFoundation/RunLoops/CarryingTimer.swift"
TIMER = "Sources/MultiIdentityFoundation/RunLoops/Timer+PropagatingIdentity.swift"
LOOP = "Sources/MultiIdentityFoundation/RunLoops/RunLoop+PropagatingIdentity.swift"
THREAD = "Sources/MultiIdentityFoundation/Threads/Thread+PropagatingIdentity.swift"

mutant(
    "held-work-without-restore",
    "What a thread, timer or process is given runs as its thread.",
    "GivenWorkTests|ThreadTests|TimerTests", HELD,
    "content.captured.restore { call(content.work) }",
    "call(content.work)",
)
mutant(
    "held-work-kept",
    "Work that comes once is kept after it has run.",
    "GivenWorkLifetimeTests|ThreadTests", HELD,
    "            content = nil\n",
    "",
)
mutant(
    "thread-captured-when-it-runs",
    "A detached thread captures on the new thread.",
    "GivenWorkTests|ThreadTests", THREAD,
    "Thread.detachNewThread(runningOnce(block, BoundaryCapture(at: .thread, fileID, line)))",
    "Thread.detachNewThread { runningOnce(block, BoundaryCapture(at: .thread, fileID, line))() }",
)
mutant(
    "thread-object-uncarried",
    "A thread that is made and started later runs its block raw.",
    "GivenWorkTests|ThreadTests", THREAD,
    "Thread(block: runningOnce(block, BoundaryCapture(at: .thread, fileID, line)))",
    "Thread(block: block)",
)
mutant(
    "timer-captured-when-it-fires",
    "A timer made for an interval captures each time it fires.",
    "GivenWorkTests|TimerTests", TIMER,
    "        CarryingTimer.make(block, BoundaryCapture(at: .timer, fileID, line)) {\n"
    "            CarryingTimer.Base(timeInterval:",
    "        let block: @Sendable (Timer) -> Void = { timer in\n"
    "            BoundaryCapture(at: .timer, fileID, line).restore { block(timer) }\n"
    "        }\n"
    "        return CarryingTimer.make(block, withIdentity(nil) { BoundaryCapture(at: .timer) }) {\n"
    "            CarryingTimer.Base(timeInterval:",
)
mutant(
    "invalid-timer-keeps-its-work",
    "A timer that was made invalid keeps its block and what was captured.",
    "GivenWorkLifetimeTests|TimerTests", CARRYING_TIMER,
    "        super.invalidate()\n        held?.letGo()\n",
    "        super.invalidate()\n",
)
mutant(
    "timer-fires-once",
    "A timer that repeats lets go of its work after the first time.",
    "TimerTests|GivenWorkTests", CARRYING_TIMER,
    "if timer.timeInterval == 0 { held.letGo() }",
    "held.letGo()",
)
mutant(
    "run-loop-captured-late",
    "A run loop's block captures when the loop comes to it.",
    "GivenWorkTests|RunLoopTests", LOOP,
    "base.perform(BoundaryCapture(at: .runLoop, of: RunLoop.Mode.default.rawValue, fileID, line).wrap(block))",
    "base.perform { BoundaryCapture(at: .runLoop, of: nil, fileID, line).restore(block) }",
)
mutant(
    "run-loop-modes-uncarried",
    "A run loop's block for given modes is handed over raw.",
    "GivenWorkTests|RunLoopTests", LOOP,
    "base.perform(inModes: modes, block: BoundaryCapture(at: .runLoop, of: place(), fileID, line).wrap(block))",
    "_ = place\n        base.perform(inModes: modes, block: block)",
)
mutant(
    "observer-as-the-poster",
    "An observer of notifications runs as whoever posts.",
    "NotificationTests|GivenWorkTests", CENTER,
    "captured.restore(triggeredBy: isKnown ? .ofTrigger : nil) { block(notification) }",
    "_ = (captured, isKnown)\n            block(notification)",
)
mutant(
    "poster-not-told",
    "An observer that runs in the poster's work cannot tell who posted.",
    "NotificationTests", CENTER,
    "triggeredBy: isKnown ? .ofTrigger : nil",
    "triggeredBy: isKnown ? nil : nil",
)
mutant(
    "message-observer-uncarried",
    "An observer of typed messages on the main actor runs as whoever posts.",
    "MessageTests", MESSAGES,
    "{ message in restore(triggeredBy: .ofTrigger) { observer(message) } }",
    "{ message in observer(message) }",
)
mutant(
    "async-message-observer-uncarried",
    "An asynchronous observer of typed messages runs as nobody in particular.",
    "MessageTests", MESSAGES,
    "{ message in await snapshot.restore { () async -> Void in await observer(message) } }",
    "{ message in await observer(message) }",
)
mutant(
    "termination-handler-uncarried",
    "A process's termination handler is set raw.",
    "ProcessTests|GivenWorkTests", PROCESS,
    "                        held.runOnce { $0(process) }\n",
    "                        withExtendedLifetime(held) { work(process) }\n",
)
mutant(
    "termination-handler-captured-late",
    "A process's termination handler captures when the process ends.",
    "ProcessTests|GivenWorkTests", PROCESS,
    "                let held = HeldWork(work, captured)\n",
    "                let late: @Sendable (Process) -> Void = { process in\n"
    "                    BoundaryCapture(at: .processTermination).restore { work(process) }\n"
    "                }\n"
    "                let held = HeldWork(late, withIdentity(nil) { BoundaryCapture(at: captured.boundary) })\n",
)
mutant(
    "file-handle-captured-late",
    "A file handle's handlers capture when there is something to read.",
    "FileHandleTests|GivenWorkTests", HANDLE,
    "        let captured = BoundaryCapture(at: .fileHandle, of: place)\n"
    "        return { handle in captured.restore { work(handle) } }",
    "        return { handle in BoundaryCapture(at: .fileHandle, of: place).restore { work(handle) } }",
)
mutant(
    "writeability-uncarried",
    "A file handle's handler for writing is set raw.",
    "FileHandleTests|GivenWorkTests", HANDLE,
    'newValue.map { carrying($0, "writeability") }',
    "newValue",
)
mutant(
    "progress-captured-late",
    "A progress's handlers capture when it is cancelled, paused or resumed.",
    "ProgressTests|GivenWorkTests", PROGRESS,
    "BoundaryCapture(at: .progress, of: place).wrap(work)",
    "{ BoundaryCapture(at: .progress, of: place).restore(work) }",
)
mutant(
    "pausing-uncarried",
    "A progress's handler for pausing is set raw.",
    "ProgressTests|GivenWorkTests", PROGRESS,
    'newValue.map { carrying($0, "pausing") }',
    "newValue",
)
