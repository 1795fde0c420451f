import Foundation
import MultiIdentityNetworking

@testable import MultiIdentity

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// How a task with a completion handler is made.
enum RequestKind: Sendable, CaseIterable {
    case url, request, uploadData, uploadNothing, uploadFile, downloadURL, downloadRequest

    /// The body that the tests send.
    static let body = Data("a letter".utf8)

    /// The end of a task, and the identities in its completion handler.
    struct Outcome: Sendable {
        let body: Data?
        let status: Int?
        let error: URLError.Code?
        let seen: [Identity?]

        init(_ body: Data?, _ response: URLResponse?, _ error: (any Error)?) {
            self.body = body
            status = (response as? HTTPURLResponse)?.statusCode
            self.error = (error as? URLError)?.code
            seen = [Identity.current, IdentitySnapshot.bound.get().identity]
        }
    }

    /// Returns a task for `url` whose completion handler is `end`.
    func task(
        in session: IdentityURLSession,
        for url: URL,
        _ end: @escaping @Sendable (Outcome) -> Void
    ) throws -> URLSessionTask {
        let completed: IdentityURLSession.DataCompletion = { end(Outcome($0, $1, $2)) }
        let downloaded: IdentityURLSession.DownloadCompletion = { file, response, error in
            end(Outcome(file.flatMap { try? Data(contentsOf: $0) }, response, error))
            // The handler owns the file: Foundation for Linux does not remove it.
            if let file { try? FileManager.default.removeItem(at: file) }
        }
        var request = URLRequest(url: url)
        switch self {
        case .url: return session.dataTask(with: url, completionHandler: completed)
        case .request: return session.dataTask(with: request, completionHandler: completed)
        case .uploadData, .uploadNothing:
            request.httpMethod = "POST"
            let body = self == .uploadData ? Self.body : nil
            return session.uploadTask(with: request, from: body, completionHandler: completed)
        case .uploadFile:
            request.httpMethod = "PUT"
            let file = FileManager.default.temporaryDirectory.appending(path: "upload-\(UUID().uuidString)")
            try Self.body.write(to: file)
            return session.uploadTask(with: request, fromFile: file) { data, response, error in
                try? FileManager.default.removeItem(at: file)
                completed(data, response, error)
            }
        case .downloadURL: return session.downloadTask(with: url, completionHandler: downloaded)
        case .downloadRequest: return session.downloadTask(with: request, completionHandler: downloaded)
        }
    }

    /// The answer of `/echo` to this kind of request.
    var echo: Data { self == .uploadData || self == .uploadFile ? Self.body : Data() }
}
