import Foundation
import MultiIdentity
import MultiIdentityFiles

/// Each operation on files, for tests that make it fail or end in the middle.
enum FileChange: String, CaseIterable, Codable {
    case create, append, truncate, replace, replaceKept, rewrite, setOwner
    case copy, copyReplacing, move, moveReplacing, moveInto, moveDirectory, moveElsewhere, link, remove

    /// Creates the initial state: `a` is Ada's, `b` Bob's, `u` was never seen, and `d/a` is Ada's.
    static func prepared(_ keeping: Keeping) throws -> OwnedRoot {
        let fixture = try OwnedRoot(keeping)
        try FileManager.default.createDirectory(atPath: fixture.folder / "other", withIntermediateDirectories: false)
        try fixture.files.makeDirectory("d")
        try fixture.make("a", "old", as: Users.ada)
        try fixture.make("d/a", "deep", as: Users.ada)
        try fixture.make("b", "bob", as: Users.bob)
        fixture.makeUnseen("u")
        return fixture
    }

    /// Performs the operation as Bob.
    func make(_ files: IdentityFileSystem, _ folder: String, _ keeping: Keeping) throws {
        try withIdentity(Users.bob) {
            switch self {
            case .create: _ = try files.open("new", for: .creating)
            case .append: _ = try files.open("new", for: .appending)
            case .truncate: _ = try files.open("a", for: .truncating)
            case .replace: try files.replace("a", with: Array("new".utf8))
            case .replaceKept: try files.replace("a", with: Array("new".utf8), keepsOwner: true)
            case .rewrite:
                try files.rewrite("a") { _, new in
                    do throws(SystemCallError) { try new.write(Array("new".utf8)) } catch {
                        throw IdentityFileError(error, "a")
                    }
                }
            case .setOwner: try files.setOwner(.nobody, of: "a")
            case .copy: try files.copy("a", to: "new")
            case .copyReplacing: try files.copy("a", to: "b", replacing: true)
            case .move: try files.move("a", to: "new")
            case .moveReplacing: try files.move("a", to: "b", replacing: true)
            case .moveInto: try files.move("a", to: "d/new")
            case .moveDirectory: try files.move("d", to: "e")
            case .moveElsewhere:
                let records: OwnerRecords = keeping == .attributes ? .attributes : .index(in: "\(folder)/index2")
                try files.move("a", to: "new", in: IdentityFileSystem(root: "\(folder)/other", records: records))
            case .link: try files.link("a", to: "new")
            case .remove: try files.remove("a")
            }
        }
    }

    /// Valid states that are neither the old nor the new one.
    var between: [[String: String]] {
        switch self {
        // The file is empty, but still belongs to its old owner.
        case .truncate: [Self.old.merging(["root/a": "ada@contoso.com:"]) { $1 }]
        // The file is in both places.
        case .moveElsewhere: [Self.old.merging(["other/new": "ada@contoso.com:old"]) { $1 }]
        default: []
        }
    }

    static let old = [
        "root/a": "ada@contoso.com:old", "root/d/a": "ada@contoso.com:deep", "root/b": "bob@contoso.com:bob",
        "root/u": "unseen:unseen",
    ]

    var new: [String: String] {
        var state = Self.old
        switch self {
        case .create, .append: state["root/new"] = "bob@contoso.com:"
        case .truncate: state["root/a"] = "bob@contoso.com:"
        case .replace: state["root/a"] = "bob@contoso.com:new"
        case .replaceKept, .rewrite: state["root/a"] = "ada@contoso.com:new"
        case .setOwner: state["root/a"] = "(nobody):old"
        case .copy, .link: state["root/new"] = "ada@contoso.com:old"
        case .copyReplacing: state["root/b"] = "ada@contoso.com:old"
        case .move:
            state["root/a"] = nil
            state["root/new"] = "ada@contoso.com:old"
        case .moveReplacing:
            state["root/a"] = nil
            state["root/b"] = "ada@contoso.com:old"
        case .moveInto:
            state["root/a"] = nil
            state["root/d/new"] = "ada@contoso.com:old"
        case .moveDirectory:
            state["root/d/a"] = nil
            state["root/e/a"] = "ada@contoso.com:deep"
        case .moveElsewhere:
            state["root/a"] = nil
            state["other/new"] = "ada@contoso.com:old"
        case .remove: state["root/a"] = nil
        }
        return state
    }

    /// Returns each file with its owner and content, without temporary files.
    static func state(_ files: IdentityFileSystem, _ folder: TemporaryFolder, _ keeping: Keeping) throws -> [String:
        String]
    {
        var state: [String: String] = [:]
        func add(_ files: IdentityFileSystem, _ root: String) throws {
            let paths = try FileManager.default.subpathsOfDirectory(atPath: folder / root)
            for path in paths where !AtomicReplacement.isTemporary(path) {
                var isDirectory: ObjCBool = false
                _ = FileManager.default.fileExists(atPath: folder / "\(root)/\(path)", isDirectory: &isDirectory)
                if isDirectory.boolValue { continue }
                let owner = try files.owner(of: path).map(\.description) ?? "unseen"
                state["\(root)/\(path)"] = "\(owner):\(folder.text(of: "\(root)/\(path)") ?? "")"
            }
        }
        try add(files, "root")
        if FileManager.default.fileExists(atPath: folder / "index2") || keeping == .attributes {
            let records: OwnerRecords = keeping == .attributes ? .attributes : .index(in: folder / "index2")
            try add(IdentityFileSystem(root: folder / "other", records: records), "other")
        }
        return state
    }
}
