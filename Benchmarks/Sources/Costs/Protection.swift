import ArgumentParser
import CCosts
import Foundation
import MultiIdentity
import MultiIdentityBenchmarking
import MultiIdentityFiles
import MultiIdentityPolicy
import MultiIdentityProtection

/// Compares protecting data with the bare cipher, and weighs protecting a file.
struct Protection: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Compares protecting data with the bare cipher, and weighs protecting a file.",
        discussion: """
            Time is the processor's, the system's calls included. The cipher encrypts one buffer in its place, as \
            `openssl speed` does. A limit is passed only if the whole interval of 95 % is beyond it.
            """
    )

    @Option(help: "The number of rounds.")
    var rounds = 30

    @Option(help: "The folder of the file; in memory by default, so that no disk is measured.")
    var folder = "/dev/shm"

    func run() throws {
        var limits = Limits()
        try withTemporaryFolder(in: folder) { folder in
            let master = try MasterKey((0..<32).map { _ in UInt8.random(in: 0...255) })
            let keys = try KeyFile(at: "\(folder)/keys", masterKey: master)
            let protection = DataProtection(keys: keys, accounts: Everyone())
            let ada = try Identity("ada@contoso.com")
            try weigh(protection, ada, folder, &limits)
            let comparison = try inMemory(protection, ada)
            let report = try comparison.run(measuring: [.time(on: ProcessorClock())], progress: printProgress)
            print(report)
            guard let ratio = report.line(of: "protect")?.ratio else { throw ExitCode.failure }
            // At least nine tenths of its speed.
            limits.hold("the ratio's lower end", ratio.lower, atMost: 1 / 0.9, "")
        }
        try limits.end()
    }

    private func inMemory(_ protection: DataProtection, _ ada: Identity) throws -> HopComparison {
        let text = [UInt8](repeating: 0x5A, count: 1 << 20)
        // `nonisolated(unsafe)`: the comparison runs on one thread.
        nonisolated(unsafe) let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: text.count)
        _ = buffer.initialize(from: text)
        return try HopComparison(
            "1 MiB in memory",
            of: [
                .body("cipher") { precondition(cipher_speed(buffer.baseAddress, CInt(buffer.count)) == 0) },
                .body("protect") { trying { _ = try protection.protect(text, for: ada) } },
            ],
            against: "cipher",
            rounds: rounds,
            hopsPerBlock: 32
        )
    }

    /// Compares the peak memory of a small file and a large one: the small one first, since the peak of a process stays.
    private func weigh(_ protection: DataProtection, _ ada: Identity, _ folder: String, _ limits: inout Limits) throws {
        let files = try files(in: folder)
        let peaks = try [16, 16, 1_024].map { size in
            try write(size, to: "\(files.root)/peak")
            defer { unlink("\(files.root)/peak") }
            try protection.protectFile("peak", in: files, for: ada)
            try protection.unprotectFile("peak", in: files, expecting: ada)
            return peak_memory()
        }
        print("       memory: \((Double(peaks[1]) / 1e6).figure) MB for a file of 16 MiB")
        limits.hold("more for one of 1 GiB", Double(peaks[2] - peaks[1]) / 1e6, atMost: 1.05, "MB")
    }

    private func files(in folder: String) throws -> IdentityFileSystem {
        let root = "\(folder)/root"
        try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
        return try IdentityFileSystem(root: root, records: .automatic(indexIn: "\(folder)/owners"))
    }

    private func write(_ mebibytes: Int, to path: String) throws {
        _ = FileManager.default.createFile(atPath: path, contents: nil)
        guard let file = FileHandle(forWritingAtPath: path) else { throw CocoaError(.fileNoSuchFile) }
        let piece = Data((0..<1 << 20).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ $0 >> 8) })
        for _ in 0..<mebibytes { try file.write(contentsOf: piece) }
        try file.close()
    }
}

/// Accounts that are all managed.
struct Everyone: ManagedIdentities {
    func isManaged(_ identity: Identity) -> Bool { true }
}

/// Runs measured code, which may throw and never does.
private func trying(_ body: () throws -> Void) {
    do { try body() } catch { fatalError("\(error)") }
}
