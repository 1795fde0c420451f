import MultiIdentityProtection

/// A stream that takes pieces and gives pieces: the two of the package.
protocol ConvertingStream: ~Copyable {
    mutating func push(_ bytes: [UInt8]) throws(DataProtectionError) -> [UInt8]
    consuming func finish() throws(DataProtectionError) -> [UInt8]
}

extension ProtectingStream: ConvertingStream {}
extension UnprotectingStream: ConvertingStream {}
