import Foundation

/// Runs `body` with a new folder, which is removed afterwards.
func withTemporaryFolder<Result>(in parent: String? = nil, _ body: (String) throws -> Result) throws -> Result {
    let folder = URL(filePath: parent ?? NSTemporaryDirectory()).appending(path: "costs-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    return try body(folder)
}
