#if os(Linux)
import CMultiIdentityScheduling

/// A dispatch source in a schedule: a timer, or one for the program's own data.
final class ScheduledSource {
    private let kind: mi_scheduled_source_kind
    let queue: ScheduledQueue
    let identity: UInt64
    /// The program's blocks, owned; `nil` if there is none.
    private var handlers: [UInt32: UnsafeMutableRawPointer] = [:]
    /// The data that arrived since the event handler last ran, and the data that it was given.
    private(set) var data: UInt = 0
    private(set) var delivered: UInt = 0
    var suspensions = 1
    var isActive = false
    var isCancelled = false
    /// True while a work item waits to run the event handler.
    var isPending = false
    /// Increases with each setting of the timer: an earlier setting never fires.
    var setting = 0
    var references = 1

    init(_ kind: mi_scheduled_source_kind, on queue: ScheduledQueue, identity: UInt64) {
        self.kind = kind
        self.identity = identity
        self.queue = queue
    }

    deinit { end() }

    func setHandler(_ which: mi_scheduled_handler, _ block: UnsafeMutableRawPointer?) {
        let old = isCancelled ? block : handlers.removeValue(forKey: which.rawValue)
        if !isCancelled { handlers[which.rawValue] = block }
        if let old { mi_scheduled_release_block(old) }
    }

    func takeHandler(_ which: mi_scheduled_handler) -> UnsafeMutableRawPointer? {
        handlers.removeValue(forKey: which.rawValue)
    }

    func merge(_ value: UInt) {
        switch kind {
        case mi_scheduled_source_or: data |= value
        case mi_scheduled_source_replace: data = value
        default: data &+= value
        }
    }

    /// Runs the event handler, unless the source has been cancelled or suspended.
    func runHandler() {
        Schedule.current?.recordAccess(identity)
        isPending = false
        guard !isCancelled, suspensions == 0, data != 0, let block = handlers[mi_scheduled_handler_event.rawValue]
        else { return }
        (delivered, data) = (data, 0)
        mi_scheduled_call_block(block)
    }

    /// Releases the handlers: nothing fires any more.
    func end() {
        isCancelled = true
        let blocks = handlers.sorted { $0.key < $1.key }.map(\.value)
        handlers = [:]
        for block in blocks { mi_scheduled_release_block(block) }
    }
}

extension Schedule {
    /// Hands the event handler over, if there is data and it is not already pending.
    func deliver(_ source: ScheduledSource) {
        guard source.data != 0, !source.isPending, !source.isCancelled, source.suspensions == 0 else { return }
        source.isPending = true
        let run: @convention(c) (UnsafeMutableRawPointer?) -> Void = { context in
            guard let context else { return }
            Unmanaged<ScheduledSource>.fromOpaque(context).takeRetainedValue().runHandler()
        }
        let context = Unmanaged.passRetained(source).toOpaque()
        enqueue(mi_scheduled_work(function: run, context: context, item: nil, is_barrier: false), on: source.queue)
    }

    func resume(_ source: ScheduledSource) {
        source.suspensions = max(0, source.suspensions - 1)
        if !source.isActive {
            source.isActive = true
            runOnce(mi_scheduled_handler_registration, of: source)
        }
        deliver(source)
        yield()
    }

    func cancel(_ source: ScheduledSource) {
        guard !source.isCancelled else { return }
        source.isCancelled = true
        source.setting += 1
        runOnce(mi_scheduled_handler_cancel, of: source)
        source.end()
    }

    private func runOnce(_ which: mi_scheduled_handler, of source: ScheduledSource) {
        guard let block = source.takeHandler(which) else { return }
        enqueue(
            mi_scheduled_work(function: mi_scheduled_run_block, context: block, item: nil, is_barrier: false),
            on: source.queue
        )
    }

    /// Resets a timer: the start is a libdispatch time; the interval is in nanoseconds, or the end of time for a single shot.
    func setTimer(of source: ScheduledSource, start: UInt64, interval: UInt64) {
        source.setting += 1
        let first = Self.time(now, plus: mi_scheduled_until(start))
        fire(source, at: first, interval: max(1, interval), source.setting)
    }

    private func fire(_ source: ScheduledSource, at time: UInt64, interval: UInt64, _ setting: Int) {
        let repeats = interval < UInt64.max / 2
        at(time, repeats: repeats) { [weak source] in
            guard let source, source.setting == setting else { return }
            source.merge(1)
            self.deliver(source)
            if repeats { self.fire(source, at: Self.time(time, plus: interval), interval: interval, setting) }
        }
    }
}
#endif
