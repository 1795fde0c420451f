import ArgumentParser
import Foundation

extension IdentityStress {
    /// Shows the report and ends the program: 0 if all was right, 1 if not, or what the system's `sysexits` has for it.
    ///
    /// - Parameters:
    ///   - report: The report.
    ///   - left: The work that has ended and is noted as running all the same.
    ///   - asJSON: True for one document of JSON.
    ///   - page: The page to write besides.
    static func end(with report: Report, _ left: String?, asJSON: Bool, _ page: ReportPage?) -> Never {
        // Standard output is the machine's if it asked for it.
        if asJSON {
            StandardError.print(report.table)
            do { try FileHandle.standardOutput.write(contentsOf: report.json()) } catch {
                Foundation.exit(complain("cannot write the report: \(error)", code: 74))
            }
        } else {
            print(report.table)
        }
        if let page {
            StandardError.print("Making \(page.path) ...")
            do { try page.write(report) } catch {
                Foundation.exit(complain("cannot write the page: \(error)", code: 74))
            }
        }
        if !report.isRight { Foundation.exit(1) }
        if let left { Foundation.exit(complain("noted as running, though all has ended: \(left)", code: 1)) }
        Foundation.exit(0)
    }

    /// Says what is wrong on standard error, and gives the exit code back.
    static func complain(_ message: String, code: Int32) -> Int32 {
        StandardError.print("Error: \(message)")
        return code
    }
}
