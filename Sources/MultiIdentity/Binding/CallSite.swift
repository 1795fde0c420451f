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

    /// True for a plain call that the plugin `CarryIdentity` carried: the place is in its generated file, not the caller's.
    package var isGenerated: Bool { "\(fileID)".hasSuffix("/CarriedHops.swift") }

    /// `Module/File.swift:12`, or `a plain call of Module, by CarryIdentity`.
    package var description: String {
        isGenerated ? "a plain call of \("\(fileID)".prefix { $0 != "/" }), by CarryIdentity" : "\(fileID):\(line)"
    }
}
