import MultiIdentity

/// Somebody who is not the one that a request runs as.
struct Stranger: Sendable {
    let identity: Identity
    let expected: Expectation

    private static let all: [Stranger] = (0..<8).compactMap { number in
        guard let identity = try? Identity("stranger-\(number)@elsewhere.example") else { return nil }
        return Stranger(identity: identity)
    }

    private init(identity: Identity) {
        self.identity = identity
        // Levels do not matter where the thread level is set.
        expected = Expectation(thread: identity, twin: identity, ui: nil, process: nil)
    }

    /// A stranger to `identity`, chosen by a number.
    static func other(than identity: Identity?, _ number: Int) -> Stranger {
        let stranger = all[number % all.count]
        return stranger.identity == identity ? all[(number + 1) % all.count] : stranger
    }
}
