import Foundation
import Synchronization

/// A socket between a client and a server, which counts the round trips that pass, and cuts them off where it is asked to.
///
/// A round trip is counted where the client sends something and the server had the last word, or none yet. Nothing is changed.
public final class Relay: Sendable {
    /// The place at which a connection is cut.
    public enum Cut: Sendable {
        /// Drops all that is sent to the server.
        case beforeTheServer
        /// The server gets it, and its answer does not reach the client.
        case beforeTheAnswer
        /// As that, and the client is left waiting for it.
        case silently
    }

    private struct State {
        var roundTrips = 0
        var connections = 0
        var cut: (word: [UInt8], where: Cut)?
        var isStopped = false
    }

    /// The folder of the socket that clients connect to.
    public let folder: String
    private let listener: Int32
    private let target: String
    private let state = Mutex(State())

    /// Begins to relay.
    ///
    /// - Parameter target: The path of the server's socket; the new one has the same name.
    /// - Throws: ``DatabaseServersError``.
    public init(to target: String) throws {
        self.target = target
        folder = "/tmp/identity-relay-\(UInt32.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        let path = folder + "/" + (target.split(separator: "/").last ?? "")
        guard listener >= 0, Self.withAddress(path, { bind(listener, $0, $1) }) == 0, listen(listener, 64) == 0 else {
            throw DatabaseServersError(message: "No socket could be made at \(path): error \(errno).")
        }
        Thread.detachNewThread { [weak self, listener] in
            while case let client = accept(listener, nil, nil), client >= 0 { self?.relay(client) ?? Relay.end(client) }
            // Here, and not where it is stopped: its number must not be the next relay's while this thread still asks for it.
            close(listener)
        }
    }

    deinit { stop() }

    /// The number of round trips so far.
    public var roundTrips: Int { state.withLock { $0.roundTrips } }

    /// The number of connections so far.
    public var connections: Int { state.withLock { $0.connections } }

    /// Has the next connection that sends this word cut, once.
    ///
    /// - Parameters:
    ///   - word: What is looked for in the client's messages.
    ///   - place: Where it is cut.
    public func cut(at word: String, _ place: Cut) { state.withLock { $0.cut = (Array(word.utf8), place) } }

    /// Takes no more connections, and removes the socket.
    public func stop() {
        guard
            state.withLock({ state in
                defer { state.isStopped = true }
                return !state.isStopped
            })
        else { return }
        shutdown(listener, Int32(SHUT_RDWR))
        try? FileManager.default.removeItem(atPath: folder)
    }

    private func relay(_ client: Int32) {
        let server = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        guard Self.withAddress(target, { connect(server, $0, $1) }) == 0 else {
            Self.end(client, server)
            return
        }
        state.withLock { $0.connections += 1 }
        let talk = Talk(client: client, server: server)
        Thread.detachNewThread { [self] in
            talk.pump(from: client, to: server) { [self] bytes in note(bytes, of: talk) }
        }
        Thread.detachNewThread {
            talk.pump(from: server, to: client) { _ in
                let cut = talk.state.withLock { state in
                    state.serverSpoke = true
                    return state.cut
                }
                switch cut {
                case nil: return .pass
                case .silently: return .drop
                default: return .end
                }
            }
        }
    }

    private func note(_ bytes: ArraySlice<UInt8>, of talk: Talk) -> Talk.Verdict {
        let isNew = talk.state.withLock { state in
            defer { state.serverSpoke = false }
            return state.serverSpoke
        }
        let cut = state.withLock { state -> Cut? in
            if isNew { state.roundTrips += 1 }
            guard let cut = state.cut, bytes.firstRange(of: cut.word) != nil else { return nil }
            state.cut = nil
            return cut.where
        }
        talk.state.withLock { $0.cut = cut ?? $0.cut }
        if case .beforeTheServer = cut { return .end }
        return .pass
    }

    private static func end(_ sockets: Int32...) { for socket in sockets { close(socket) } }

    private static func withAddress(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        return withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}

/// A client and a server, each on a thread of its own.
private final class Talk: Sendable {
    enum Verdict { case pass, drop, end }

    struct State {
        var serverSpoke = true
        var cut: Relay.Cut?
        var ends = 0
    }

    let client: Int32
    let server: Int32
    let state = Mutex(State())

    init(client: Int32, server: Int32) { (self.client, self.server) = (client, server) }

    func pump(from: Int32, to: Int32, _ note: (ArraySlice<UInt8>) -> Verdict) {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        reading: while case let count = read(from, &bytes, bytes.count), count > 0 {
            switch note(bytes[..<count]) {
            case .end: break reading
            case .drop: continue
            case .pass:
                var sent = 0
                while sent < count {
                    let more = bytes.withUnsafeBytes { bytes in
                        send(to, bytes.baseAddress.map { $0 + sent }, count - sent, Int32(MSG_NOSIGNAL))
                    }
                    if more <= 0 { break reading }
                    sent += more
                }
            }
        }
        shutdown(from, Int32(SHUT_RDWR))
        shutdown(to, Int32(SHUT_RDWR))
        // The second to end closes both: a number must not be another's while one still reads from it.
        let isLast = state.withLock { state in
            state.ends += 1
            return state.ends == 2
        }
        if isLast {
            close(client)
            close(server)
        }
    }
}
