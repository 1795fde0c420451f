import Foundation

/// The statements that work in a transaction may send: what ends with the transaction, and what policies hold.
///
/// The first words are a list of what may be sent, so that what is not known here is refused. What is no matter of the first
/// words, as functions and `INTO TEMP`, the server has to refuse the role: ``PostgreSQLSettings/Role/sealed``.
enum StatementCheck {
    static func check(_ sql: String) throws(PostgreSQLError) {
        var sql = sql
        let found = sql.withUTF8 { refusal(of: $0) }
        guard let found else { return }
        throw PostgreSQLError(
            .refusedStatement,
            """
            A statement \(found), which would outlast the transaction, end it, or change its identity. In a transaction use \
            SELECT, INSERT, UPDATE, DELETE, MERGE, SET LOCAL and the like; do the rest on a PostgreSQLConnection of its own.
            """
        )
    }

    private static let allowed = [
        "select", "insert", "update", "delete", "with", "merge", "values", "table", "explain", "show", "lock", "notify",
    ]
    .map(Word.init)
    private static let (set, local, transaction, constraints) = (
        Word("set"), Word("local"), Word("transaction"), Word("constraints")
    )
    private static let (role, session) = (Word("role"), Word("session"))

    private static let usual: [StaticString] = ["SELECT ", "INSERT ", "UPDATE ", "DELETE "]

    private static func begins(_ sql: UnsafeBufferPointer<UInt8>, with text: StaticString) -> Bool {
        guard let start = sql.baseAddress, sql.count >= text.utf8CodeUnitCount else { return false }
        return memcmp(start, text.utf8Start, text.utf8CodeUnitCount) == 0
    }

    private static func refusal(of sql: UnsafeBufferPointer<UInt8>) -> String? {
        // Nearly all: not a word of them is looked at closely.
        if usual.contains(where: { begins(sql, with: $0) }) { return nameThatOutlasts(in: sql).map { "names \($0)" } }
        var words = Words(sql)
        let first = words.next()
        if !allowed.contains(first) {
            guard first == set else { return "begins with \"\(first)\"" }
            let second = words.next()
            if second != transaction && second != constraints {
                guard second == local else { return "is SET without LOCAL" }
                let name = words.next()
                // A name in quotes, or of two parts, can be the identity's.
                if name == role || name == session || name == Word("") || words.goesOn {
                    return "is SET LOCAL of a role, or of a name in quotes or of two parts"
                }
            }
        }
        return nameThatOutlasts(in: sql).map { "names \($0)" }
    }

    /// A function of the server that sets something for longer than the transaction, or can.
    private static func nameThatOutlasts(in sql: UnsafeBufferPointer<UInt8>) -> String? {
        guard let start = sql.baseAddress else { return nil }
        var next = 0
        while let found = memchr(start + next, Int32(UInt8(ascii: "_")), sql.count - next) {
            let index = UnsafeRawPointer(found) - UnsafeRawPointer(start)
            next = index + 1
            func follows(_ text: StaticString) -> Bool { matches(text, sql, at: index + 1) }
            func precedes(_ text: StaticString) -> Bool { matches(text, sql, at: index - text.utf8CodeUnitCount) }
            if follows("config"), precedes("set") { return "set_config" }
            if follows("settings"), precedes("pg") { return "pg_settings" }
            if follows("lock") || follows("unlock"), precedes("advisory") { return "an advisory lock of the session" }
        }
        return nil
    }

    private static func matches(_ text: StaticString, _ sql: UnsafeBufferPointer<UInt8>, at start: Int) -> Bool {
        guard start >= 0, start + text.utf8CodeUnitCount <= sql.count else { return false }
        return text.withUTF8Buffer { text in text.indices.allSatisfy { text[$0] == sql[start + $0] | 0x20 } }
    }
}

/// A word by its first eight bytes, letters in lower case: enough to tell those that count here.
private struct Word: Equatable, CustomStringConvertible {
    var bytes: UInt64 = 0

    init(_ text: String) { for byte in text.utf8 { append(byte) } }

    mutating func append(_ byte: UInt8) {
        if bytes >> 56 == 0 { bytes = bytes << 8 | UInt64(byte) }
    }

    var description: String {
        String(
            decoding: (0..<8).reversed().map { UInt8(truncatingIfNeeded: bytes >> ($0 * 8)) }.drop { $0 == 0 },
            as: UTF8.self
        )
    }
}

/// The words of a statement, past comments and whatever may stand before one.
private struct Words {
    private let sql: UnsafeBufferPointer<UInt8>
    private var position = 0

    init(_ sql: UnsafeBufferPointer<UInt8>) { self.sql = sql }

    private func byte(_ offset: Int = 0) -> UInt8 { position + offset < sql.count ? sql[position + offset] : 0 }

    /// The next word; an empty one where something else stands there.
    mutating func next() -> Word {
        skip()
        var word = Word("")
        while case let byte = byte(), Self.isOfWord(byte) {
            word.append((65...90).contains(byte) ? byte | 0x20 : byte)
            position += 1
        }
        return word
    }

    /// True unless the name that was read ends there: before a word, or what is assigned.
    var goesOn: Bool {
        var rest = self
        rest.skip()
        return rest.byte() != UInt8(ascii: "=") && !Self.isOfWord(rest.byte())
    }

    private static func isOfWord(_ byte: UInt8) -> Bool {
        (97...122).contains(byte) || (65...90).contains(byte) || (48...57).contains(byte) || byte == 95 || byte == 36
            || byte > 127
    }

    private mutating func skip() {
        while position < sql.count {
            switch byte() {
            // An empty statement before the one that counts is none to the server.
            case 9...13, 32, UInt8(ascii: "("), UInt8(ascii: ";"): position += 1
            case UInt8(ascii: "-") where byte(1) == UInt8(ascii: "-"):
                while position < sql.count, byte() != 10, byte() != 13 { position += 1 }
            case UInt8(ascii: "/") where byte(1) == UInt8(ascii: "*"): skipComment()
            default: return
            }
        }
    }

    /// Skips a comment, and those in it: the server nests them.
    private mutating func skipComment() {
        var depth = 0
        repeat {
            if byte() == UInt8(ascii: "/"), byte(1) == UInt8(ascii: "*") {
                depth += 1
                position += 2
            } else if byte() == UInt8(ascii: "*"), byte(1) == UInt8(ascii: "/") {
                depth -= 1
                position += 2
            } else {
                position += 1
            }
        } while depth > 0 && position < sql.count
    }
}
