/// A value of JSON, and the line that it begins on.
struct JSONValue: Equatable {
    struct Member: Equatable {
        let key: String
        let line: Int
        let value: JSONValue
    }

    indirect enum Content: Equatable {
        case object([Member])
        case array([JSONValue])
        case string(String)
        /// A number as it was written.
        case number(String)
        case bool(Bool)
        case null
    }

    let content: Content
    let line: Int

    /// What it is, for messages.
    var typeInWords: String {
        switch content {
        case .object: "an object"
        case .array: "an array"
        case .string: "a string"
        case .number: "a number"
        case .bool: "a Boolean"
        case .null: "null"
        }
    }
}
