import Foundation
import MultiIdentity

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

extension IdentityURLSession {
    /// Captured when called: tells, as the identity bound at the call, which tasks run.
    ///
    /// - Parameters:
    ///   - completionHandler: Called once, on the session's delegate queue, with the data, upload and download tasks.
    ///   - fileID: Where the call stands, for explanations.
    ///   - line: Where the call stands, for explanations.
    public func getTasksWithCompletionHandler(
        _ completionHandler:
            @escaping @Sendable ([URLSessionDataTask], [URLSessionUploadTask], [URLSessionDownloadTask]) -> Void,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        base.getTasksWithCompletionHandler(capture(nil, fileID, line).wrap(completionHandler))
    }

    /// Captured when called: tells, as the identity bound at the call, which tasks of all kinds run.
    ///
    /// - Parameters:
    ///   - completionHandler: Called once, on the session's delegate queue, with the tasks.
    ///   - fileID: Where the call stands, for explanations.
    ///   - line: Where the call stands, for explanations.
    public func getAllTasks(
        completionHandler: @escaping @Sendable ([URLSessionTask]) -> Void,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        base.getAllTasks(completionHandler: capture(nil, fileID, line).wrap(completionHandler))
    }

    /// Captured when called: empties cookies, caches and credentials, and says so as the identity bound at the call.
    ///
    /// - Parameters:
    ///   - completionHandler: Called once, on the session's delegate queue.
    ///   - fileID: Where the call stands, for explanations.
    ///   - line: Where the call stands, for explanations.
    public func reset(
        completionHandler: @escaping @Sendable () -> Void,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        base.reset(completionHandler: capture(nil, fileID, line).wrap(completionHandler))
    }

    /// Captured when called: writes cookies and credentials to disk, and says so as the identity bound at the call.
    ///
    /// - Parameters:
    ///   - completionHandler: Called once, on the session's delegate queue.
    ///   - fileID: Where the call stands, for explanations.
    ///   - line: Where the call stands, for explanations.
    public func flush(
        completionHandler: @escaping @Sendable () -> Void,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        base.flush(completionHandler: capture(nil, fileID, line).wrap(completionHandler))
    }
}
