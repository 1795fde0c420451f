import MultiIdentity
import MultiIdentityFiles

/// The start of a file: a header of protected data, or anything else.
struct FileStart: Sendable {
    /// `nil`: the file was never protected.
    let header: ProtectionHeader?
    /// The header as read, including its tag if the data are encrypted.
    let bytes: [UInt8]

    init(of file: borrowing OpenFile) throws(ProtectionError) {
        let read = try ProtectionError.from { () throws(SystemCallError) in
            try [UInt8](capacity: ProtectionFormat.maximumHeaderLength) { (memory) throws(SystemCallError) in
                try file.read(into: memory, at: 0)
            }
        }
        let start = try read.span.bytes.withUnsafeBytes { (bytes) throws(ProtectionError) in
            try ProtectionHeader.start(of: bytes)
        }
        switch start {
        case .unfinished(isOurs: true): throw .cutOff
        case .foreign, .unfinished(isOurs: false):
            header = nil
            bytes = []
        case .header(let found, let length):
            let end = length + (found.encryption == nil ? 0 : ProtectionFormat.headerTagLength)
            guard read.count >= end else { throw .cutOff }
            header = found
            bytes = Array(read[..<end])
        }
    }
}
