import ArgumentParser
import MultiIdentity
import MultiIdentityFiles
import MultiIdentityPolicy
import MultiIdentityProtection

/// `protect`.
struct ProtectCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "protect",
        abstract: "Protect files of an identity.",
        discussion: """
            The data of a managed identity are encrypted with its key; those of an unmanaged one get a header that names \
            it and stay readable. Without a file of policies, everybody is managed.

            Each file is replaced at once, and is its owner's from then on; a file that is encrypted for the identity \
            already stays as it is.
            """
    )

    @OptionGroup var conversion: ConversionOptions

    @Option(
        name: .customLong("as"),
        help: ArgumentHelp("The owner of the data; without, the recorded owner of each file.", valueName: "name"),
        transform: NamedIdentity.init
    )
    var owner: NamedIdentity?

    @OptionGroup var policy: PolicyOptions
    @OptionGroup var keys: KeyOptions
    @OptionGroup var storage: StorageOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        try conversion.check(output)
        if owner == nil, conversion.files.contains("-") { throw ValidationError("The standard input needs --as.") }
    }

    func run() async throws {
        try await Reporting.run("protect", output, isSilent: conversion.writesData) { reporter in
            let (managed, keys) = (try policy.managed(), KeysWhenNeeded(self.keys))
            let protection = DataProtection(keys: keys, accounts: managed)
            let locations = Locations(storage)
            for file in conversion.files {
                let source = DataSource(file)
                try reporter.each(source.name) {
                    try protect(
                        source,
                        protection,
                        isEncrypted: { try managed.isManaged($0) || keys.hasKeys(of: $0) },
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

    private func protect(
        _ source: DataSource,
        _ protection: DataProtection,
        isEncrypted: (Identity) throws -> Bool,
        _ conversion: Conversion
    ) throws {
        let opened = try OpenSource(source, conversion.locations)
        try keys.checkNoneOfThem(opened.facts)
        let identity = try identity(of: opened.owner)
        let isEncrypted = try isEncrypted(identity)
        let target = DataTarget(self.conversion.output, for: source)
        var entry = Entry(path: source.name, identity: identity.name)
        // What is protected already would be encrypted twice, and once too often for its reader.
        let first = try opened.readStart()
        if let info = try HeaderReading.info(first) {
            guard info.owner == identity else {
                throw CommandFailure(
                    .data,
                    "otherOwner",
                    "It is protected for \(info.owner) already. Unprotect it first, if it is to be \(identity)'s."
                )
            }
            if target == .inPlace, (info.form == .claimed) == !isEncrypted {
                entry.action = "protected already"
                entry.form = info.form.name
                return try conversion.reporter.tell(entry)
            }
            if info.form != .claimed {
                throw CommandFailure(.data, "protectedAlready", "It is encrypted for \(info.owner) already.")
            }
        }
        entry.bytes = try conversion.run(opened, source.name, first: first, to: target, owner: identity) {
            try protection.protectingStream(for: identity)
        }
        entry.action = "protected"
        entry.form = isEncrypted ? "encrypted" : "claimed"
        if case .file(let path) = target { entry.output = path }
        try conversion.reporter.tell(entry)
    }

    /// Returns the identity of the data: nobody encrypts a file of one with the key of another by mistake.
    private func identity(of recorded: FileOwner?) throws(CommandFailure) -> Identity {
        // A file of nobody's may become somebody's.
        let recorded: Identity? = if case .identity(let identity)? = recorded { identity } else { nil }
        switch (owner?.identity, recorded) {
        case (let named?, let recorded?) where named != recorded && conversion.output == nil:
            throw CommandFailure(
                .data,
                "otherOwner",
                "It belongs to \(recorded). Change that first with `owner --set`, if it is to be \(named)'s."
            )
        case (let named?, _): return named
        case (nil, let recorded?): return recorded
        case (nil, nil):
            throw CommandFailure(.data, "noOwner", "No owner is recorded for it. Name one with --as.")
        }
    }
}
