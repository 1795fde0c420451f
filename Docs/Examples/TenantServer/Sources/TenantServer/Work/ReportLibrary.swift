import Foundation

/// Stands for a library that only blocks, as a database driver or a renderer in C does: it is called on a queue's thread.
struct ReportLibrary: Sendable {
    /// The file that it reads; somebody else may change it at any time, so it is read anew for each report.
    let template: String

    /// - Parameter errand: What the report is for.
    /// - Returns: The user that was seen inside the blocking call.
    /// - Throws: What reading the template throws.
    func render(_ errand: Errand) throws -> Sighting {
        let template = try Data(contentsOf: URL(filePath: template))
        guard !template.isEmpty else {
            throw CocoaError(.fileReadCorruptFile, userInfo: [NSFilePathErrorKey: self.template])
        }
        return errand.sighting(at: "blocking call")
    }
}
