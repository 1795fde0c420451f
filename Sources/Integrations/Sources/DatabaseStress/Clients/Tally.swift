import PostgreSQLIdentity

/// The sums of all that the clients have written.
struct Tally: Sendable {
    var queries = 0
    var counts: [String: Int] = [:]
    var kills: [String: Int] = [:]
    var acknowledged = Acknowledged()
    var wrong: [String] = []
    var nameless: [String] = []
    var odd: [String] = []

    /// Takes a line of a client's output.
    mutating func take(_ line: String) {
        let (verb, rest) = line.split(" ")
        switch verb {
        case "did": queries += Int(rest) ?? 0
        case "acknowledged": acknowledged.add(rest)
        case "wrong": wrong.append(rest)
        case "nameless": nameless.append(rest)
        case "count": counts[rest, default: 0] += 1
        default: odd.append(line)
        }
    }
}

/// The rows that were said to be committed.
struct Acknowledged: Sendable {
    private var owners: [UInt64: String] = [:]

    var count: Int { owners.count }

    mutating func add(_ line: String) {
        let (owner, title) = line.split(" ")
        if let number = Self.number(in: title) { owners[number] = owner }
    }

    /// `row` and a number that no two rows share.
    private static func number(in title: String) -> UInt64? {
        title.hasPrefix("row ") ? UInt64(title.dropFirst("row ".count)) : nil
    }

    /// Reads all rows as the superuser.
    ///
    /// - Returns: What is not there, or is another's.
    func missing(from url: String) async throws -> [String] {
        let owner = try await PostgreSQLConnection.open(url)
        defer { owner.close() }
        var (left, last) = (owners, -1)
        while true {
            let page = "SELECT number, owner, title FROM notes WHERE number > $1 ORDER BY number LIMIT 20000"
            let rows = try await owner.query(page, ["\(last)"]).rows
            for row in rows {
                guard let title = row["title"], let number = Self.number(in: title) else { continue }
                if left[number] == row["owner"] { left[number] = nil }
            }
            guard let end = rows.last?["number"].flatMap({ Int($0) }) else { break }
            last = end
        }
        return left.map { "row \($0.key) of \($0.value) is not there, or another's" }
    }
}

extension String {
    /// The text before the first separator, and the text behind it.
    fileprivate func split(_ separator: Character) -> (String, String) {
        guard let place = firstIndex(of: separator) else { return (self, "") }
        return (String(self[..<place]), String(self[index(after: place)...]))
    }
}
