import Foundation
import GRPCCore

/// A new entry for the caller's ledger.
public struct NewEntry: Codable, Sendable {
    /// What happened.
    public let text: String
}

/// An entry in a ledger.
public struct Entry: Codable, Hashable, Sendable {
    /// The owner of the ledger: the user in the call's claim.
    public let owner: String
    /// Its number in that ledger, from 1.
    public let number: Int
    /// What happened.
    public let text: String
}

/// The number of removed entries.
public struct Erased: Codable, Sendable {
    /// The number.
    public let entries: Int
}

/// The calls of the ledger.
enum LedgerMethod {
    static let service = ServiceDescriptor(fullyQualifiedService: "ledger.Ledger")
    static let append = MethodDescriptor(service: service, method: "Append")
    static let erase = MethodDescriptor(service: service, method: "Erase")
}

/// Messages as JSON, so that no code has to be generated.
struct JSONMessage<Message: Codable & Sendable>: MessageSerializer, MessageDeserializer {
    func serialize<Bytes: GRPCContiguousBytes>(_ message: Message) throws -> Bytes {
        Bytes(try JSONEncoder().encode(message))
    }

    func deserialize<Bytes: GRPCContiguousBytes>(_ bytes: Bytes) throws -> Message {
        try bytes.withUnsafeBytes { try JSONDecoder().decode(Message.self, from: Data($0)) }
    }
}
