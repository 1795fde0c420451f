import MultiIdentityFiles

// Above either library: digests and random bytes as arrays.
extension Cryptography {
    /// The digest of bytes that are no secret.
    static func digest(of bytes: [UInt8]) throws(ProtectionError) -> [UInt8] {
        try [UInt8](capacity: digestLength) { (memory) throws(ProtectionError) in
            try bytes.span.bytes.withUnsafeBytes { (bytes) throws(ProtectionError) in
                try digest(of: bytes, into: memory)
            }
            return memory.count
        }
    }

    /// Random bytes that are no secret.
    static func random(_ count: Int) throws(ProtectionError) -> [UInt8] {
        try [UInt8](capacity: count) { (memory) throws(ProtectionError) in
            try randomize(memory)
            return count
        }
    }
}
