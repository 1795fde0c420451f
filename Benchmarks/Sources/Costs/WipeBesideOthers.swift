import CCosts
import Dispatch
import Foundation
import MultiIdentity
import MultiIdentityFiles
import Synchronization

/// The throughput of others in alternating turns: with the wipe paused, and with it running.
struct WipeTurns {
    private let others: Others
    private let turn: Duration
    /// For each pair of turns, operations per second: with the wipe paused, and with it running.
    private(set) var pairs: [(rest: Double, meanwhile: Double)] = []
    /// The wipe's share of all processors' time while it ran.
    private(set) var share = 0.0

    init(_ others: Others, _ turn: Duration) {
        self.others = others
        self.turn = turn
    }

    /// The slow-down of others: the geometric mean, and the lower end of its 95 % interval (by the normal distribution).
    var slowdown: (mean: Double, least: Double) {
        let logs = pairs.map { log($0.rest / $0.meanwhile) }
        guard logs.count > 5 else { return (.nan, -.infinity) }
        let mean = logs.reduce(0, +) / Double(logs.count)
        let variance = logs.map { ($0 - mean) * ($0 - mean) }.reduce(0, +) / Double(logs.count - 1)
        return (exp(mean) - 1, exp(mean - 1.96 * (variance / Double(logs.count)).squareRoot()) - 1)
    }

    /// Alternates turns until the wipe is done; which comes first changes from pair to pair.
    func run(_ wipe: @escaping @Sendable () throws -> Void) throws -> WipeTurns {
        var turns = self
        let failure = Locked<(any Error)?>(nil)
        let isDone = Locked(false)
        others.start()
        defer { others.stop() }
        Thread.detachNewThread {
            do { try wipe() } catch { failure.value = error }
            isDone.value = true
        }
        var (seconds, used) = (0.0, 0.0)
        while !isDone.value {
            var rates = (rest: 0.0, meanwhile: 0.0)
            for isRest in pairs.count.isMultiple(of: 2) ? [true, false] : [false, true] {
                wipe_pause_set(isRest)
                while isRest, !wipe_pause_holds(), !isDone.value { Thread.sleep(forTimeInterval: 0.001) }
                let before = others.timeOfAllElse
                let (rate, length) = others.rate(for: turn)
                if isRest { rates.rest = rate } else { rates.meanwhile = rate }
                if !isRest { (seconds, used) = (seconds + length, used + others.timeOfAllElse - before) }
            }
            if !isDone.value { turns.pairs.append(rates) }
        }
        wipe_pause_set(false)
        if let error = failure.value { throw error }
        turns.share = used / seconds / Double(ProcessInfo.processInfo.activeProcessorCount)
        return turns
    }
}

/// Another identity's work with files: reads, reads owners and replaces files repeatedly, on two threads.
final class Others: Sendable {
    private let files: IdentityFileSystem
    private let carol: Identity
    private let done = Atomic(0)
    private let isStopped = Atomic(false)
    private let running = DispatchGroup()
    /// The processor time of both threads, in nanoseconds.
    private let used = Atomic<UInt64>(0)

    init(_ files: IdentityFileSystem) throws {
        self.files = files
        carol = try Identity("carol")
    }

    /// The processor time of this process without the work of others, in seconds.
    var timeOfAllElse: Double {
        (Double(Self.time(CLOCK_PROCESS_CPUTIME_ID)) - Double(used.load(ordering: .relaxed))) / 1e9
    }

    func start() {
        for number in 0..<2 {
            running.enter()
            Thread.detachNewThread { [self] in
                defer { running.leave() }
                do { try withIdentity(carol) { try work("carol-\(number)") } } catch { fatalError("\(error)") }
            }
        }
    }

    /// Returns when both threads are done.
    func stop() {
        isStopped.store(true, ordering: .relaxed)
        running.wait()
    }

    func rate(for turn: Duration) -> (rate: Double, seconds: Double) {
        let (before, start) = (done.load(ordering: .relaxed), ContinuousClock.now)
        Thread.sleep(forTimeInterval: turn / .seconds(1))
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        return (Double(done.load(ordering: .relaxed) - before) / seconds, seconds)
    }

    private func work(_ path: String) throws {
        let bytes = [UInt8](repeating: 7, count: 4_096)
        var noted: UInt64 = 0
        while !isStopped.load(ordering: .relaxed) {
            let time = Self.time(CLOCK_THREAD_CPUTIME_ID)
            used.wrappingAdd(time - noted, ordering: .relaxed)
            noted = time
            // One write for every four reads.
            try files.replace(path, with: bytes)
            for _ in 0..<4 {
                let file = try files.open(path, for: .reading)
                guard try file.owner() == .identity(carol) else { fatalError("The owner is wrong.") }
                _ = try file.readToEnd()
            }
            done.wrappingAdd(5, ordering: .relaxed)
        }
    }

    private static func time(_ clock: clockid_t) -> UInt64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}

/// A value that several threads change.
final class Locked<Value: Sendable>: Sendable {
    private let locked: Mutex<Value>

    init(_ value: Value) { locked = Mutex(value) }

    var value: Value {
        get { locked.withLock { $0 } }
        set { locked.withLock { $0 = newValue } }
    }
}
