package import MultiIdentity

/// A place in the source: where a scope was opened, or where work was handed over.
public struct BindingSite: Hashable, Sendable, CustomStringConvertible {
    /// The file, as `Module/File.swift`.
    public let fileID: String
    /// The line, from 1.
    public let line: UInt

    package init(_ site: CallSite) { (fileID, line) = ("\(site.fileID)", site.line) }

    /// `Module/File.swift:12`.
    public var description: String { "\(fileID):\(line)" }
}
