import CMultiIdentity
import Synchronization

/// The pseudonyms under which profilers outside the process see identities, and the names behind them.
///
/// A pseudonym is random, belongs to one identity while any value of it lives, and is never given to another.
final class IdentityPseudonyms: Sendable {
    static let shared = IdentityPseudonyms()

    /// The number of identities without living values that are still known by their pseudonyms.
    static let keptCount = 4_096

    private struct State {
        var names: [UInt64: String] = [:]
        /// The pseudonyms of ended identities, in a ring.
        var ended: [UInt64] = []
        var next = 0
    }

    private let state = Locked(State())

    /// Returns the address of an identity's record, which it makes if there is none; 0 for nobody.
    func publish(_ identity: Identity) -> UInt {
        if identity.isNobody { return 0 }
        return state.withLock { state in
            let made = identity.spelling.record.threadContext.load(ordering: .relaxed)
            if made != 0 { return made }
            var pseudonym: UInt64
            repeat { pseudonym = .random(in: .min ... .max) } while state.names[pseudonym] != nil
            guard let record = mi_thread_context_make(Self.text(of: pseudonym)) else { return 0 }
            state.names[pseudonym] = identity.name
            let address = UInt(bitPattern: record)
            // Releasing: a thread that reads the address sees the complete record.
            identity.spelling.record.threadContext.store(address, ordering: .releasing)
            return address
        }
    }

    /// Frees the record of an identity that has no values any more.
    func end(_ address: UInt) {
        guard let record = UnsafeMutablePointer<mi_thread_context>(bitPattern: address) else { return }
        let pseudonym = withUnsafeBytes(of: record.pointee.pseudonym) { Self.number(of: $0) }
        free(record)
        guard let pseudonym else { return }
        state.withLock { state in
            guard state.ended.count == Self.keptCount else { return state.ended.append(pseudonym) }
            state.names[state.ended[state.next]] = nil
            state.ended[state.next] = pseudonym
            state.next = (state.next + 1) % Self.keptCount
        }
    }

    /// Returns the pseudonym of an identity.
    func pseudonym(of identity: Identity) -> String? {
        guard let record = UnsafePointer<mi_thread_context>(bitPattern: publish(identity)) else { return nil }
        return withUnsafeBytes(of: record.pointee.pseudonym) { String(decoding: $0, as: UTF8.self) }
    }

    /// Returns the name behind a pseudonym, if it is known.
    func name(of pseudonym: String) -> String? {
        guard let number = Self.number(of: pseudonym.utf8) else { return nil }
        return state.withLock { $0.names[number] }
    }

    private static func text(of pseudonym: UInt64) -> String {
        withUnsafeBytes(of: pseudonym.bigEndian) { Hexadecimal.text(of: $0) }
    }

    private static func number(of text: some Sequence<UInt8>) -> UInt64? {
        guard let bytes = Hexadecimal.bytes(of: Array(text)), bytes.count == 8 else { return nil }
        return bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }
}
