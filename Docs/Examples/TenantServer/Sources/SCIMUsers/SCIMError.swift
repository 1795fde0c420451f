public import HTTPTypes

/// A request that is refused, as RFC 7644 (3.12) answers it; nothing of what it says.
public struct SCIMError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of a refusal that RFC 7644 names.
    public enum Kind: String, Hashable, Sendable {
        /// A filter that cannot be read.
        case invalidFilter
        /// A body that is none, or lacks what it has to have.
        case invalidSyntax
        /// A path of a patch that names nothing.
        case invalidPath
        /// A path of a patch that finds nothing to change.
        case noTarget
        /// A value that an attribute cannot have.
        case invalidValue
        /// A name that another user has.
        case uniqueness
        /// An attribute that is not the client's to change.
        case mutability
        /// A request for too much at once.
        case tooMany
    }

    /// The status.
    public let status: HTTPResponse.Status
    /// The kind, if the RFC has a name for it.
    public let kind: Kind?
    /// A description for people.
    public let message: String

    init(_ status: HTTPResponse.Status, _ kind: Kind? = nil, _ message: String) {
        self.status = status
        self.kind = kind
        self.message = message
    }

    init(_ kind: Kind, _ message: String) {
        self.init(kind == .uniqueness ? .conflict : .badRequest, kind, message)
    }

    static let notFound = SCIMError(.notFound, nil, "There is nothing at this path.")

    /// The kind or the status, and the message.
    public var description: String { "\(kind?.rawValue ?? "\(status.code)"): \(message)" }
}
