import Foundation
@_spi(Settings) import MultiIdentityManagement

/// The text of a file of settings, and what it lacks.
struct SettingsText {
    let warnings: [String]
    let added: [ManagementSetting]
    private let completed: [UInt8]
    private let permissions: mode_t

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - madeWhereMissing: A file that is missing counts as an empty one.
    /// - Throws: Why it cannot be read.
    init(_ path: String, madeWhereMissing: Bool = false) throws {
        var status = stat()
        if madeWhereMissing, stat(path, &status) != 0, errno == ENOENT {
            permissions = 0o600
            warnings = []
            (completed, added) = try ManagementConfiguration.completed([], path: path)
            return
        }
        // Refused as a program would refuse it, before anything is made of it.
        warnings = try ManagementConfiguration(file: path).warnings
        permissions = stat(path, &status) == 0 ? status.st_mode & 0o777 : 0o600
        (completed, added) = try ManagementConfiguration.completed(Data(contentsOf: URL(filePath: path)), path: path)
    }

    /// Writes the completed text: beside the file at first, and then in its place.
    func write(to path: String) throws(CommandFailure) {
        // Behind a link, the file that it leads to is replaced, and the link stays.
        let target = URL(filePath: path).resolvingSymlinksInPath().path(percentEncoded: false)
        let beside = "\(target).\(UInt64.random(in: .min ... .max))"
        let descriptor = open(beside, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, permissions)
        guard descriptor >= 0 else { throw CommandFailure(systemCall: "make a file beside", path) }
        defer { close(descriptor) }
        do {
            try FileHandle(fileDescriptor: descriptor).write(contentsOf: completed)
            guard fchmod(descriptor, permissions) == 0, fsync(descriptor) == 0, rename(beside, target) == 0 else {
                throw CommandFailure(systemCall: "replace", path)
            }
        } catch {
            unlink(beside)
            if let error = error as? CommandFailure { throw error }
            throw CommandFailure(.systemFailure, "writeFailed", "It cannot be written: \(error).", about: path)
        }
    }
}
