import Foundation

/// A test's own folder, which is removed with the last reference.
final class TemporaryFolder: Sendable {
    let path: String

    init(in parent: String = NSTemporaryDirectory()) {
        path = URL(fileURLWithPath: parent).appendingPathComponent("multi-identity-\(UUID().uuidString)").path
        precondition(mkdir(path, 0o755) == 0, "No folder can be made: error \(errno).")
    }

    /// Creates a reference to an existing folder inside another one.
    init(at path: String) { self.path = path }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    static func / (folder: TemporaryFolder, name: String) -> String { "\(folder.path)/\(name)" }

    /// The names in the folder and all below it, sorted.
    var names: [String] { (try? FileManager.default.subpathsOfDirectory(atPath: path).sorted()) ?? [] }

    func text(of name: String) -> String? {
        FileManager.default.contents(atPath: self / name).map { String(decoding: $0, as: UTF8.self) }
    }

    @discardableResult
    func write(_ text: String, to name: String) -> String {
        _ = FileManager.default.createFile(atPath: self / name, contents: Data(text.utf8))
        return self / name
    }
}
