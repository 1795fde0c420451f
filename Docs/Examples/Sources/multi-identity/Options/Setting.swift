import ArgumentParser
import Foundation
import MultiIdentity

/// A setting whose default is an environment variable.
enum Setting: String {
    case policy = "MULTI_IDENTITY_POLICY"
    case root = "MULTI_IDENTITY_ROOT"
    case index = "MULTI_IDENTITY_INDEX"
    case keys = "MULTI_IDENTITY_KEYS"
    case masterKeyFile = "MULTI_IDENTITY_MASTER_KEY_FILE"
    case masterKey = "MULTI_IDENTITY_MASTER_KEY"
    case journals = "MULTI_IDENTITY_JOURNALS"

    /// The variable's value; `nil` if it is empty.
    var value: String? { isSet ? getenv(rawValue).flatMap { String(validatingCString: $0) } : nil }

    /// Indicates whether the variable has a value.
    var isSet: Bool { getenv(rawValue).map { $0.pointee != 0 } ?? false }

    /// Returns the option's value, or the variable's; otherwise throws an error that names both.
    func required(_ option: String?, _ name: String) throws(CommandFailure) -> String {
        if let found = option ?? value { return found }
        throw CommandFailure(.usage, "missingSetting", advice(name))
    }

    /// What to do where neither the option nor the variable is there.
    func advice(_ name: String) -> String { "Pass \(name), or set \(rawValue)." }
}

/// The output format.
struct OutputOptions: ParsableArguments {
    @Flag(help: "Write one JSON document to the standard output.")
    var json = false
}

/// An identity that is named on the command line.
struct NamedIdentity: Sendable {
    let identity: Identity

    /// - Throws: A `ValidationError`, which says which rule the name breaks.
    init(_ argument: String) throws {
        do { identity = try Identity(argument) } catch { throw ValidationError(error.message) }
    }
}
