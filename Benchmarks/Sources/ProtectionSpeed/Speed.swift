import CFileLoop
import Foundation
import MultiIdentity
import MultiIdentityPolicy
import MultiIdentityProtection

/// Protection with keys of its own, and the clock that it is measured by.
struct Speed {
    struct Everybody: ManagedIdentities {
        func isManaged(_ identity: Identity) -> Bool { true }
    }

    private let protection: DataProtection
    private let identity: Identity
    private let clock: clockid_t

    /// Runs `measure` while there are keys.
    static func measured(isElapsed: Bool, _ measure: (Speed) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let master = try MasterKey((0..<32).map { _ in UInt8.random(in: 0...255) })
        let keys = try KeyFile(at: "\(folder)/keys", masterKey: master)
        try measure(
            Speed(
                protection: DataProtection(keys: keys, accounts: Everybody()),
                identity: try Identity("ada@contoso.com"),
                clock: isElapsed ? CLOCK_MONOTONIC : CLOCK_PROCESS_CPUTIME_ID
            )
        )
    }

    func memory(seconds: Int) throws {
        let text = [UInt8](repeating: 0x5A, count: 1 << 20)
        func run(for limit: Double) throws -> Double {
            let start = now()
            var count = 0
            repeat {
                // The clock is the system's to ask, which openssl speed does not do for each piece either.
                for _ in 0..<16 {
                    // Its last byte is the end's mark's.
                    guard try protection.protect(text, for: identity).last == 0x44 else { return 0 }
                    count += 1
                }
            } while now() - start < limit
            return Double(count) * Double(text.count) / (now() - start)
        }
        _ = try run(for: Double(seconds) / 10)
        print(try run(for: Double(seconds)))
    }

    private func now() -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    func file(_ folder: String, mebibytes: Int, rounds: Int) throws {
        let path = "\(folder)/protection-speed.plain"
        try write(mebibytes, to: path)
        let (ours, theirs) = ("\(folder)/protection-speed.ours", "\(folder)/protection-speed.c")
        defer { for path in [path, ours, theirs] { unlink(path) } }
        let bytes = Double(mebibytes << 20)
        for round in 0...rounds {
            var (mine, other) = (0.0, 0.0)
            // In turns first, so that neither always meets what the other left; the first round warms up.
            for isMine in round % 2 == 0 ? [true, false] : [false, true] {
                unlink(isMine ? ours : theirs)
                let start = now()
                if isMine {
                    try protection.protectFile(path, for: identity, to: ours)
                } else {
                    let step = file_loop_protect(path, folder, theirs)
                    if step != 0 { throw LoopFailed(step: step) }
                }
                let time = now() - start
                if isMine { mine = time } else { other = time }
            }
            if round > 0 { print(bytes / mine, bytes / other) }
        }
    }

    private struct LoopFailed: Error { let step: CInt }

    func peak(_ folder: String, mebibytes: Int) throws {
        let path = "\(folder)/protection-speed.peak"
        try write(mebibytes, to: path)
        defer { unlink(path) }
        try protection.protectFile(path, for: identity)
        try protection.unprotectFile(path, expecting: identity)
        print(file_loop_peak_memory())
    }

    private func write(_ mebibytes: Int, to path: String) throws {
        unlink(path)
        _ = FileManager.default.createFile(atPath: path, contents: nil)
        guard let file = FileHandle(forWritingAtPath: path) else { throw CocoaError(.fileNoSuchFile) }
        let piece = Data((0..<1 << 20).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ $0 >> 8) })
        for _ in 0..<mebibytes { try file.write(contentsOf: piece) }
        try file.close()
    }
}
