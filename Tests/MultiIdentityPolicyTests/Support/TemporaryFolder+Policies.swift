import Foundation

extension TemporaryFolder {
    /// Writes a new file and renames it, as editors do.
    func replace(_ name: String, _ text: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: self / name), options: .atomic)
    }

    /// Writes into the existing file.
    func overwrite(_ name: String, _ text: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: self / name))
    }

    func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: self / name) }

    func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: self / name, withDestinationPath: target)
    }

    func makeFolder(_ name: String) throws {
        try FileManager.default.createDirectory(atPath: self / name, withIntermediateDirectories: true)
    }

    /// Returns a text of policies that allows these accounts and nothing else.
    static func allowing(_ accounts: String...) -> String {
        #"{"version": 1, "allowedAccounts": [\#(accounts.map { "\"\($0)\"" }.joined(separator: ", "))]}"#
    }
}
