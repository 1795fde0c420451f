import ArgumentParser
import MultiIdentity
import MultiIdentityPolicy

/// A place as it is named on the command line: `local`, `device`, `other`, `service:NAME`, `space:IDENTITY`.
struct PlaceArgument: ExpressibleByArgument {
    private let kind: DataPlace.Kind

    static let completion = CompletionKind.list(["local", "device", "other", "service:", "space:"])

    init?(argument: String) {
        let parts = argument.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        switch (parts[0], parts.count == 2 ? parts[1] : nil) {
        case ("local", nil): kind = .localStorage
        case ("device", nil): kind = .deviceInput
        case ("other", nil): kind = .other
        case ("service", let name?):
            guard let name = try? ServiceName(name) else { return nil }
            kind = .service(name)
        case ("space", let name?):
            guard let identity = try? Identity(name) else { return nil }
            kind = .space(identity)
        default: return nil
        }
    }

    /// The place, reached with an account or none.
    func place(account: Identity?, foreignAccount: String?) throws -> DataPlace {
        if let account { return try DataPlace(kind, account: .identity(account)) }
        guard let foreignAccount else { return try DataPlace(kind) }
        guard case .service(let service) = kind else {
            throw CommandFailure(.usage, "takesNoAccount", "--foreign-account goes with service:NAME alone.")
        }
        return try DataPlace(kind, account: .foreign(name: foreignAccount, at: service))
    }
}
