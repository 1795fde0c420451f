import ArgumentParser
import MultiIdentityPolicy

/// Where keys come from.
struct KeyOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The file of keys; else MULTI_IDENTITY_KEYS.", valueName: "file"),
        completion: .file()
    )
    var keys: String?

    @Option(
        help: ArgumentHelp(
            "The file of the master key; else MULTI_IDENTITY_MASTER_KEY_FILE, or the key itself in "
                + "MULTI_IDENTITY_MASTER_KEY.",
            valueName: "file"
        ),
        completion: .file()
    )
    var masterKeyFile: String?

    /// Whether keys are named.
    var areNamed: Bool { keys != nil || Setting.keys.isSet }

    /// The file of keys.
    func keyFile() throws -> KeyFile {
        try KeyFile(at: try Setting.keys.required(keys, "--keys"), masterKey: try masterKey())
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
                "There is no master key: give --master-key-file, or set \(Setting.masterKeyFile.rawValue) or "
                    + "\(Setting.masterKey.rawValue)."
            )
        }
    }
}
