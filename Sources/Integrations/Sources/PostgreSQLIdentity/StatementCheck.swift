/// The statements that work may send in a transaction: their effects end with it, and policies apply to them.
///
/// The first words are an allow list, so unknown statements are refused. It protects programs from mistakes, not from
/// injected SQL: only the server knows what a statement calls.
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
    /// Parts of the names of settings and locks that last, or can last, longer than the transaction.
    private static let outlasting = ["set_config", "pg_settings", "advisory_lock", "advisory_unlock"]

    private static func fault(of sql: String) -> String? {
        let text = sql.lowercased()
        var words = Words(text)
        let first = words.next()
        if first == "set" {
            switch words.next() {
            case "transaction", "constraints": break
            case "local":
                // A quoted or two-part name can be the identity's.
                if ["role", "session", ""].contains(words.next()) || words.nameGoesOn {
                    return "is SET LOCAL of a role, or of a quoted or two-part name"
                }
            default: return "is SET without LOCAL"
            }
        } else if !allowed.contains(first) {
            return "begins with \"\(first)\""
        }
        return outlasting.first(where: text.contains).map { "names \($0)" }
    }
}

/// The words at the beginning of a statement, without comments and anything else that may come first.
private struct Words {
    private var rest: Substring.UTF8View

    init(_ text: String) { rest = text[...].utf8 }

    /// The next word; empty if something else follows.
    mutating func next() -> String {
        skip()
        let word = rest.prefix(while: Self.isOfWord)
        rest = rest.dropFirst(word.count)
        return String(Substring(word))
    }

    /// True unless the name that was read ends there: before a word, or an assignment.
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
            // The server ignores an empty statement before the first one.
            case 9...13, 32, UInt8(ascii: "("), UInt8(ascii: ";"): rest.removeFirst()
            case _ where rest.starts(with: "--".utf8): rest = rest.drop { $0 != 10 && $0 != 13 }
            case _ where rest.starts(with: "/*".utf8): skipComment()
            default: return
            }
        }
    }

    /// Skips a comment and those nested in it, as the server does.
    private mutating func skipComment() {
        var depth = 0
        repeat {
            let (opens, closes) = (rest.starts(with: "/*".utf8), rest.starts(with: "*/".utf8))
            depth += opens ? 1 : closes ? -1 : 0
            rest = rest.dropFirst(opens || closes ? 2 : 1)
        } while depth > 0 && !rest.isEmpty
    }
}
