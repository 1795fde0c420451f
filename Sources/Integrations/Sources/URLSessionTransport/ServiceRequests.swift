import Foundation
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Requests to one URL of a service, without redirects, cookies and caches.
///
/// It uses its own session with a delegate, since on Linux (swift-corelibs-foundation 6.3) nothing else is asked about redirects.
final class ServiceRequests: Sendable {
    private let url: URL
    private let fields: @Sendable () async throws -> [String: String]
    private let session: URLSession
    private let receiver = ServiceReceiver()

    init(
        url: URL,
        configuration: URLSessionConfiguration,
        fields: @escaping @Sendable () async throws -> [String: String]
    ) {
        self.url = url
        self.fields = fields
        session = URLSession(configuration: configuration, delegate: receiver, delegateQueue: nil)
    }

    deinit { session.invalidateAndCancel() }

    /// Sends a request, and waits for the complete answer.
    ///
    /// `limit`: The largest number of bytes of a body; more are an error.
    func send(
        timeout: Double,
        limit: Int,
        _ prepare: (inout URLRequest) -> Void
    ) async throws -> (Data, HTTPURLResponse) {
        var request = URLRequest(url: url, cachePolicy: .reloadIgnoringLocalCacheData, timeoutInterval: timeout)
        request.httpShouldHandleCookies = false
        for (name, value) in try await fields() { request.setValue(value, forHTTPHeaderField: name) }
        prepare(&request)
        let task = session.dataTask(with: request)
        let answer = ServiceAnswer(limit: limit)
        receiver.expect(answer, of: task)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                answer.wait(continuation)
                task.resume()
            }
        } onCancel: {
            task.cancel()
            answer.end(CancellationError())
        }
    }
}

/// The session's delegate: passes data to its request, and follows no redirect.
private final class ServiceReceiver: NSObject, URLSessionDataDelegate, Sendable {
    private let answers = Mutex<[Int: ServiceAnswer]>([:])

    func expect(_ answer: ServiceAnswer, of task: URLSessionTask) {
        answers.withLock { $0[task.taskIdentifier] = answer }
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        // The redirect itself is then the answer.
        completionHandler(nil)
        answers.withLock { $0[task.taskIdentifier] }?.end(ServiceStatusError(status: response.statusCode))
        task.cancel()
    }

    func urlSession(_ session: URLSession, dataTask task: URLSessionDataTask, didReceive data: Data) {
        if answers.withLock({ $0[task.taskIdentifier] })?.add(data) == false { task.cancel() }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let answer = answers.withLock { $0.removeValue(forKey: task.taskIdentifier) }
        if let error { answer?.end(error) } else { answer?.end(task.response) }
    }
}

/// The answer to one request, in parts; the first result counts.
private final class ServiceAnswer: Sendable {
    private struct State {
        var body = Data()
        var result: Result<(Data, HTTPURLResponse), any Error>?
        var continuation: CheckedContinuation<(Data, HTTPURLResponse), any Error>?
    }

    private let limit: Int
    private let state = Mutex(State())

    init(limit: Int) { self.limit = limit }

    func wait(_ continuation: CheckedContinuation<(Data, HTTPURLResponse), any Error>) {
        let result = state.withLock { state in
            if state.result == nil { state.continuation = continuation }
            return state.result
        }
        if let result { continuation.resume(with: result) }
    }

    /// Returns whether more may follow.
    func add(_ data: Data) -> Bool {
        let isTooLong = state.withLock { state in
            guard state.result == nil else { return false }
            state.body.append(data)
            return state.body.count > limit
        }
        if isTooLong { end(URLError(.dataLengthExceedsMaximum)) }
        return !isTooLong
    }

    func end(_ response: URLResponse?) {
        guard let response = response as? HTTPURLResponse else { return end(URLError(.badServerResponse)) }
        end(.success((state.withLock { $0.body }, response)))
    }

    func end(_ error: any Error) { end(.failure(error)) }

    private func end(_ result: Result<(Data, HTTPURLResponse), any Error>) {
        let continuation = state.withLock { state in
            guard state.result == nil else { return nil as CheckedContinuation<(Data, HTTPURLResponse), any Error>? }
            state.result = result
            return state.continuation.take()
        }
        continuation?.resume(with: result)
    }
}

/// A service's response with an unexpected status.
public struct ServiceStatusError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The status.
    public let status: Int

    /// The status, and what to do.
    public var description: String {
        "The service answered with status \(status). Check its URL, the request's credentials, and its log."
    }
}
