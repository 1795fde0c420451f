import Foundation

/// A pipe for a test.
package struct TestPipe: Sendable {
    package let readEnd: Int32
    package let writeEnd: Int32

    /// - Parameter bytes: The bytes that can be read at once.
    package init(holding bytes: [UInt8] = []) {
        var ends: [Int32] = [-1, -1]
        precondition(pipe(&ends) == 0, "No pipe can be had: error \(errno).")
        // A process that is started later would keep it open.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (readEnd, writeEnd) = (ends[0], ends[1])
        precondition(write(writeEnd, bytes, bytes.count) == bytes.count, "The pipe took only a part.")
    }

    package func close() {
        closeDescriptor(readEnd)
        closeDescriptor(writeEnd)
    }
}

/// A temporary file for a test, which is removed with its last descriptor.
package struct TestFile: Sendable {
    package let descriptor: Int32
    /// The path of the file until ``remove()``.
    package let path: String

    package init(holding bytes: [UInt8] = []) {
        var template = Array("\(NSTemporaryDirectory())/multi-identity-XXXXXX".utf8CString)
        descriptor = mkstemp(&template)
        precondition(descriptor >= 0, "No file can be made: error \(errno).")
        path = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
        precondition(write(descriptor, bytes, bytes.count) == bytes.count, "The file took only a part.")
        lseek(descriptor, 0, SEEK_SET)
    }

    package func remove() { unlink(path) }

    package func close() {
        remove()
        closeDescriptor(descriptor)
    }
}

private func closeDescriptor(_ descriptor: Int32) { close(descriptor) }
