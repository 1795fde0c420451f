import ArgumentParser
import MultiIdentity
import MultiIdentityPolicy

/// The options that decide which identities are managed.
struct PolicyOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The policy file; default: MULTI_IDENTITY_POLICY.", valueName: "file"),
        completion: .file(extensions: ["json"])
    )
    var policy: String?

    /// Indicates whether a file is named.
    var isNamed: Bool { policy != nil || Setting.policy.isSet }

    /// Returns the policies of the file.
    ///
    /// - Throws: ``CommandFailure`` if no file is named; `PolicyError` if it is invalid.
    func file() throws -> PolicyFile {
        try PolicyFile(Setting.policy.required(policy, "--policy"), pollInterval: nil)
    }

    /// Returns the identities managed by the policies or, without policies, all named ones, so that a forgotten option
    /// leaves nothing unencrypted.
    func managed() throws -> any ManagedIdentities {
        guard isNamed else { return EverybodyManaged() }
        return Accounts(mode: .multi, policies: try file(), levels: IdentityLevels())
    }
}

/// Without policies, every named identity is managed.
struct EverybodyManaged: ManagedIdentities {
    func isManaged(_ identity: Identity) -> Bool { !identity.isNobody }
}
