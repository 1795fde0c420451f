import ArgumentParser
import Foundation

extension IdentityStress {
    /// Shows the report and ends the program: 0 if all was right, 1 if not, or what the system's `sysexits` has for it.
    static func end(with report: Report, json: String?) -> Never {
        // Standard output is the machine's if it asked for it.
        if json == "-" { StandardError.print(report.table) } else { print(report.table) }
        if let json {
            do {
                let data = try report.json()
                if json == "-" {
                    FileHandle.standardOutput.write(data)
                } else {
                    try data.write(to: URL(filePath: json))
                }
            } catch {
                Foundation.exit(complain("cannot write \(String(reflecting: json)): \(error)", code: 73))
            }
        }
        if !report.isRight { Foundation.exit(1) }
        if let failure = report.failure { Foundation.exit(complain(failure, code: 65)) }
        Foundation.exit(0)
    }

    /// Says what is wrong on standard error, and gives the exit code back.
    static func complain(_ message: String, code: Int32) -> Int32 {
        StandardError.print("Error: \(message)")
        return code
    }

    /// Whether a report can be written there; tried before the run rather than after it.
    static func canWrite(_ path: String) -> Bool {
        guard let file = fopen(path, "a") else { return false }
        return fclose(file) == 0
    }
}
