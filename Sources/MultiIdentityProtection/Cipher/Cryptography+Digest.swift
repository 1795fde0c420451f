import MultiIdentityFiles

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
