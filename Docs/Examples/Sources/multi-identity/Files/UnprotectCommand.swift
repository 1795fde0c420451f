import ArgumentParser
import MultiIdentity
import MultiIdentityFiles
import MultiIdentityPolicy
import MultiIdentityProtection

struct UnprotectCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unprotect",
        abstract: "Restore the original content of protected files.",
        discussion: """
            Data that were never protected stay as they are. To require an owner, name it with --expecting, which refuses \
            all others. Each file is replaced atomically, and keeps its owner.

            Data on the standard output are authenticated, but known to be complete only at the end: check the exit status \
            before you use them.
            """
    )

    @OptionGroup var conversion: ConversionOptions

    @Option(
        help: ArgumentHelp("The required owner; the data must be encrypted with its key.", valueName: "name"),
        transform: NamedIdentity.init
    )
    var expecting: NamedIdentity?

    func run() async throws {
        try await Reporter.run("unprotect", conversion.output, isSilent: conversion.isStream) { reporter in
            let protection = try conversion.protection()
            if conversion.isStream {
                let stream =
                    if let expecting { protection.unprotectingStream(expecting: expecting.identity) } else {
                        protection.unprotectingStreamIfProtected()
                    }
                return try Pump.run(try Pump.readStart(), through: stream)
            }
            try conversion.convertFiles(reporter) { try unprotect($0, protection) }
        }
    }

    private func unprotect(_ location: Location, _ protection: DataProtection) throws -> Entry {
        let info = try location.info(protection)
        if let expecting {
            try protection.unprotectFile(location.path, in: location.files, expecting: expecting.identity)
        } else {
            try protection.unprotectFileIfProtected(location.path, in: location.files)
        }
        return Entry(
            path: location.name,
            action: info == nil ? "unchanged" : "unprotected",
            form: info?.form.name ?? "unprotected",
            bytes: try location.files.open(location.path, for: .reading).size(),
            identity: info?.owner.name
        )
    }
}
