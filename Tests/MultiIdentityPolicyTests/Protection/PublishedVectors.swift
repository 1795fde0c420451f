import Foundation

/// The vectors of `Tests/Vectors`, which another program generated.
enum PublishedVectors {
    static let folder: URL = {
        var folder = URL(fileURLWithPath: #filePath)
        for _ in 0..<3 { folder.deleteLastPathComponent() }
        return folder.appendingPathComponent("Vectors")
    }()

    /// Returns Wycheproof's lines that begin with a verb, split into fields.
    static func lines(_ verb: String) throws -> [[String]] {
        let text = try String(contentsOf: folder.appendingPathComponent("wycheproof.txt"), encoding: .utf8)
        let lines = text.split(separator: "\n").map { line in
            line.split(separator: "|", omittingEmptySubsequences: false).map { String($0) }
        }
        return lines.filter { $0.first == verb }
    }

    static func bytes(_ hexadecimal: String) throws -> [UInt8] {
        struct NotHexadecimal: Error {}
        let digits = Array(hexadecimal)
        return try stride(from: 0, to: digits.count, by: 2).map { index in
            guard let byte = UInt8(String(digits[index..<index + 2]), radix: 16) else { throw NotHexadecimal() }
            return byte
        }
    }

    struct Message: Decodable {
        let owner, keyID, key, salt, sha256: String
        let exponent: UInt8
        let textCount, messageCount: Int
        let message: String?
    }

    struct Claim: Decodable {
        let owner, message: String
        let textCount: Int
    }

    struct KeyFile: Decodable {
        struct Entry: Decodable { let owner, keyID, key: String }
        let master, file: String
        let entries: [Entry]
        let destroyed: [String]
    }

    /// The content of `vectors.json`.
    struct Format: Decodable {
        let messages: [Message]
        let claims: [Claim]
        let keyFile: KeyFile

        static func read() throws -> Format {
            try JSONDecoder().decode(Self.self, from: Data(contentsOf: folder.appendingPathComponent("vectors.json")))
        }
    }
}
