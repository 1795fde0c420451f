import ArgumentParser
import Foundation
import MultiIdentity
import MultiIdentityProtection

/// The options that name the keys.
struct KeyOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The key file; default: MULTI_IDENTITY_KEYS.", valueName: "file"),
        completion: .file()
    )
    var keys: String?

    @Option(
        help: ArgumentHelp(
            "The master key file; default: MULTI_IDENTITY_MASTER_KEY_FILE, or the key itself in "
                + "MULTI_IDENTITY_MASTER_KEY.",
            valueName: "file"
        ),
        completion: .file()
    )
    var masterKeyFile: String?

    var areNamed: Bool { keys != nil || Setting.keys.isSet }

    /// The path of the file of keys.
    var path: String {
        get throws(CommandFailure) { try Setting.keys.required(keys, "--keys") }
    }

    /// The file of keys.
    ///
    /// - Parameters:
    ///   - mustExist: Whether a missing file is an error, rather than a file without keys.
    ///   - newMaster: A second master key that the file may use.
    /// - Returns: The keys.
    /// - Throws: `ProtectionError`; ``CommandFailure`` if a file is not named or missing.
    func keyFile(mustExist: Bool = false, under newMaster: MasterKey? = nil) throws -> KeyFile {
        let path = try path
        if mustExist { try Locations.checkRegularFile(path) }
        guard let newMaster else { return try KeyFile(at: path, masterKey: try masterKey()) }
        return try KeyFile(at: path, masterKey: newMaster, formerMasterKey: try masterKey())
    }

    /// Returns the keys, or none if no file is named: commands that need no key need no file.
    func provider() throws -> any IdentityKeyProvider { areNamed ? try keyFile() : NoKeys() }

    /// Refuses a key file: encrypted with themselves, the keys would be lost.
    func checkIsNoneOfThem(_ path: String) throws(CommandFailure) {
        var file = stat()
        guard stat(path, &file) == 0 else { throw CommandFailure(systemCall: "find", path) }
        for name in [keys ?? Setting.keys.value, masterKeyFile ?? Setting.masterKeyFile.value].compactMap(\.self) {
            var other = stat()
            guard stat(name, &other) == 0, other.st_dev == file.st_dev, other.st_ino == file.st_ino else { continue }
            throw CommandFailure(.usage, "isKeyFile", "It is the key file, and its keys would be lost. Leave it out.")
        }
    }

    private func masterKey() throws -> MasterKey {
        if let masterKeyFile { return try .fromFile(masterKeyFile) }
        switch (Setting.masterKeyFile.value, Setting.masterKey.isSet) {
        case (.some, true):
            throw CommandFailure(
                .configuration,
                "ambiguousMasterKey",
                "Both \(Setting.masterKeyFile.rawValue) and \(Setting.masterKey.rawValue) are set; unset one of them."
            )
        case (let file?, false): return try .fromFile(file)
        case (nil, true): return try .fromEnvironment(Setting.masterKey.rawValue)
        case (nil, false):
            throw CommandFailure(
                .configuration,
                "noMasterKey",
                "There is no master key: pass --master-key-file, or set \(Setting.masterKeyFile.rawValue) or "
                    + "\(Setting.masterKey.rawValue)."
            )
        }
    }
}

struct NoKeys: IdentityKeyProvider {
    private let none = ProtectionError(.keyUnavailable, "There are no keys. Name them with --keys.")

    func hasKeys(of identity: Identity) -> Bool { false }
    func currentKey(for identity: Identity) throws(ProtectionError) -> IdentityKey { throw none }
    func key(_ id: IdentityKeyID, of identity: Identity) throws(ProtectionError) -> IdentityKey { throw none }
    func rotateKey(of identity: Identity) throws(ProtectionError) -> IdentityKeyID { throw none }
    func destroyKeys(of identity: Identity) throws(ProtectionError) { throw none }
}
