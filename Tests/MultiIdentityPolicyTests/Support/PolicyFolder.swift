import Foundation
import MultiIdentityPolicy

/// A folder for a test's own files, which goes with it.
final class PolicyFolder: Sendable {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "multi-identity-policies-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    subscript(_ name: String) -> String { "\(path)/\(name)" }

    /// Writes beside it and renames, as editors do.
    func replace(_ name: String, _ text: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: self[name]), options: .atomic)
    }

    /// Writes into the file that is there.
    func overwrite(_ name: String, _ text: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: self[name]))
    }

    func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: self[name]) }

    func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: self[name], withDestinationPath: target)
    }

    func rename(_ name: String, to other: String) { _ = Foundation.rename(self[name], self[other]) }

    func makeFolder(_ name: String) throws {
        try FileManager.default.createDirectory(atPath: self[name], withIntermediateDirectories: true)
    }

    /// A text that allows these accounts and nothing else.
    static func allowing(_ accounts: String...) -> String {
        #"{"version": 1, "allowedAccounts": [\#(accounts.map { "\"\($0)\"" }.joined(separator: ", "))]}"#
    }
}
