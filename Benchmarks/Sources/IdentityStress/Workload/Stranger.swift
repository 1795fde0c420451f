import MultiIdentity

/// An identity other than the request's.
struct Stranger: Sendable {
    let identity: Identity
    let expected: Expectation

    private static let all: [Stranger] = (0..<8).compactMap { number in
        guard let identity = try? Identity("stranger-\(number)@elsewhere.example") else { return nil }
        return Stranger(identity: identity)
    }

    private init(identity: Identity) {
        self.identity = identity
        // The levels do not matter if the thread level is set.
        expected = Expectation(thread: identity, twin: identity, ui: nil, process: nil)
    }

    /// Returns a stranger to `identity`, chosen by a number.
    static func other(than identity: Identity?, _ number: Int) -> Stranger {
        let stranger = all[number % all.count]
        return stranger.identity == identity ? all[(number + 1) % all.count] : stranger
    }
}
