import HTTPTypes
import MultiIdentityFiles
import NIOCore

/// The place of tenants' files.
///
/// Each belongs to the user of the work that touches it, asked where it is touched. All of it blocks.
protocol FileStorage: Sendable {
    /// Begins a file, which is there under its name once it is whole, and never in parts.
    ///
    /// - Parameters:
    ///   - name: The file's name.
    ///   - errand: The owner's errand.
    /// - Returns: What takes its bytes.
    /// - Throws: ``Refusal``, or what the file system throws.
    func upload(_ name: FileName, for errand: Errand) throws -> any FileUpload

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - name: The file's name.
    ///   - errand: The owner's errand.
    /// - Returns: What gives its bytes.
    /// - Throws: ``Refusal``, or what the file system throws, where this tenant has no such file.
    func download(_ name: FileName, for errand: Errand) throws -> any FileDownload
}

/// A file that is being received.
protocol FileUpload: Sendable {
    func write(_ bytes: ByteBuffer) throws
    func finish() throws
    func abandon()
}

/// A file that is being sent.
protocol FileDownload: Sendable {
    /// The next bytes, or `nil` at the end.
    func next() throws -> ByteBuffer?
}

extension Refusal {
    static var noFile: Refusal { Refusal(.notFound, code: "no_file", "You have no file of this name.") }

    /// Makes the answer about a file that was not received, or `nil` for a fault of the server's.
    init?(receiving error: any Error) {
        guard let error = error as? IdentityFileError, error.code == .noSpace else { return nil }
        // Nothing was changed then.
        self.init(HTTPResponse.Status(code: 507), code: "no_space", "There is no room for this file.")
    }

    /// Makes the answer about a file that was not found, or `nil` for a fault of the server's.
    init?(sending error: any Error) {
        guard let error = error as? IdentityFileError, error.code == .notFound else { return nil }
        self = .noFile
    }
}
