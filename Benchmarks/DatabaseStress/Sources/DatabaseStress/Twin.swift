import MultiIdentity
import PostgreSQLIdentity

/// The same by a plain session `SET`, as it is published: how many queries it takes until one sees another's rows.
struct Twin {
    let url: String
    let tenants: Tenants

    /// - Returns: The number of queries up to the first that showed another's rows; `nil` where none of the first did.
    func queriesUntilLeak(within limit: Int, connections count: Int, _ dice: inout SeededGenerator) async throws -> Int?
    {
        var connections: [PostgreSQLConnection] = []
        for _ in 0..<count { connections.append(try await PostgreSQLConnection.open(url)) }
        defer { for connection in connections { connection.close() } }
        var names = [String?](repeating: nil, count: count)
        for query in 1...limit {
            let place = dice.below(count)
            guard let name = names[place] else {
                let name = tenants.all[dice.below(tenants.all.count)].caselessName
                try await connections[place].query("SELECT set_config('app.identity', $1, false)", [name])
                names[place] = name
                continue
            }
            names[place] = nil
            let rows = try await connections[place].query("SELECT owner FROM notes LIMIT 5").rows
            if rows.contains(where: { $0["owner"] != name }) { return query }
        }
        return nil
    }
}
