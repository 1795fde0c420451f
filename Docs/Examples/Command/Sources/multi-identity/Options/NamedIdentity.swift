import ArgumentParser
import MultiIdentity

/// An identity that is named on the command line.
struct NamedIdentity: ExpressibleByArgument {
    let identity: Identity

    init?(argument: String) {
        guard let identity = try? Identity(argument) else { return nil }
        self.identity = identity
    }
}
