import ArgumentParser
import Foundation

extension IdentityStress {
    /// Shows the report and ends the program: with 0 if all was right, 1 if not, or a code from `sysexits`.
    ///
    /// What is `left` has ended, but is still recorded as running.
    static func end(
        with report: Report,
        _ accounts: AccountTable?,
        _ left: String?,
        asJSON: Bool,
        _ page: ReportPage?
    ) -> Never {
        let text = [report.table, accounts?.text].compactMap(\.self).joined(separator: "\n\n")
        // With `--json`, standard output is for machines only.
        if asJSON {
            StandardError.print(text)
            do { try FileHandle.standardOutput.write(contentsOf: report.json()) } catch {
                Foundation.exit(complain("cannot write the report: \(error)", code: 74))
            }
        } else {
            print(text)
        }
        if let page {
            StandardError.print("Making \(page.path) ...")
            do { try page.write(report, accounts) } catch {
                Foundation.exit(complain("cannot write the page: \(error)", code: 74))
            }
        }
        if !report.isRight { Foundation.exit(1) }
        if let left { Foundation.exit(complain("noted as running, though all has ended: \(left)", code: 1)) }
        Foundation.exit(0)
    }

    /// Writes what is wrong to standard error, and returns the exit code.
    static func complain(_ message: String, code: Int32) -> Int32 {
        StandardError.print("Error: \(message)")
        return code
    }
}
