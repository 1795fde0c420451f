/// The statements that work in a transaction may send: what ends with the transaction, and what policies hold.
///
/// The first words are a list of what may be sent, so that what is not known here is refused. It keeps programs from slips, not
/// from injected SQL: what a statement calls, only the server knows.
enum StatementCheck {
    static func check(_ sql: String) throws(PostgreSQLError) {
        guard let fault = fault(of: sql) else { return }
        throw PostgreSQLError(
            .refusedStatement,
            """
            A statement \(fault), which would outlast the transaction, end it, or change its identity. In a transaction use \
            SELECT, INSERT, UPDATE, DELETE, MERGE, SET LOCAL and the like; do the rest on a PostgreSQLConnection of its own.
            """
        )
    }

    private static let allowed: Set = [
        "select", "insert", "update", "delete", "with", "merge", "values", "table", "explain", "show", "lock", "notify",
    ]
    /// Parts of the names of what sets or locks something for longer than the transaction, or can.
    private static let outlasting = ["set_config", "pg_settings", "advisory_lock", "advisory_unlock"]

    private static func fault(of sql: String) -> String? {
        let text = sql.lowercased()
        var words = Words(text)
        let first = words.next()
        if first == "set" {
            switch words.next() {
            case "transaction", "constraints": break
            case "local":
                // A name in quotes, or of two parts, can be the identity's.
                if ["role", "session", ""].contains(words.next()) || words.nameGoesOn {
                    return "is SET LOCAL of a role, or of a name in quotes or of two parts"
                }
            default: return "is SET without LOCAL"
            }
        } else if !allowed.contains(first) {
            return "begins with \"\(first)\""
        }
        return outlasting.first(where: text.contains).map { "names \($0)" }
    }
}

/// The words at the beginning of a statement, past comments and whatever else may stand before one.
private struct Words {
    private var rest: Substring.UTF8View

    init(_ text: String) { rest = text[...].utf8 }

    /// The next word; an empty one where something else stands there.
    mutating func next() -> String {
        skip()
        let word = rest.prefix(while: Self.isOfWord)
        rest = rest.dropFirst(word.count)
        return String(Substring(word))
    }

    /// True unless the name that was read ends there: before a word, or what is assigned.
    var nameGoesOn: Bool {
        var words = self
        words.skip()
        return words.rest.first.map { $0 != UInt8(ascii: "=") && !Self.isOfWord($0) } ?? true
    }

    private static func isOfWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"),
            UInt8(ascii: "$"), 128...:
            true
        default: false
        }
    }

    private mutating func skip() {
        while let byte = rest.first {
            switch byte {
            // An empty statement before the one that counts is none to the server.
            case 9...13, 32, UInt8(ascii: "("), UInt8(ascii: ";"): rest.removeFirst()
            case _ where rest.starts(with: "--".utf8): rest = rest.drop { $0 != 10 && $0 != 13 }
            case _ where rest.starts(with: "/*".utf8): skipComment()
            default: return
            }
        }
    }

    /// Skips a comment, and those in it: the server nests them.
    private mutating func skipComment() {
        var depth = 0
        repeat {
            let (opens, closes) = (rest.starts(with: "/*".utf8), rest.starts(with: "*/".utf8))
            depth += opens ? 1 : closes ? -1 : 0
            rest = rest.dropFirst(opens || closes ? 2 : 1)
        } while depth > 0 && !rest.isEmpty
    }
}
