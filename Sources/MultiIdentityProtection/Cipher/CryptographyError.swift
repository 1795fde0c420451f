import MultiIdentityFiles

/// The cryptographic library failed at what cannot fail for sound arguments: it lacks memory, or the algorithm.
struct CryptographyError: Error, Equatable {
    /// The step that failed.
    let step: String
}

extension CryptographyError: CustomStringConvertible {
    var description: String {
        "the cryptographic library failed to \(step): it lacks memory, or its configuration lacks the algorithm"
    }
}

extension Cryptography {
    /// The digest of bytes that are no secret.
    static func digest(of bytes: [UInt8]) throws(CryptographyError) -> [UInt8] {
        try [UInt8](capacity: digestLength) { (memory) throws(CryptographyError) in
            try bytes.span.bytes.withUnsafeBytes { (bytes) throws(CryptographyError) in
                try digest(of: bytes, into: memory)
            }
            return memory.count
        }
    }
}
