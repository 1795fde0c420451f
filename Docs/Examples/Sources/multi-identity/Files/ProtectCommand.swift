import ArgumentParser
import MultiIdentity
import MultiIdentityFiles
import MultiIdentityPolicy
import MultiIdentityProtection

/// The files to convert in place, or standard input.
struct ConversionOptions: ParsableArguments {
    @Argument(
        help: "The files, which are replaced atomically; or - to read standard input and write standard output.",
        completion: .file()
    )
    var files: [String]

    @OptionGroup var policy: PolicyOptions
    @OptionGroup var keys: KeyOptions
    @OptionGroup var storage: StorageOptions
    @OptionGroup var output: OutputOptions

    /// Indicates whether standard output is used for data.
    var isStream: Bool { files == ["-"] }

    func protection() throws -> DataProtection {
        DataProtection(keys: try keys.provider(), accounts: try policy.managed())
    }

    func validate() throws {
        if files.count > 1, files.contains("-") {
            throw ValidationError("Use - for the standard input without other files.")
        }
        if isStream, output.json { throw ValidationError("The data go to the standard output; omit --json.") }
    }

    /// Converts each file, and reports it.
    func convertFiles(_ reporter: Reporter, _ convert: (Location) throws -> Entry) throws {
        let locations = Locations(storage)
        for file in files {
            try reporter.each(file) { try reporter.report(try convert(try locations.location(of: file))) }
        }
    }
}

struct ProtectCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "protect",
        abstract: "Protect files for an identity.",
        discussion: """
            The data of a managed identity are encrypted with its key; those of an unmanaged one stay readable behind a \
            header that names it. Without a policy file, every identity is managed.

            Each file is replaced atomically, and belongs to the owner from then on. A file already encrypted for the \
            identity stays as it is.
            """
    )

    @OptionGroup var conversion: ConversionOptions

    @Option(
        name: .customLong("as"),
        help: ArgumentHelp("The owner of the data; by default, the recorded owner of each file.", valueName: "name"),
        transform: NamedIdentity.init
    )
    var owner: NamedIdentity?

    func validate() throws {
        if owner == nil, conversion.isStream { throw ValidationError("The standard input needs --as.") }
    }

    func run() async throws {
        try await Reporter.run("protect", conversion.output, isSilent: conversion.isStream) { reporter in
            let protection = try conversion.protection()
            if conversion.isStream, let owner = owner?.identity {
                let first = try Pump.readStart()
                try Self.check(try HeaderReading.protection.protectionInfo(first), for: owner)
                return try Pump.run(first, through: try protection.protectingStream(for: owner))
            }
            try conversion.convertFiles(reporter) { try protect($0, protection) }
        }
    }

    private func protect(_ location: Location, _ protection: DataProtection) throws -> Entry {
        try conversion.keys.checkIsNoneOfThem(location.name)
        let identity = try identity(of: location)
        let before = try location.info(HeaderReading.protection)
        if let before, before.owner != identity { try Self.check(before, for: identity) }
        try protection.protectFile(location.path, in: location.files, for: identity)
        // After the data: if it is interrupted between the two, the same command completes it.
        try location.files.setOwner(.identity(identity), of: location.path)
        let after = try location.info(HeaderReading.protection)
        return Entry(
            path: location.name,
            action: before == after ? "protected already" : "protected",
            form: after?.form.name,
            bytes: try location.files.open(location.path, for: .reading).size(),
            identity: identity.name
        )
    }

    /// Refuses data that belong to another owner, or would be encrypted twice.
    private static func check(_ info: ProtectionInfo?, for identity: Identity) throws(CommandFailure) {
        guard let info else { return }
        if info.owner == identity {
            throw CommandFailure(.data, "protectedAlready", "It is already protected for \(info.owner).")
        }
        throw CommandFailure(
            .data,
            "otherOwner",
            "It is already protected for \(info.owner). To protect it for \(identity), unprotect it first."
        )
    }

    /// Returns the identity of the data, so that a file is not encrypted with another identity's key by mistake.
    private func identity(of location: Location) throws -> Identity {
        // A file of nobody may become an identity's.
        let recorded = try location.files.owner(of: location.path)?.identity.flatMap { $0.isNobody ? nil : $0 }
        switch (owner?.identity, recorded) {
        case (let named?, let recorded?) where named != recorded:
            throw CommandFailure(
                .data,
                "otherOwner",
                "It belongs to \(recorded). To protect it for \(named), first run `owner --set`."
            )
        case (let named?, _): return named
        case (nil, let recorded?): return recorded
        case (nil, nil):
            throw CommandFailure(.data, "noOwner", "It has no recorded owner. Name one with --as.")
        }
    }
}
