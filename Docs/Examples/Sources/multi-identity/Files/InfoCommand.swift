import ArgumentParser
import MultiIdentity
import MultiIdentityFiles
import MultiIdentityPolicy
import MultiIdentityProtection

struct InfoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "info",
        abstract: "Show the headers of protected files.",
        discussion: """
            Needs no key, and proves nothing: anyone can write a header. Exits with 1 if a file was never protected.
            """
    )

    @Argument(help: "The files.", completion: .file())
    var files: [String]

    @OptionGroup var policy: PolicyOptions
    @OptionGroup var storage: StorageOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await Reporter.run("info", output) { reporter in
            // With policies, plain data that claim a managed identity are an error.
            let protection =
                policy.isNamed
                ? DataProtection(keys: NoKeys(), accounts: try policy.managed()) : HeaderReading.protection
            let locations = Locations(storage)
            for file in files {
                try reporter.each(file) {
                    let location = try locations.location(of: file)
                    let info = try location.info(protection)
                    if info == nil { reporter.answerNo() }
                    try reporter.report(
                        Entry(
                            path: file,
                            form: info?.form.name ?? "unprotected",
                            key: info?.form.keyName,
                            bytes: try location.files.open(location.path, for: .reading).size(),
                            identity: info?.owner.name
                        )
                    )
                }
            }
        }
    }
}

/// Reads the header of data as if no identity were managed.
enum HeaderReading {
    static let protection = DataProtection(keys: NoKeys(), accounts: NobodyManaged())

    private struct NobodyManaged: ManagedIdentities {
        func isManaged(_ identity: Identity) -> Bool { false }
    }
}

extension ProtectionInfo.Form {
    /// The name in reports.
    var name: String {
        switch self {
        case .encrypted: "encrypted"
        case .claimed: "claimed"
        }
    }

    /// The ID of the key, if there is one.
    var keyName: String? {
        if case .encrypted(let id) = self { "\(id)" } else { nil }
    }
}
