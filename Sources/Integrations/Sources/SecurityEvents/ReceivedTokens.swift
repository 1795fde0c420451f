#if SecurityEvents
public import Foundation

/// The IDs of processed tokens, for as long as they could be sent again.
///
/// ``ReceivedTokensInFile`` stores them for one process. A service with several machines stores them in a shared
/// database.
public protocol ReceivedTokens: Sendable {
    /// Returns whether a token was processed.
    func contains(_ id: String, of issuer: String) async throws -> Bool

    /// Adds a processed token durably.
    ///
    /// - Parameters:
    ///   - id: The token's ID.
    ///   - issuer: The issuer; IDs are unique per issuer.
    ///   - end: The time after which the token is refused for its age, and may be forgotten.
    ///   - now: The time of day.
    /// - Throws: An error if the token was not stored.
    func insert(_ id: String, of issuer: String, until end: Date, now: Date) async throws
}

/// Processed tokens, in a file of one process; they survive its restart.
public actor ReceivedTokensInFile: ReceivedTokens {
    private struct Token: Codable, Hashable {
        let issuer: String
        let id: String
    }

    private let url: URL
    private var ends: [Token: Date]

    /// Reads the file, if there is one.
    ///
    /// - Parameter url: The file, which this replaces as a whole.
    /// - Throws: The error of reading, except for a missing file.
    public init(at url: URL) throws {
        self.url = url
        guard FileManager.default.fileExists(atPath: url.path) else {
            ends = [:]
            return
        }
        ends = try JSONDecoder().decode([Token: Date].self, from: Data(contentsOf: url))
    }

    /// Returns whether a token was processed.
    public func contains(_ id: String, of issuer: String) -> Bool { ends[Token(issuer: issuer, id: id)] != nil }

    /// Writes the file with one more token, and without those that would be refused for their age.
    public func insert(_ id: String, of issuer: String, until end: Date, now: Date) throws {
        var changed = ends.filter { $0.value >= now }
        changed[Token(issuer: issuer, id: id)] = end
        try JSONEncoder().encode(changed).write(to: url, options: .atomic)
        ends = changed
    }
}
#endif
