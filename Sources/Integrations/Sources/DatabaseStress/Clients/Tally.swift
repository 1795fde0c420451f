import PostgreSQLIdentity

/// The sums of all that the clients have written.
struct Tally: Sendable {
    var queries = 0
    var counts: [String: Int] = [:]
    var kills: [String: Int] = [:]
    /// The owners of the rows that were said to be committed, by their titles, which no two rows share.
    var acknowledged: [String: String] = [:]
    var wrong: [String] = []
    var nameless: [String] = []
    var odd: [String] = []

    /// Takes a line of a client's output.
    mutating func take(_ line: String) {
        let (verb, rest) = line.atFirstBlank
        switch verb {
        case "did": queries += Int(rest) ?? 0
        case "acknowledged":
            let (owner, title) = rest.atFirstBlank
            acknowledged[title] = owner
        case "wrong": wrong.append(rest)
        case "nameless": nameless.append(rest)
        case "count": counts[rest, default: 0] += 1
        default: odd.append(line)
        }
    }

    /// Reads all rows as the superuser; returns what was acknowledged and is not there, or is another's.
    func missing(from url: String) async throws -> [String] {
        let owner = try await PostgreSQLConnection.open(url)
        defer { owner.close() }
        var (left, last) = (acknowledged, "-1")
        let page = "SELECT number, owner, title FROM notes WHERE number > $1 ORDER BY number LIMIT 20000"
        while case let rows = try await owner.query(page, [last]).rows, let end = rows.last?["number"] {
            for row in rows {
                if let title = row["title"], left[title] == row["owner"] { left[title] = nil }
            }
            last = end
        }
        return left.map { "\($0.key) of \($0.value) is not there, or another's" }
    }
}

extension String {
    /// The text before the first blank, and the text behind it.
    fileprivate var atFirstBlank: (String, String) {
        guard let place = firstIndex(of: " ") else { return (self, "") }
        return (String(self[..<place]), String(self[index(after: place)...]))
    }
}
