import Foundation

/// Tries a body at every third call of an interrupted operation, or at each call with `MULTI_IDENTITY_EVERY_CALL`.
///
/// The number of calls, if known, decides where the count of three starts, so that runs with different numbers cover all calls.
/// `PowerCut` covers what a disk can contain after each call. Two run at once, since each waits for a separate process.
/// - Parameters:
///   - count: The number of calls, if it is known and constant.
///   - body: Returns whether there was a call with that number.
/// - Returns: The number of tries.
/// - Throws: The error of the body.
@discardableResult
func forEachCall(
    upTo count: Int = .max,
    _ body: @escaping @Sendable (Int) async throws -> Bool
) async throws -> Int {
    try await withThrowingTaskGroup(of: Bool.self) { group in
        var (next, found) = (count == .max ? 1 : min(count, 1 + count % Interrupted.step), 0)
        func begin() {
            guard next <= count else { return }
            let number = next
            next += Interrupted.step
            group.addTask { try await body(number) }
        }
        for _ in 0..<2 { begin() }
        while let wasThere = try await group.next() {
            guard wasThere else { continue }
            found += 1
            begin()
        }
        return found
    }
}

/// A process that must end as by `kill -9` at some call of an operation, or complete the operation if there is no such call.
enum Interrupted {
    /// The distance between two calls that are tried.
    static let step = ProcessInfo.processInfo.environment["MULTI_IDENTITY_EVERY_CALL"] == nil ? 3 : 1

    /// Ends this process in the same manner, and leaves a mark that it completed.
    static func gotThrough(_ folder: String) -> Never {
        _ = FileManager.default.createFile(atPath: folder + "/got-through", contents: nil)
        kill(getpid(), SIGKILL)
        exit(1)
    }

    /// Returns whether another process completed.
    static func hasGotThrough(_ folder: String) -> Bool {
        FileManager.default.fileExists(atPath: folder + "/got-through")
    }
}
