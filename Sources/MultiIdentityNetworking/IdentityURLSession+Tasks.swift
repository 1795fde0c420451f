public import Foundation
import MultiIdentity

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

extension IdentityURLSession {
    /// Captured when created: returns a task that fetches `url`, and completes as the identity bound at the call.
    public func dataTask(
        with url: URL,
        completionHandler: @escaping DataCompletion,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> URLSessionDataTask {
        let captured = capture(url.host, fileID, line)
        return base.dataTask(with: url, completionHandler: captured.wrap(completionHandler))
    }

    /// Captured when created: returns a task that sends `request`, and completes as the identity bound at the call.
    public func dataTask(
        with request: URLRequest,
        completionHandler: @escaping DataCompletion,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> URLSessionDataTask {
        let captured = capture(request.url?.host, fileID, line)
        return base.dataTask(with: request, completionHandler: captured.wrap(completionHandler))
    }

    /// Captured when created: returns a task that uploads `bodyData`, and completes as the identity bound at the call.
    public func uploadTask(
        with request: URLRequest,
        from bodyData: Data?,
        completionHandler: @escaping DataCompletion,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> URLSessionUploadTask {
        let captured = capture(request.url?.host, fileID, line)
        #if canImport(FoundationNetworking)
        let bodyData = bodyData ?? Data()  // Foundation for Linux stops the program if it is `nil` (6.3.1)
        #endif
        return base.uploadTask(with: request, from: bodyData, completionHandler: captured.wrap(completionHandler))
    }

    /// Captured when created: returns a task that uploads a file, and completes as the identity bound at the call.
    public func uploadTask(
        with request: URLRequest,
        fromFile fileURL: URL,
        completionHandler: @escaping DataCompletion,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> URLSessionUploadTask {
        let captured = capture(request.url?.host, fileID, line)
        return base.uploadTask(with: request, fromFile: fileURL, completionHandler: captured.wrap(completionHandler))
    }

    /// Captured when created: returns a task that downloads `url` to a file, and completes as the identity bound at the call.
    public func downloadTask(
        with url: URL,
        completionHandler: @escaping DownloadCompletion,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> URLSessionDownloadTask {
        let captured = capture(url.host, fileID, line)
        return base.downloadTask(with: url, completionHandler: captured.wrap(completionHandler))
    }

    /// Captured when created: returns a task that downloads the answer to `request` to a file, and completes as the identity
    /// bound at the call.
    public func downloadTask(
        with request: URLRequest,
        completionHandler: @escaping DownloadCompletion,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> URLSessionDownloadTask {
        let captured = capture(request.url?.host, fileID, line)
        return base.downloadTask(with: request, completionHandler: captured.wrap(completionHandler))
    }

    /// Captured when created: returns a task that resumes a download, and completes as the identity bound at the call.
    ///
    /// Foundation on Linux does not support resume data and completes with an error. If the task is resumed at once,
    /// before the session knows it, the program crashes there (6.3.1).
    ///
    /// - Parameters:
    ///   - resumeData: The data from the interrupted download.
    ///   - completionHandler: Called once, on the session's delegate queue; it is released, with the identity, when the
    ///     task has completed.
    ///   - fileID: The file of the call, for explanations.
    ///   - line: The line of the call, for explanations.
    /// - Returns: The task; call `resume()` on it.
    public func downloadTask(
        withResumeData resumeData: Data,
        completionHandler: @escaping DownloadCompletion,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> URLSessionDownloadTask {
        let captured = capture(nil, fileID, line)
        return base.downloadTask(withResumeData: resumeData, completionHandler: captured.wrap(completionHandler))
    }
}
