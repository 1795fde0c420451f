import ArgumentParser
import MultiIdentity

/// An identity that is named on the command line.
struct NamedIdentity: Sendable {
    let identity: Identity

    /// - Throws: A `ValidationError`, which says which rule the name breaks.
    init(_ argument: String) throws {
        do { identity = try Identity(argument) } catch { throw ValidationError(error.message) }
    }
}
