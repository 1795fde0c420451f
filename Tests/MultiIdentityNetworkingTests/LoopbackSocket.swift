import Foundation

/// A socket on the loopback interface with a port of its own, which answers only once it listens.
final class LoopbackSocket: Sendable {
    struct Failure: Error {
        let call: String
        let code: Int32

        init(_ call: String) { (self.call, code) = (call, errno) }
    }

    let descriptor: Int32
    let port: UInt16

    init() throws {
        #if canImport(Darwin)
        let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #else
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #endif
        guard descriptor >= 0 else { throw Failure("socket") }
        self.descriptor = descriptor
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let named = withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, size) == 0 && getsockname(descriptor, address, &size) == 0
            }
        }
        port = UInt16(bigEndian: address.sin_port)
        guard named else { throw Failure("bind") }
    }

    deinit {
        shutdown(descriptor, Int32(SHUT_RDWR))  // ends a thread that accepts
        close(descriptor)
    }

    func listen() throws {
        #if canImport(Darwin)
        let refusal = Darwin.listen(descriptor, 64)
        #else
        let refusal = Glibc.listen(descriptor, 64)
        #endif
        guard refusal == 0 else { throw Failure("listen") }
    }

    /// Returns the next client; `nil` once the socket is closed.
    static func accept(_ listening: Int32) -> Int32? {
        #if canImport(Darwin)
        let connection = Darwin.accept(listening, nil, nil)
        #else
        let connection = Glibc.accept(listening, nil, nil)
        #endif
        return connection >= 0 ? connection : nil
    }

    /// Receives the next data; returns `nil` once the client has disconnected.
    static func receive(_ connection: Int32) -> Data? {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(connection, &buffer, buffer.count, 0)
        return count > 0 ? Data(buffer[..<count]) : nil
    }

    static func send(_ connection: Int32, _ data: Data) {
        #if canImport(Darwin)
        let flags: Int32 = 0
        #else
        let flags = Int32(MSG_NOSIGNAL)
        #endif
        data.withUnsafeBytes { bytes in
            var sent = 0
            while sent < bytes.count {
                let count = write(from: bytes[sent...], to: connection, flags)
                if count <= 0 { return }
                sent += count
            }
        }
    }

    private static func write(from bytes: Slice<UnsafeRawBufferPointer>, to connection: Int32, _ flags: Int32) -> Int {
        let bytes = UnsafeRawBufferPointer(rebasing: bytes)
        #if canImport(Darwin)
        return Darwin.send(connection, bytes.baseAddress, bytes.count, flags)
        #else
        return Glibc.send(connection, bytes.baseAddress, bytes.count, flags)
        #endif
    }
}
