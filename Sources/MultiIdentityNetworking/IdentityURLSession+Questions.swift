import Foundation
import MultiIdentity

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

extension IdentityURLSession {
    /// Captured when called: passes the session's running tasks to the handler, as the identity bound at the call.
    public func getTasksWithCompletionHandler(
        _ completionHandler:
            @escaping @Sendable ([URLSessionDataTask], [URLSessionUploadTask], [URLSessionDownloadTask]) -> Void,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        base.getTasksWithCompletionHandler(capture(nil, fileID, line).wrap(completionHandler))
    }

    /// Captured when called: passes the session's running tasks of all kinds to the handler, as the identity bound at
    /// the call.
    public func getAllTasks(
        completionHandler: @escaping @Sendable ([URLSessionTask]) -> Void,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        base.getAllTasks(completionHandler: capture(nil, fileID, line).wrap(completionHandler))
    }

    /// Captured when called: empties cookies, caches and credentials, and completes as the identity bound at the call.
    public func reset(
        completionHandler: @escaping @Sendable () -> Void,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        base.reset(completionHandler: capture(nil, fileID, line).wrap(completionHandler))
    }

    /// Captured when called: writes cookies and credentials to disk, and completes as the identity bound at the call.
    public func flush(
        completionHandler: @escaping @Sendable () -> Void,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        base.flush(completionHandler: capture(nil, fileID, line).wrap(completionHandler))
    }
}
