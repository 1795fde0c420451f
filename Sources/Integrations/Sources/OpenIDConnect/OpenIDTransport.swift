#if OpenIDConnect
public import Foundation

/// A request to a provider.
public struct OpenIDRequest: Hashable, Sendable {
    /// The URL; of HTTPS, or of this machine.
    public let url: String
    /// The fields of the header.
    public let fields: [String: String]
    /// The form that is posted; `nil` where it is a GET.
    public let form: String?
}

/// An answer of a provider.
public struct OpenIDAnswer: Hashable, Sendable {
    /// The status.
    public let status: Int
    /// The body.
    public let body: Data

    /// An answer.
    ///
    /// - Parameters:
    ///   - status: The status.
    ///   - body: The body.
    public init(status: Int, body: Data) {
        self.status = status
        self.body = body
    }
}

/// The way to a provider, which follows no redirects.
public protocol OpenIDTransport: Sendable {
    /// Sends a request, and ends by itself after some time.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - limit: The most bytes that an answer may have; one with more is an error.
    /// - Returns: The answer, whichever its status.
    /// - Throws: What keeps it from an answer.
    func send(_ request: OpenIDRequest, limit: Int) async throws -> OpenIDAnswer
}
#endif
