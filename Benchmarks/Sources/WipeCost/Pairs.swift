import Foundation
import MultiIdentity
import MultiIdentityFiles
import Synchronization

extension WipeCost {
    /// For each owner: how much others get done while that one is wiped, and how much in a time as long right before or after.
    ///
    /// A line for each pair: operations in a second without and with the wipe, and for how long each was watched. Which comes first
    /// changes from pair to pair.
    static func pair(_ files: IdentityFileSystem, _ owners: [String]) async throws {
        let others = try Others(files)
        others.start()
        // Until the disk has taken the million files that were just made.
        try await Task.sleep(for: .seconds(20))
        for (number, owner) in owners.enumerated() {
            let seconds = 12.0
            var alone: Double?
            if number.isMultiple(of: 2) { alone = try await others.rate(for: seconds) }
            let (before, start) = (others.count, ContinuousClock.now)
            let outcome = try await wipe(files, owner)
            let length = (ContinuousClock.now - start) / .seconds(1)
            let meanwhile = Double(others.count - before) / length
            if alone == nil { alone = try await others.rate(for: seconds) }
            print("pair \(owner) \(alone ?? 0) \(meanwhile) \(length) \(outcome)")
        }
        others.stop()
    }
}

/// Another identity's work with files: reads, asks for owners and replaces, over and over, on two threads.
private final class Others: Sendable {
    private let files: IdentityFileSystem
    private let done = Atomic(0)
    private let isStopped = Atomic(false)

    init(_ files: IdentityFileSystem) throws {
        self.files = files
    }

    var count: Int { done.load(ordering: .relaxed) }

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
        try withIdentity(Identity("carol")) { () throws in
            while !isStopped.load(ordering: .relaxed) {
                // A write to four reads.
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
