import ArgumentParser
import MultiIdentity
import MultiIdentityPolicy

/// The options that say which identities are managed.
struct PolicyOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The policy file; default: MULTI_IDENTITY_POLICY.", valueName: "file"),
        completion: .file(extensions: ["json"])
    )
    var policy: String?

    /// Indicates whether a file is named.
    var isNamed: Bool { policy != nil || Setting.policy.isSet }

    /// The policies of the file.
    ///
    /// - Throws: ``CommandFailure`` where no file is named; `PolicyError` where it is not in order.
    func file() throws -> PolicyFile {
        try PolicyFile(Setting.policy.required(policy, "--policy"), pollInterval: nil)
    }

    /// Returns the identities managed by the policies; all that have a name, where there are none: so nothing is left
    /// unencrypted because an option was forgotten.
    func managed() throws -> any ManagedIdentities {
        guard isNamed else { return EverybodyManaged() }
        return Accounts(mode: .multi, policies: try file(), levels: IdentityLevels())
    }
}

/// Without policies, every identity that has a name is managed.
struct EverybodyManaged: ManagedIdentities {
    func isManaged(_ identity: Identity) -> Bool { !identity.isNobody }
}
