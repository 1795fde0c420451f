import ArgumentParser
import MultiIdentity
import MultiIdentityPolicy

/// A place as it is named on the command line: `local`, `device`, `other`, `service:NAME`, `space:IDENTITY`.
struct PlaceArgument: Sendable {
    private let kind: DataPlace.Kind

    static let completion = CompletionKind.list(["local", "device", "other", "service:", "space:"])

    /// - Throws: A `ValidationError`, which says what is wrong with it.
    init(_ argument: String) throws {
        let parts = argument.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        do {
            switch (parts[0], parts.count == 2 ? parts[1] : nil) {
            case ("local", nil): kind = .localStorage
            case ("device", nil): kind = .deviceInput
            case ("other", nil): kind = .other
            case ("service", let name?): kind = .service(try ServiceName(name))
            case ("space", let name?): kind = .space(try Identity(name))
            default: throw ValidationError("A place is local, device, other, service:NAME or space:IDENTITY.")
            }
        } catch let error as IdentityError {
            throw ValidationError(error.message)
        } catch let error as DataPlaceError {
            throw ValidationError(error.message)
        }
    }

    /// The place, reached with an account or none.
    func place(account: Identity?) throws -> DataPlace {
        guard let account else { return try DataPlace(kind) }
        return try DataPlace(kind, account: .identity(account))
    }
}
