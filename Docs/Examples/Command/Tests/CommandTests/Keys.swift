import Foundation

/// The key file and the master key of a test.
struct Keys {
    /// The variables that name them.
    let environment: [String: String]

    init(in folder: Folder, named name: String = "keys") {
        environment = [
            "MULTI_IDENTITY_KEYS": folder.path(name),
            "MULTI_IDENTITY_MASTER_KEY": Data((0..<32).map { _ in UInt8.random(in: .min ... .max) })
                .base64EncodedString(),
        ]
    }
}
