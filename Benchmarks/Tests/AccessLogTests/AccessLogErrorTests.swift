import AccessLog
import Foundation
import Testing

@Suite("A log that cannot be read is a clear error")
struct AccessLogErrorTests {
    private func failure(at path: String) -> AccessLogError? {
        do throws(AccessLogError) {
            var reader = try AccessLogReader(path: path)
            while try reader.next() != nil {}
            return nil
        } catch {
            return error
        }
    }

    @Test("A path that does not exist is unreadable")
    func missing() throws {
        let error = try #require(failure(at: "missing/access.log"))
        #expect(error == .unreadable(path: "missing/access.log", code: ENOENT, reason: "No such file or directory"))
        #expect("\(error)".hasPrefix(#"cannot open the access log "missing/access.log": No such file or directory; "#))
    }

    @Test("An empty path is unreadable")
    func emptyPath() {
        #expect(failure(at: "") == .unreadable(path: "", code: ENOENT, reason: "No such file or directory"))
    }

    @Test("A path with a NUL does not open the file named before it")
    func pathWithNUL() throws {
        try TemporaryLog.withPath(of: [0x78]) { path in
            let error = try #require(failure(at: path + "\0.log"))
            #expect(error == .unreadable(path: path + "\0.log", code: EINVAL, reason: "Invalid argument"))
            #expect("\(error)".contains(#"\0.log"#))
        }
    }

    @Test("A file that may not be read is unreadable", .enabled(if: geteuid() != 0, "root may read every file"))
    func forbidden() throws {
        try TemporaryLog.withPath(of: [0x78]) { path in
            try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: path)
            #expect(failure(at: path) == .unreadable(path: path, code: EACCES, reason: "Permission denied"))
        }
    }

    @Test("A directory is distinguished from a file")
    func directory() {
        let path = FileManager.default.temporaryDirectory.path
        #expect(failure(at: path) == .directory(path: path))
    }

    @Test("An empty file is an error")
    func empty() throws {
        try TemporaryLog.withPath(of: []) { path in
            #expect(failure(at: path) == .empty(path: path))
        }
        #expect(failure(at: "/dev/null") == .empty(path: "/dev/null"))
    }

    @Test("A file of one blank line is an empty file", arguments: ["\n", "\r\n", "\r"])
    func blank(text: String) throws {
        try TemporaryLog.withPath(of: Array(text.utf8)) { path in
            #expect(failure(at: path) == .empty(path: path))
        }
    }

    @Test("After an error and after the end there are no more lines")
    func finished() throws {
        try TemporaryLog.withPath(of: [0x0A]) { path in
            var reader = try AccessLogReader(path: path)
            #expect(throws: AccessLogError.empty(path: path)) { _ = try reader.next() }
            let line = try reader.next()
            #expect(line == nil)
        }
    }

    #if os(Linux)
    @Test("A read that fails says so")
    func readFailure() throws {
        let path = "/proc/self/mem"
        let error = try #require(failure(at: path))
        #expect(error == .readFailed(path: path, afterLine: 0, code: EIO, reason: "Input/output error"))
        #expect("\(error)".hasPrefix(#"reading the access log "/proc/self/mem" failed after line 0: "#))
    }
    #endif
}
