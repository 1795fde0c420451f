/// A place in the source: where a scope was opened, or where work was handed over.
public struct BindingSite: Sendable, CustomStringConvertible {
    /// The file, as `Module/File.swift`.
    public let fileID: StaticString
    /// The line, from 1.
    public let line: UInt

    /// Returns `nil` for no file: some calls cannot pass their location.
    init?(_ fileID: StaticString, _ line: UInt) {
        if fileID.utf8CodeUnitCount == 0 { return nil }
        self.fileID = fileID
        self.line = line
    }

    /// `Module/File.swift:12`.
    public var description: String { "\(fileID):\(line)" }
}

extension BindingSite: Hashable {
    /// Returns whether both name the same place.
    public static func == (one: BindingSite, other: BindingSite) -> Bool { one.description == other.description }

    /// Hashes the values that ``==(_:_:)`` compares.
    public func hash(into hasher: inout Hasher) { hasher.combine(description) }
}
