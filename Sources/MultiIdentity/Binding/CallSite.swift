/// A place in the source: where a scope was opened, or where work was handed over.
package struct CallSite: Sendable, CustomStringConvertible {
    package let fileID: StaticString
    package let line: UInt

    /// Returns `nil` for no file: some calls cannot pass their location.
    init?(_ fileID: StaticString, _ line: UInt) {
        if fileID.utf8CodeUnitCount == 0 { return nil }
        self.fileID = fileID
        self.line = line
    }

    /// `Module/File.swift:12`.
    package var description: String { "\(fileID):\(line)" }
}
