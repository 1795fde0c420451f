/// Where in the source a scope was opened.
public struct BindingSite: Sendable, CustomStringConvertible {
    /// The file, as `Module/File.swift`.
    public let fileID: StaticString
    /// The line, from 1.
    public let line: UInt

    /// `Module/File.swift:12`.
    public var description: String { "\(fileID):\(line)" }

    /// Whether scopes record where they were opened, for explanations; off at first.
    ///
    /// Off, it costs nothing. On, each scope allocates one small object. It speaks for scopes opened from then on.
    public static var areRecorded: Bool {
        get { BindingFrame.Features.inUse.contains(.bindingSites) }
        set {
            if newValue {
                BindingFrame.Features.insert(.bindingSites)
            } else {
                BindingFrame.Features.remove(.bindingSites)
            }
        }
    }
}

extension BindingSite: Hashable {
    /// Whether both name the same place.
    public static func == (one: BindingSite, other: BindingSite) -> Bool { one.description == other.description }

    /// Hashes what ``==(_:_:)`` compares.
    public func hash(into hasher: inout Hasher) { hasher.combine(description) }
}
