import ArgumentParser
import Foundation
import MultiIdentityManagement

/// `diagnose PATH`.
struct DiagnoseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diagnose",
        abstract: "Show what is in force in a running program and why, or read an archived report.",
        discussion: """
            PATH is the socket of the program (ReportSocket), or a file written with --archive. A report names accounts; it is \
            scrubbed as the program's settings say.
            """
    )

    @Argument(help: "The program's socket, or an archive.", completion: .file())
    var path: String

    @Option(help: "Write the report to this file, which must not exist.", completion: .file())
    var archive: String?

    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await Reporter.run("diagnose", output) { reporter in
            let report = try Self.report(at: path)
            if let archive {
                try Self.write(report.json, to: archive)
                return try reporter.report(Entry(path: archive, action: "written"))
            }
            for section in report.sections {
                try reporter.report(Entry(section: section.title))
                for row in section.rows {
                    try reporter.report(Entry(section: section.title, name: row.name, value: row.value))
                }
            }
        }
    }

    private static func report(at path: String) throws -> ManagementReport {
        let kind = try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
        guard kind == .typeRegular else { return try ManagementReport(fromSocket: path) }
        do {
            return try ManagementReport(json: Data(contentsOf: URL(filePath: path)))
        } catch let error as CocoaError {
            throw CommandFailure(
                .noInput,
                "unreadable",
                "The file cannot be read: \(error.localizedDescription)",
                about: path
            )
        }
    }

    private static func write(_ bytes: [UInt8], to path: String) throws(CommandFailure) {
        let descriptor = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            let reason = String(cString: strerror(errno))
            throw CommandFailure(.cannotCreate, "writeFailed", "The file cannot be created: \(reason).", about: path)
        }
        defer { close(descriptor) }
        do { try FileHandle(fileDescriptor: descriptor).write(contentsOf: bytes) } catch {
            throw CommandFailure(.systemFailure, "writeFailed", "The file cannot be written: \(error).", about: path)
        }
    }
}
