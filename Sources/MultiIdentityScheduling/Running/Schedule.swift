#if os(Linux)
import CMultiIdentityScheduling
import Foundation
import MultiIdentity

/// One run of a body under one schedule: one piece of work goes on at a time, and at each step a chooser says which.
///
/// `@unchecked Sendable`: at any moment one thread has the turn, and it alone touches any of this. The turn is given on by a
/// semaphore, which orders what one thread did before what the next one does.
final class Schedule: @unchecked Sendable {
    /// The schedule that runs; one at a time in a process, kept apart by ``ScheduleRunner``.
    ///
    /// `nonisolated(unsafe)`: set while no piece runs; read by the thread that has the turn.
    nonisolated(unsafe) static var current: Schedule?

    var chooser: any ScheduleChooser
    let settings: ScheduleSettings
    var steps: [ScheduleStep] = []
    var hash = ScheduleHash()
    let seesEveryStep: Bool
    /// The checks of the first choices, as another run of the same ones had them.
    let expected: [UInt8]
    /// Where this run differs.
    var divergence: String?
    var timeline = ScheduleTimeline()
    /// The number of the schedule, from 0.
    var number = 0

    private var queues: [UnsafeMutableRawPointer: ScheduledQueue] = [:]
    /// In the order in which they were first used: a dictionary's differs from process to process.
    private(set) var allQueues: [ScheduledQueue] = []
    /// Indicates whether any queue was given a target: without one, no queue has to wait for its turn on another.
    private(set) var hasTargets = false
    let tasks: ScheduledQueue
    /// Threads that the program starts: each is a piece with a worker of its own.
    private(set) lazy var threads: ScheduledQueue = {
        let queue = ScheduledQueue(allQueues.count, handle: nil, isConcurrent: true, target: nil, name: "threads")
        allQueues.append(queue)
        return queue
    }()
    /// Their pieces, by the system's number of the thread.
    var threadPieces: [UInt: ScheduledPiece] = [:]
    var threadCount = 0
    private var groups: [UnsafeMutableRawPointer: ScheduledGroup] = [:]
    private var semaphores: [UnsafeMutableRawPointer: ScheduledSemaphore] = [:]
    private var sources: [UnsafeMutableRawPointer: ScheduledSource] = [:]
    /// Those that an item notifies when it has run.
    var itemNotifications:
        [(item: UnsafeMutablePointer<mi_scheduled_item>, queue: ScheduledQueue, work: mi_scheduled_work)] = []

    /// The moments before the end of an item's work.
    var ends: [UnsafeMutableRawPointer: ScheduledClock] = [:]
    /// The last moment of each piece.
    var moments = ScheduledClock()
    var conditionWaiters: [ConditionWaiter] = []
    /// Those that have come to a barrier, by its address.
    var barriers: [UnsafeMutableRawPointer: ConditionWaiter] = [:]
    var lockNumbers: [UnsafeRawPointer: Int] = [:]
    /// The calls of `Task.yield`, by the task's number.
    var polls: [UnsafeMutableRawPointer: ScheduledPolls] = [:]
    /// Globals that are being made.
    var onces: [(predicate: UnsafeMutableRawPointer, step: Int)] = []
    /// Inactive queues that were activated.
    var activated: Set<UnsafeMutableRawPointer> = []

    /// A piece that can go on.
    struct Option {
        let piece: ScheduledPiece
        /// The worker that runs it, or waits to run it.
        let worker: ScheduledWorker?
        var begins = false
        /// True for the clock, which goes on before work that could.
        var isTime = false
    }

    /// Those of the step that is chosen now.
    var options: [Option] = []
    /// The number of steps that were begun.
    var stepCount = 0
    /// The objects that the present step has touched; `nil` if the strategy does not ask.
    var touches: ScheduledTouches?
    /// The number of objects that were made before the present step.
    var madeBefore: UInt64 = 0
    /// The number of workers with a piece that does not wait.
    var inProgress = 0
    /// The number of tasks that have begun and wait: each keeps a thread of Swift's pool.
    var blockedTasks = 0
    let poolWidth: Int
    private(set) var pieceCount = 0
    /// Workers with a piece that has begun.
    var busy: [ScheduledWorker] = []
    var idle: [ScheduledWorker]
    var workerCount: Int
    /// The worker that has the turn; `nil` before the first piece.
    var worker: ScheduledWorker?

    var timers: [(time: UInt64, repeats: Bool, happen: () -> Void)] = []
    /// The time that work may take, and how far and how often time has gone on before work.
    let workTime: UInt64
    var earlyTime: UInt64 = 0
    var earlyMoments = 0
    /// True if time has gone on before the step that begins next, where others could have been taken.
    var timeHasPassed = false
    /// The clock as a piece, whose priority says when time goes on; `nil` while it is not drawn.
    var clockPiece: ScheduledPiece?
    var isOver = false
    /// Called once nothing can go on any more, by a thread that is not controlled from there on.
    var whenOver: () -> Void = {}

    /// The things that are wrong with it.
    private(set) var findings: [String] = []
    var hasBodyEnded = false
    /// Prints what led to a signal that ends the program.
    var reportCrash: (_ signal: Int32) -> Void = { _ in }

    init(
        _ settings: ScheduleSettings,
        chooser: any ScheduleChooser,
        expecting expected: [UInt8] = [],
        idle: [ScheduledWorker],
        workerCount: Int
    ) {
        self.settings = settings
        self.chooser = chooser
        self.expected = expected
        seesEveryStep = chooser.seesEveryStep
        self.idle = idle
        self.workerCount = workerCount
        poolWidth = settings.poolWidth ?? ProcessInfo.processInfo.activeProcessorCount
        let (seconds, attoseconds) = settings.workTime.components
        workTime = UInt64(clamping: seconds) &* 1_000_000_000 &+ UInt64(clamping: attoseconds / 1_000_000_000)
        tasks = ScheduledQueue(0, handle: nil, isConcurrent: true, target: nil, name: "tasks")
        allQueues = [tasks]
        mi_scheduled_set_time(0)
        mi_scheduled_forget_locks()
        mi_scheduled_count_anew()
        mi_scheduled_draw_anew()
        if chooser.isReducing { touches = ScheduledTouches() }
    }

    // MARK: Objects

    func queue(_ handle: UnsafeMutableRawPointer) -> ScheduledQueue {
        if let queue = queues[handle] { return queue }
        let known = mi_scheduled_known(handle)
        let label = String(cString: mi_scheduled_label(handle))
        // By which `Task.yield` and `Task.sleep` come.
        if label == "Swift global concurrent queue" {
            queues[handle] = tasks
            return tasks
        }
        let isGlobal = label.hasPrefix("com.apple.root.")
        let target = mi_scheduled_made_with_target(handle).map { self.queue($0) }
        let queue = ScheduledQueue(
            allQueues.count,
            handle: handle,
            isConcurrent: isGlobal || known & 1 != 0,
            isGlobal: isGlobal,
            target: isGlobal ? nil : target
        )
        if known & 2 != 0 { queue.suspensions = 1 }
        if queue.target != nil { hasTargets = true }
        queues[handle] = queue
        allQueues.append(queue)
        return queue
    }

    func setTarget(of queue: UnsafeMutableRawPointer, to target: UnsafeMutableRawPointer?) {
        touch(self.queue(queue), isBarrier: true)
        self.queue(queue).target = target.map { self.queue($0) }
        touch(self.queue(queue), isBarrier: true)
        if target != nil { hasTargets = true }
    }

    func group(_ handle: UnsafeMutableRawPointer) -> ScheduledGroup {
        if let group = groups[handle] { return group }
        let group = ScheduledGroup(handle)
        groups[handle] = group
        return group
    }

    /// Returns a group that counts something.
    func enteredGroup(_ handle: UnsafeMutableRawPointer) -> ScheduledGroup? {
        groups[handle].flatMap { $0.count > 0 ? $0 : nil }
    }

    func semaphore(_ handle: UnsafeMutableRawPointer) -> ScheduledSemaphore {
        if let semaphore = semaphores[handle] { return semaphore }
        let semaphore = ScheduledSemaphore(handle)
        semaphores[handle] = semaphore
        return semaphore
    }

    /// Lets a source go, which fires no more.
    func forgetSource(_ source: UnsafeMutableRawPointer) { sources.removeValue(forKey: source)?.end() }

    /// Counts a semaphore's references: libdispatch ends a program that releases one with less than it was made with.
    func count(_ references: Int, of handle: UnsafeMutableRawPointer) {
        guard !semaphores.isEmpty, let semaphore = semaphores[handle], semaphore.isOfSchedule else { return }
        semaphore.references += references
        if semaphore.references == 0, semaphore.value < semaphore.valueAtFirst {
            let (value, first) = (semaphore.value, semaphore.valueAtFirst)
            find("a semaphore was released while in use: its value is \(value), and was \(first) when it was made")
        }
    }

    // MARK: Handing over

    @discardableResult
    func enqueue(
        _ work: mi_scheduled_work,
        on queue: ScheduledQueue,
        group: ScheduledGroup? = nil,
        waiter: ScheduledWorker? = nil,
        after delay: UInt64 = 0,
        behind clock: ScheduledClock? = nil
    ) -> ScheduledPiece {
        // What a thread runs inside its piece has that one's.
        let priority = waiter?.piece == nil ? chooser.priority() : 0
        let piece = ScheduledPiece(pieceCount, on: queue, work, group: group, waiter: waiter, priority: priority)
        (piece.made, piece.isTask) = (stepCount, queue === tasks)
        pieceCount += 1
        touch(queue, isBarrier: piece.isBarrier)
        if let group {
            group.count += 1
            touch(group.identity, .adds)
        }
        release(into: &piece.clock)
        if let clock { piece.clock.join(clock) }
        if delay > 0 {
            at(Self.time(now, plus: delay)) { queue.pending.append(piece) }
        } else {
            queue.pending.append(piece)
        }
        hash.add(queue.key)
        note(.handsOver(piece.number, to: queue.label))
        return piece
    }

    /// Returns a later time; the end of time where that would lie behind it.
    static func time(_ time: UInt64, plus delay: UInt64) -> UInt64 {
        let (later, isBehindTheEnd) = time.addingReportingOverflow(delay)
        return isBehindTheEnd ? .max : later
    }

    /// Has something happen when nothing else can any more, at a virtual time; never at the end of time, which does not come.
    func at(_ time: UInt64, repeats: Bool = false, _ happen: @escaping () -> Void) {
        guard time < .max else { return }
        touch(.time)
        let index = timers.firstIndex { $0.time > time } ?? timers.endIndex
        timers.insert((time, repeats, happen), at: index)
    }

    func source(_ handle: UnsafeMutableRawPointer) -> ScheduledSource? {
        guard !sources.isEmpty, let source = sources[handle] else { return nil }
        touch(source.identity)
        return source
    }

    func addSource(
        _ handle: UnsafeMutableRawPointer,
        _ kind: mi_scheduled_source_kind,
        on queue: UnsafeMutableRawPointer?
    ) {
        let identity = mi_scheduled_identity_of(handle)
        var queue = queue.map { self.queue($0) } ?? tasks
        if queue.isConcurrent {
            // Handlers of one source run one at a time on any queue.
            queue = ScheduledQueue(
                allQueues.count,
                handle: nil,
                isConcurrent: false,
                target: queue,
                name: queue.label
            )
            queue.identity = identity
            hasTargets = true
            allQueues.append(queue)
        }
        sources[handle] = ScheduledSource(kind, on: queue, identity: identity)
    }

    var now: UInt64 { mi_scheduled_time() }

    func find(_ finding: String) { if findings.count < 100 { findings.append(finding) } }

    func note(_ event: ScheduleTimeline.Event, of worker: ScheduledWorker? = nil) {
        let worker = worker ?? self.worker
        timeline.add(event, by: worker?.piece?.number, thread: worker?.number, at: now)
    }
}
#endif
