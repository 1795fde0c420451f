#if SecurityEvents
public import Foundation

/// The ids of tokens that were acted on, for as long as they could be sent again.
///
/// ``ReceivedTokensInFile`` keeps them for one process. A service of several machines keeps them in the database that its
/// machines share.
public protocol ReceivedTokens: Sendable {
    /// Returns whether a token was acted on.
    func contains(_ id: String, of issuer: String) async throws -> Bool

    /// Adds a token that was acted on, durably.
    ///
    /// - Parameters:
    ///   - id: The token's id.
    ///   - issuer: The issuer, whose ids are its own.
    ///   - end: From then on the token is refused for its age, and may be forgotten.
    ///   - now: The time of day.
    /// - Throws: Where the token was not kept.
    func insert(_ id: String, of issuer: String, until end: Date, now: Date) async throws
}

/// Tokens that were acted on, in a file of one process; they survive its restart.
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
    /// - Throws: What reading throws, except that there is no file.
    public init(at url: URL) throws {
        self.url = url
        guard FileManager.default.fileExists(atPath: url.path) else {
            ends = [:]
            return
        }
        ends = try JSONDecoder().decode([Token: Date].self, from: Data(contentsOf: url))
    }

    /// Returns whether a token was acted on.
    public func contains(_ id: String, of issuer: String) -> Bool { ends[Token(issuer: issuer, id: id)] != nil }

    /// Writes the file with a token more, and without those that would be refused for their age.
    public func insert(_ id: String, of issuer: String, until end: Date, now: Date) throws {
        var changed = ends.filter { $0.value >= now }
        changed[Token(issuer: issuer, id: id)] = end
        try JSONEncoder().encode(changed).write(to: url, options: .atomic)
        ends = changed
    }
}
#endif
