import Foundation
import MultiIdentity
import MultiIdentityPolicy

/// What `Benchmarks/wipe-cost` calls: makes owners known, wipes, and works for others meanwhile.
///
/// Files are named for whom they belong to: `ada~12`. Where owners are kept is `attributes`, or the folder of an index.
@main
enum WipeCost {
    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard arguments.count >= 3 else {
            print("usage: wipe-cost sample|record|wipe|pair ROOT RECORDS [OWNER …]")
            exit(64)
        }
        let (root, records, owners) = (arguments[1], arguments[2], Array(arguments.dropFirst(3)))
        let files = try IdentityFileSystem(
            root: root,
            records: records == "attributes" ? .attributes : .index(in: records)
        )
        switch arguments[0] {
        case "sample": try sample(files, owners)
        case "record": try record(files)
        case "wipe": for owner in owners { print(try await wipe(files, owner)) }
        case "pair": try await pair(files, owners)
        default: exit(64)
        }
    }

    /// Makes a file of each owner in the root, whose attribute others can be given.
    private static func sample(_ files: IdentityFileSystem, _ owners: [String]) throws {
        for owner in owners {
            try withIdentity(Identity(owner)) { () throws in try files.replace("\(owner)~sample", with: []) }
        }
    }

    /// Records whose each file is, by its name.
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
            .left
        }
        let report = try await wipe.wipe(Identity(owner))
        let seconds = report.times.first { $0.phase == .removing }?.seconds ?? 0
        return "\(report.isComplete) \(report.files) \(seconds)"
    }

    struct Everybody: ManagedIdentities {
        func isManaged(_ identity: Identity) -> Bool { true }
    }
}
