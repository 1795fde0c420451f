import ArgumentParser
import MultiIdentity
import MultiIdentityProtection

/// `info`.
struct InfoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "info",
        abstract: "Tell what protected files say about themselves.",
        discussion: """
            Needs no key, and proves nothing: anybody can write a header. Ends with 1 where a file was never protected.
            """
    )

    @Argument(help: "The files, or - for the standard input.", completion: .file())
    var files: [String]

    @OptionGroup var policy: PolicyOptions
    @OptionGroup var storage: StorageOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await Reporting.run("info", output) { reporter in
            let hasPolicy = policy.policy != nil || Setting.policy.isSet
            let protection = DataProtection(keys: NoKeys(), accounts: try policy.managed())
            let locations = Locations(storage)
            for file in files {
                let source = DataSource(file)
                try reporter.each(source.name) {
                    let opened = try OpenSource(source, locations)
                    let first = try opened.readStart()
                    // With policies, plain data that claim to be of somebody managed are an error.
                    let info =
                        try hasPolicy
                        ? protection.protectionInfo(first) : HeaderReading.info(first)
                    if info == nil { reporter.answerNo() }
                    try reporter.tell(
                        Entry(
                            path: source.name,
                            form: info?.form.name ?? "unprotected",
                            key: info?.form.keyName,
                            bytes: opened.size,
                            identity: info?.owner.name
                        )
                    )
                }
            }
        }
    }
}
