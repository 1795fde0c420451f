import CWipePause
import Foundation
import MultiIdentity
import MultiIdentityFiles
import Synchronization

extension WipeCost {
    /// For each owner: how much others get done in turns with the wipe going on and with the wipe at rest, and at the end its outcome.
    ///
    /// A line for each pair of turns: operations in a second with the wipe at rest, and meanwhile. Then one for the owner: the seconds
    /// that the wipe worked, and the share of all processors' time that it had in these.
    static func pair(_ files: IdentityFileSystem, _ owners: [String], turn: Duration) async throws {
        let others = try Others(files)
        others.start()
        // Until the disk has taken the million files that were just made.
        try await Task.sleep(for: .seconds(20))
        for owner in owners {
            let end = End()
            async let outcome = wipe(files, owner, end)
            let work = try await takeTurns(others, turn, until: end)
            say("wiped \(owner) \(work.seconds) \(work.share) \(try await outcome)")
        }
        others.stop()
    }

    private static func wipe(_ files: IdentityFileSystem, _ owner: String, _ end: End) async throws -> String {
        defer { end.reach() }
        return try await wipe(files, owner)
    }

    /// Goes from one turn to the other until the wipe is done; which comes first changes from pair to pair.
    private static func takeTurns(
        _ others: Others,
        _ turn: Duration,
        until end: End
    ) async throws -> (seconds: Double, share: Double) {
        var (number, seconds, used) = (0, 0.0, 0.0)
        while !end.isDone {
            var rates = (rest: 0.0, meanwhile: 0.0)
            for isRest in number.isMultiple(of: 2) ? [true, false] : [false, true] {
                wipe_pause_set(isRest)
                while isRest, !wipe_pause_holds(), !end.isDone { try await Task.sleep(for: .milliseconds(1)) }
                let before = others.timeOfAllElse
                let (rate, length) = try await others.rate(for: turn)
                if isRest { rates.rest = rate } else { rates.meanwhile = rate }
                if !isRest { (seconds, used) = (seconds + length, used + others.timeOfAllElse - before) }
            }
            if !end.isDone { say("pair \(rates.rest) \(rates.meanwhile)") }
            number += 1
        }
        wipe_pause_set(false)
        return (seconds, used / seconds / Double(ProcessInfo.processInfo.activeProcessorCount))
    }

    private static func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
}

/// The end of a wipe.
private final class End: Sendable {
    private let isReached = Atomic(false)

    var isDone: Bool { isReached.load(ordering: .sequentiallyConsistent) }

    func reach() { isReached.store(true, ordering: .sequentiallyConsistent) }
}

/// Another identity's work with files: reads, asks for owners and replaces, over and over, on two threads.
private final class Others: Sendable {
    private let files: IdentityFileSystem
    private let done = Atomic(0)
    private let isStopped = Atomic(false)
    /// The processor time of both threads, in nanoseconds.
    private let used = Atomic<UInt64>(0)

    init(_ files: IdentityFileSystem) throws {
        self.files = files
    }

    var count: Int { done.load(ordering: .relaxed) }

    /// The processor time of what this process does beside the work of others, in seconds.
    var timeOfAllElse: Double {
        (Double(Self.time(CLOCK_PROCESS_CPUTIME_ID)) - Double(used.load(ordering: .relaxed))) / 1e9
    }

    private static func time(_ clock: clockid_t) -> UInt64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    func start() {
        for number in 0..<2 {
            Thread { [self] in
                do { try work(number) } catch { print("others failed: \(error)") }
            }.start()
        }
    }

    func stop() { isStopped.store(true, ordering: .relaxed) }

    func rate(for turn: Duration) async throws -> (rate: Double, seconds: Double) {
        let (before, start) = (count, ContinuousClock.now)
        try await Task.sleep(for: turn)
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        return (Double(count - before) / seconds, seconds)
    }

    private func work(_ number: Int) throws {
        let path = "carol-\(number)"
        let bytes = [UInt8](repeating: 7, count: 4_096)
        var noted: UInt64 = 0
        try withIdentity(Identity("carol")) { () throws in
            while !isStopped.load(ordering: .relaxed) {
                // A write to four reads.
                let time = Self.time(CLOCK_THREAD_CPUTIME_ID)
                used.wrappingAdd(time - noted, ordering: .relaxed)
                noted = time
                try files.replace(path, with: bytes)
                done.wrappingAdd(1, ordering: .relaxed)
                for _ in 0..<4 {
                    let file = try files.open(path, for: .reading)
                    guard try file.owner() == .identity(Identity("carol")) else { fatalError("whose is it?") }
                    _ = try file.readToEnd()
                    done.wrappingAdd(1, ordering: .relaxed)
                }
            }
        }
    }
}
