/// A fault of Redis: with which value, and what to do.
public enum RedisError: Error, Hashable, Sendable {
    /// The server cannot be reached there.
    case unreachable(port: UInt16, reason: String)
    /// The connection is closed, by the server, by us, or since it was cut off.
    case closed(reason: String)
    /// The server sent what is no answer.
    case malformed(String)
    /// The server refused a command, in its own words.
    case refused(String)
    /// The answer is not of the kind that the command has.
    case unexpected(RedisValue)
    /// A command that belongs to who binds the connection, or that leaves it without one answer to each request.
    case reserved(command: String)
    /// Two tasks use the connection at once.
    case usedAtOnce
}

extension RedisError: CustomStringConvertible {
    /// The message for people.
    public var description: String {
        switch self {
        case .unreachable(let port, let reason):
            "No Redis server can be reached on 127.0.0.1:\(port): \(reason). Start one there, or say where it is."
        case .closed(let reason): "The connection to Redis is closed: \(reason). Take another lease."
        case .malformed(let what): "The server sent \(what), which is no answer of Redis. Is it a Redis server?"
        case .refused(let words): "Redis refused the command: \(words)"
        case .unexpected(let value):
            "Redis answered \(value), which is no answer to this command. The connection is closed."
        case .reserved(let command):
            """
            \(command) was sent on a leased connection. It changes the connection's user, or which answer belongs to which \
            request; lease for another identity instead, or use a connection of its own.
            """
        case .usedAtOnce:
            "Two tasks used one connection at once. Lease one for each, or send several commands with send(all:)."
        }
    }
}
