import Foundation
import MultiIdentity
import MultiIdentityFiles
import MultiIdentityPolicy
import Testing

/// Where the owners of a test's files are stored.
enum Keeping: String, CaseIterable, Codable {
    case attributes, index
}

/// A test's own root, with an index folder next to it.
final class OwnedRoot: Sendable {
    let folder: TemporaryFolder
    let keeping: Keeping
    let files: IdentityFileSystem

    /// Makes a root with folders, and files that have owners, all with the same text.
    init(
        _ keeping: Keeping,
        _ withoutOwner: UnownedWork = .allowed,
        folders: [String] = [],
        with owners: KeyValuePairs<String, Identity?> = [:],
        text: String = "text"
    ) throws {
        folder = TemporaryFolder()
        self.keeping = keeping
        try FileManager.default.createDirectory(atPath: folder / "root", withIntermediateDirectories: false)
        files = try Self.open(folder.path, keeping, withoutOwner)
        for path in folders { try files.makeDirectory(path) }
        for (path, owner) in owners { try make(path, text, as: owner) }
    }

    /// Opens the files below a fixture's folder, in another process or a second time.
    static func open(
        _ folder: String,
        _ keeping: Keeping,
        _ withoutOwner: UnownedWork = .allowed
    ) throws -> IdentityFileSystem {
        let records: OwnerRecords = keeping == .attributes ? .attributes : .index(in: "\(folder)/index")
        return try IdentityFileSystem(root: "\(folder)/root", records: records, withoutOwner: withoutOwner)
    }

    /// Returns the full path of a file below the root.
    static func / (fixture: OwnedRoot, path: String) -> String { "\(fixture.folder.path)/root/\(path)" }

    /// The paths below the root.
    var names: [String] { (try? FileManager.default.subpathsOfDirectory(atPath: self / "").sorted()) ?? [] }

    func text(_ path: String) -> String? { folder.text(of: "root/\(path)") }

    /// Creates a file as an identity.
    func make(_ path: String, _ text: String = "text", as identity: Identity?) throws {
        try withIdentity(identity) { try files.replace(path, with: Array(text.utf8)) }
    }

    /// Creates a file with a plain call, unknown to `IdentityFileSystem`.
    func makeUnseen(_ path: String, _ text: String = "unseen") { folder.write(text, to: "root/\(path)") }

    /// Returns whether the bytes of a name are anywhere in the index's folder.
    func indexMentions(_ name: String) throws -> Bool {
        let index = folder / "index"
        return try FileManager.default.subpathsOfDirectory(atPath: index).contains { file in
            FileManager.default.contents(atPath: "\(index)/\(file)")?.range(of: Data(name.utf8)) != nil
        }
    }
}

extension FileOwner {
    static let ada = FileOwner.identity(Users.ada)
    static let bob = FileOwner.identity(Users.bob)
}

/// Returns the code of the `IdentityFileError` that a body throws, if it throws one.
func fileErrorCode(_ body: () throws -> Void) -> IdentityFileError.Code? { errorCode(of: body) }
