import Foundation
import MultiIdentity

/// An HTTP server in this process, on a port that the system chooses; it runs until it is released.
///
/// It answers `/echo` with the request's body, `/missing` with 404, `/hang` never, `/mute` with nothing, and everything else with the
/// path.
final class LoopbackServer: Sendable {
    let port: UInt16
    private let socket: LoopbackSocket
    /// Called when a request for `/hang` arrives.
    private let onHang: @Sendable () -> Void

    init(onHang: @escaping @Sendable () -> Void = {}) throws {
        socket = try LoopbackSocket()
        port = socket.port
        self.onHang = onHang
        try socket.listen()
        let (listening, onHang) = (socket.descriptor, onHang)
        Thread.detachNewThread {
            while let connection = LoopbackSocket.accept(listening) {
                Thread.detachNewThread { Self.serve(connection, onHang) }
            }
        }
    }

    func url(_ path: String) throws -> URL {
        guard let url = URL(string: "http://127.0.0.1:\(port)\(path)") else { throw LoopbackSocket.Failure("url") }
        return url
    }

    private static func serve(_ connection: Int32, _ onHang: () -> Void) {
        defer { close(connection) }
        guard let request = LoopbackRequest(from: connection) else { return }
        switch request.path {
        case "/echo": LoopbackSocket.send(connection, response(200, request.body))
        case "/missing": LoopbackSocket.send(connection, response(404, Data("not here".utf8)))
        case "/mute": break
        case "/hang":
            onHang()
            _ = LoopbackSocket.receive(connection)  // until the client gives up
        default: LoopbackSocket.send(connection, response(200, Data(request.path.utf8)))
        }
    }

    static func response(_ status: Int, _ body: Data) -> Data {
        let head = ["HTTP/1.1 \(status) Told", "Content-Length: \(body.count)", "Connection: close"]
        return Data((head + ["", ""]).joined(separator: "\r\n").utf8) + body
    }
}

/// A request that a client sent.
struct LoopbackRequest {
    let path: String
    let body: Data

    /// Reads one request; `nil` if the client disconnected first.
    init?(from connection: Int32) {
        var received = Data()
        let end = Data("\r\n\r\n".utf8)
        while received.range(of: end) == nil {
            guard let more = LoopbackSocket.receive(connection) else { return nil }
            received += more
        }
        guard let headEnd = received.range(of: end),
            let head = String(bytes: received[..<headEnd.lowerBound], encoding: .utf8)
        else { return nil }
        let lines = head.split(separator: "\r\n")
        guard let first = lines.first, first.split(separator: " ").count == 3 else { return nil }
        path = String(first.split(separator: " ")[1])
        func header(_ name: String) -> String? {
            let line = lines.first { $0.lowercased().hasPrefix(name + ":") }
            return line.map { $0.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces) }
        }
        let length = header("content-length").flatMap { Int($0) } ?? 0
        if header("expect") != nil { LoopbackSocket.send(connection, Data("HTTP/1.1 100 Continue\r\n\r\n".utf8)) }
        var body = Data(received[headEnd.upperBound...])
        while body.count < length {
            guard let more = LoopbackSocket.receive(connection) else { return nil }
            body += more
        }
        self.body = body
    }
}
