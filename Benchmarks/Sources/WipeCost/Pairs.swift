import Foundation
import MultiIdentity
import MultiIdentityFiles
import Synchronization

extension WipeCost {
    /// For each owner: how much others get done while that one is wiped, and how much right before and after.
    ///
    /// A line for each: operations in a second without and with the wipe, how long that took, and the share of all processors' time
    /// that the wipe had.
    static func pair(_ files: IdentityFileSystem, _ owners: [String]) async throws {
        let others = try Others(files)
        others.start()
        let aloneSeconds = 15.0
        // Until the disk has taken the million files that were just made.
        try await Task.sleep(for: .seconds(20))
        for owner in owners {
            let before = try await others.rate(for: aloneSeconds)
            let (count, start, used) = (others.count, ContinuousClock.now, others.timeOfAllElse)
            let outcome = try await wipe(files, owner)
            let length = (ContinuousClock.now - start) / .seconds(1)
            let meanwhile = Double(others.count - count) / length
            let share = (others.timeOfAllElse - used) / length / Double(ProcessInfo.processInfo.activeProcessorCount)
            // What a disk does by itself, faster or slower with time, is so in neither's favour.
            let alone = (before + (try await others.rate(for: aloneSeconds))) / 2
            print("pair \(owner) \(alone) \(meanwhile) \(length) \(share) \(outcome)")
        }
        others.stop()
    }
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

    func rate(for seconds: Double) async throws -> Double {
        let (before, start) = (count, ContinuousClock.now)
        try await Task.sleep(for: .seconds(seconds))
        return Double(count - before) / ((ContinuousClock.now - start) / .seconds(1))
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
