import MultiIdentity
import MultiIdentityFiles

/// A file's content, and the form that it is to be written in.
struct FileWork: ~Copyable {
    private var content: FileContent
    private let transfer: FileTransfer

    init(content: consuming FileContent, transfer: consuming FileTransfer) {
        self.content = content
        self.transfer = transfer
    }

    consuming func run(into file: borrowing OpenFile) throws(ProtectionError) {
        try transfer.run(&content, into: file)
    }
}

extension DataProtection {
    /// Returns the work of protecting a file; `nil` if it is already protected in the same way.
    ///
    /// `inPlace`: Whether the file would only be written over itself.
    func protecting(
        _ file: borrowing OpenFile,
        size: UInt64,
        for identity: Identity,
        inPlace: Bool
    ) throws(ProtectionError) -> FileWork? {
        let start = try FileStart(of: file)
        if let owner = start.header?.owner, owner != identity { throw .protectedForOther(owner, identity) }
        // Authenticates the header, so that plain data cannot pass as encrypted.
        let content = try FileContent(of: file, from: start, size: size, with: self, expecting: nil)
        let message = try begin(for: identity, in: segmentSize)
        switch start.header {
        case nil: break
        // Protecting never removes encryption, even if the owner is no longer managed.
        case .some(let header) where header.encryption?.keyID == message.keyID || message.keyID == nil:
            if inPlace { return nil }
            return FileWork(content: try FileContent(asItIs: file, size: size), transfer: FileTransfer())
        case .some: break
        }
        return FileWork(content: content, transfer: FileTransfer(message, in: segmentSize))
    }
}
