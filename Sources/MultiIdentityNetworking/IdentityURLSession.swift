public import Foundation
import MultiIdentity

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

extension URLSession {
    /// A view of this session with completion handlers that carry identity: each is captured when its task is created.
    public var propagatingIdentity: IdentityURLSession { IdentityURLSession(base: self) }
}

/// A view of a URL session with completion handlers that run as the identity that made the request.
///
/// It has the session's methods that take a closure, with the same parameters. A handler is called once, on the session's
/// delegate queue, and is then released, with the identity. The methods return the session's own tasks.
///
/// ```swift
/// URLSession.shared.propagatingIdentity.dataTask(with: url) { data, response, error in
///     store.save(data)  // as the identity bound at this call
/// }.resume()
/// ```
///
/// The session calls its delegate with no identity bound, since it adds to the delegate queue itself; see
/// <doc:MultiIdentityNetworking>. Asynchronous methods such as `data(for:)` need no view: they continue in their task.
public struct IdentityURLSession: Sendable {
    /// The session itself; a completion handler that is passed to it directly carries no identity.
    public let base: URLSession

    /// The completion handler of a data or upload task: it gets the body, the response and any error.
    public typealias DataCompletion = @Sendable (Data?, URLResponse?, (any Error)?) -> Void

    /// The completion handler of a download task: it gets the file, which is removed afterwards, the response and any
    /// error.
    public typealias DownloadCompletion = @Sendable (URL?, URLResponse?, (any Error)?) -> Void

    func capture(_ place: @autoclosure () -> String?, _ fileID: StaticString, _ line: UInt) -> BoundaryCapture {
        BoundaryCapture(at: .urlSession, of: place(), fileID, line)
    }
}

extension IdentityBoundary {
    static let urlSession = IdentityBoundary("URL session")
}
