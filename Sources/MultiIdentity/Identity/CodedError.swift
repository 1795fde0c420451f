/// An error of this package, with a code for programs and a message for people.
///
/// ```swift
/// do { _ = try Identity(name) } catch where error.code == .emptyName { … }
/// ```
public protocol CodedError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of error, for code to match on.
    var code: ErrorCode<Self> { get }
    /// The message for people: what went wrong, with which value, and what to do.
    var message: String { get }
}

extension CodedError {
    /// The codes of this error.
    public typealias Code = ErrorCode<Self>

    /// The code and the message.
    public var description: String { "\(code): \(message)" }
}

/// The kind of an error of type `Failure`; a minor release can add codes, so there is no exhaustive switch.
public struct ErrorCode<Failure>: Hashable, Sendable, CustomStringConvertible {
    /// The code's name.
    public let description: String

    /// Creates the code with the name of the property that returns it.
    package init(_ name: String = #function) { description = name }
}
