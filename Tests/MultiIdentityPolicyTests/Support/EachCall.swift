import Foundation

/// Has a body try every third call of something that is interrupted there, or each with `MULTI_IDENTITY_EVERY_CALL`.
///
/// Where the number of calls is known it decides which third that is, so that calls of all kinds come about; what a disk can have after
/// each call is `PowerCut`'s. Two at once, since each waits for a process of its own.
/// - Parameters:
///   - count: How many calls there are, where that is known and always the same.
///   - body: Returns whether there was a call of that number.
/// - Returns: How many were tried.
/// - Throws: What the body throws.
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

/// A process that is to end as by `kill -9` at some call of something, and got through where there is no such call.
enum Interrupted {
    /// The distance between two calls that are tried.
    static let step = ProcessInfo.processInfo.environment["MULTI_IDENTITY_EVERY_CALL"] == nil ? 3 : 1

    /// Ends this process in the same way, and leaves a mark that it got through.
    static func gotThrough(_ folder: String) -> Never {
        _ = FileManager.default.createFile(atPath: folder + "/got-through", contents: nil)
        kill(getpid(), SIGKILL)
        exit(1)
    }

    /// Returns whether another process got through.
    static func hasGotThrough(_ folder: String) -> Bool {
        FileManager.default.fileExists(atPath: folder + "/got-through")
    }
}
