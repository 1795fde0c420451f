import MultiIdentity

@testable import MultiIdentityProtection

/// Reads a key file without ``KeyFile``.
enum KeyFileFixture {
    static func contents(_ bytes: [UInt8], _ master: UInt8 = 1) throws -> KeyFileContents {
        try bytes.withUnsafeBytes {
            try KeyFileFormat.contents(of: $0, with: KeyFolder.master(master), path: "")
        }
    }
}
