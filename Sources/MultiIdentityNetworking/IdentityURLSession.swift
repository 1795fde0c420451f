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
/// It has the session's own methods that take a closure, with their parameters. A handler is called once, on the session's
/// delegate queue, and is released then, with the identity. What a method returns is the session's own task, to be resumed,
/// cancelled and asked like any other.
///
/// ```swift
/// URLSession.shared.propagatingIdentity.dataTask(with: url) { data, response, error in
///     store.save(data)  // as the identity bound where this stands
/// }.resume()
/// ```
///
/// A delegate is called on the session's delegate queue with nothing bound, since a session adds to that queue by itself:
/// see <doc:MultiIdentityNetworking>. Asynchronous methods as `data(for:)` need no view: they go on as their task.
public struct IdentityURLSession: Sendable {
    /// The session itself.
    ///
    /// A completion handler that is given to it directly carries nothing.
    public let base: URLSession

    /// The completion handler of a data or upload task: it gets the body, the response, and an error where there was one.
    public typealias DataCompletion = @Sendable (Data?, URLResponse?, (any Error)?) -> Void

    /// The completion handler of a download task: it gets the file, which lasts while this runs, the response, and any error.
    public typealias DownloadCompletion = @Sendable (URL?, URLResponse?, (any Error)?) -> Void

    func capture(_ place: @autoclosure () -> String?, _ fileID: StaticString, _ line: UInt) -> BoundaryCapture {
        BoundaryCapture(at: .urlSession, of: place(), fileID, line)
    }
}

extension IdentityBoundary {
    static let urlSession = IdentityBoundary("URL session")
}
