import ArgumentParser
import MultiIdentity
import MultiIdentityFiles
import MultiIdentityPolicy
import MultiIdentityProtection

/// `unprotect`.
struct UnprotectCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unprotect",
        abstract: "Give the original bytes of protected files.",
        discussion: """
            Data that were never protected stay as they are: where they have to be somebody's own, name the owner with \
            --expecting, which refuses all others. Each file is replaced at once, and keeps its owner.

            What comes from the standard output is authenticated, but whether it is whole is known at the end alone: \
            look at the exit status before you use it.
            """
    )

    @OptionGroup var conversion: ConversionOptions

    @Option(
        help: ArgumentHelp("The owner that the data have to have, encrypted with a key of its own.", valueName: "name"),
        transform: NamedIdentity.init
    )
    var expecting: NamedIdentity?

    @OptionGroup var policy: PolicyOptions
    @OptionGroup var keys: KeyOptions
    @OptionGroup var storage: StorageOptions
    @OptionGroup var output: OutputOptions

    func validate() throws { try conversion.check(output) }

    func run() async throws {
        try await Reporting.run("unprotect", output, isSilent: conversion.writesData) { reporter in
            let protection = DataProtection(keys: KeysWhenNeeded(keys), accounts: try policy.managed())
            let locations = Locations(storage)
            for file in conversion.files {
                let source = DataSource(file)
                try reporter.each(source.name) {
                    try unprotect(
                        source,
                        protection,
                        Conversion(
                            options: conversion,
                            locations: locations,
                            reporter: reporter
                        )
                    )
                }
            }
        }
    }

    private func unprotect(_ source: DataSource, _ protection: DataProtection, _ conversion: Conversion) throws {
        let opened = try OpenSource(source, conversion.locations)
        let target = DataTarget(self.conversion.output, for: source)
        let first = try opened.readStart()
        let info = try protection.protectionInfo(first)
        var entry = Entry(path: source.name)
        if info == nil, target == .inPlace, expecting == nil {
            entry.action = "unchanged"
            entry.form = "unprotected"
            return try conversion.reporter.tell(entry)
        }
        let owner = info?.owner ?? opened.owner?.identity
        let stream = { () -> UnprotectingStream in
            guard let expecting else { return protection.unprotectingStreamIfProtected() }
            return protection.unprotectingStream(expecting: expecting.identity)
        }
        entry.bytes = try conversion.run(
            opened,
            source.name,
            first: first,
            to: target,
            owner: owner,
            keepsOwner: true,
            stream
        )
        entry.action = info == nil ? "copied" : "unprotected"
        entry.form = info?.form.name ?? "unprotected"
        entry.identity = info?.owner.name
        if case .file(let path) = target { entry.output = path }
        try conversion.reporter.tell(entry)
    }
}
