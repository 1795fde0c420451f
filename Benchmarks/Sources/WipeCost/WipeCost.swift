import ArgumentParser
import Foundation
import MultiIdentity
import MultiIdentityFiles
import MultiIdentityPolicy
import MultiIdentityProtection

@main
struct WipeCost: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "wipe-cost",
        abstract: "Makes owners known, wipes, and works for others meanwhile: what Benchmarks/wipe-cost calls.",
        discussion: "Files are named for their owners: ada~12."
    )

    enum Step: String, CaseIterable, ExpressibleByArgument { case sample, record, wipe, pair }

    @Argument(help: "The step to take.")
    var step: Step

    @Argument(help: "The folder of all files.")
    var root: String

    @Argument(help: "Where owners are kept: attributes, or the folder of an index.")
    var records: String

    @Argument(help: "The owners, for all steps but record.")
    var owners: [String] = []

    @Option(help: "The seconds of each turn, with and without the wipe.")
    var turn = 2.0

    func run() async throws {
        let files = try IdentityFileSystem(
            root: root,
            records: records == "attributes" ? .attributes : .index(in: records)
        )
        switch step {
        case .sample: try Self.sample(files, owners)
        case .record: try Self.record(files)
        case .wipe: for owner in owners { print(try await Self.wipe(files, owner)) }
        case .pair: try await Self.pair(files, owners, turn: .seconds(turn))
        }
    }

    /// Makes a file of each owner in the root; others can be given its attribute.
    private static func sample(_ files: IdentityFileSystem, _ owners: [String]) throws {
        for owner in owners {
            try withIdentity(Identity(owner)) { () throws in try files.replace("\(owner)~sample", with: []) }
        }
    }

    /// Records the owner of each file, by its name.
    private static func record(_ files: IdentityFileSystem) throws {
        for folder in try FileManager.default.contentsOfDirectory(atPath: files.root).sorted() {
            let path = "\(files.root)/\(folder)"
            for name in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] {
                guard let owner = name.split(separator: "~").first else { continue }
                try files.setOwner(.identity(Identity(String(owner))), of: "\(folder)/\(name)")
            }
        }
    }

    static func wipe(_ files: IdentityFileSystem, _ owner: String) async throws -> String {
        let journals = NSTemporaryDirectory() + "wipe-cost-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: journals) }
        let pace = ProcessInfo.processInfo.environment["WIPE_COST_PACE"].flatMap(WipePace.init) ?? .yielding
        let wipe = try IdentityWipe(journals: journals, accounts: Everybody(), storages: [files], pace: pace) { _ in
            .leftToStorages
        }
        let report = try await wipe.wipe(Identity(owner))
        let seconds = report.times.first { $0.phase == .removing }?.seconds ?? 0
        return "\(report.isComplete) \(report.files) \(seconds)"
    }

    struct Everybody: ManagedIdentities {
        func isManaged(_ identity: Identity) -> Bool { true }
    }
}
