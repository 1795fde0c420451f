/// An error in a JSON text: what is wrong, where, and what to do.
package struct PolicyTextError: Error, Hashable {
    package enum Code: Sendable {
        case notJSON, tooDeep, duplicateKey, unknownKey, missingKey, wrongType, unknownWord, unsupportedVersion
        case invalidIdentity, duplicateIdentity, invalidServiceName, tooLarge
    }

    package let code: Code
    /// The line where it went wrong, from 1 on.
    package let line: Int
    /// The keys that lead to it; empty at the top level and for invalid JSON.
    package let keyPath: String
    package let message: String

    init(_ code: Code, line: Int, keyPath: String = "", _ message: String) {
        self.code = code
        self.line = line
        self.keyPath = keyPath
        self.message = message
    }
}

extension PolicyTextError: CustomStringConvertible {
    /// The line, the keys that lead there, the code and the message.
    package var description: String { "line \(line)\(keyPath.isEmpty ? "" : ", \(keyPath)"): \(code): \(message)" }
}
