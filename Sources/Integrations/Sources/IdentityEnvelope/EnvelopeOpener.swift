#if Envelopes
import Crypto
import Foundation
public import MultiIdentity
public import MultiIdentityCarriers

/// Opens an envelope that was sealed for this machine, piece by piece, as it arrives.
///
/// ```swift
/// var opener = EnvelopeOpener(key: key, name: "archive") { audience in .hmac(audience: audience, issuers: rings) }
/// for try await bytes in body {
///     let content = try opener.open(bytes)
///     guard let envelope = opener.envelope else { continue }
///     try accounts.decide(.share(with: receiver), for: envelope.owner).check()  // before the first byte is written
///     …
/// }
/// try opener.finish()
/// ```
///
/// The content is authentic, piece by piece; it is complete once ``finish()`` has returned.
public struct EnvelopeOpener: ~Copyable {
    private enum State {
        case header
        case pieces(HPKE.Recipient, SHA256.Digest, owner: Identity)
        case ended
        case failed
    }

    /// The owner and the label of an envelope, available before its content.
    public struct Envelope: Hashable, Sendable {
        /// The owner of the content, signed by an issuer that the verifier accepts.
        public let owner: Identity
        /// The label that the sender set.
        public let label: [UInt8]
    }

    /// The verified owner and label; `nil` before they have arrived.
    public private(set) var envelope: Envelope?
    private let key: EnvelopeKey
    private let name: String
    private let verifier: (String) throws -> any IdentityVerifier
    private var state = State.header
    private var waiting: [UInt8] = []

    /// Begins to open an envelope.
    ///
    /// - Parameters:
    ///   - key: The key of this machine.
    ///   - name: This machine's name.
    ///   - verifier: Returns the claim's verifier for an audience: this machine and this envelope.
    public init(
        key: EnvelopeKey,
        name: String,
        verifier: @escaping (_ audience: String) throws -> any IdentityVerifier
    ) {
        self.key = key
        self.name = name
        self.verifier = verifier
    }

    /// Opens more of the envelope.
    ///
    /// - Parameter bytes: The next bytes, in any number.
    /// - Returns: The content that they complete; none before ``envelope`` is available.
    /// - Throws: ``EnvelopeError``; the opener cannot be used afterwards.
    public mutating func open(_ bytes: some Sequence<UInt8>) throws(EnvelopeError) -> [UInt8] {
        waiting += bytes
        do { return try openAll() } catch {
            state = .failed
            throw error
        }
    }

    /// Ends the envelope.
    ///
    /// - Throws: ``EnvelopeError`` if its end has not arrived.
    public consuming func finish() throws(EnvelopeError) {
        switch state {
        case .ended: break
        case .failed: throw .finished
        case .header, .pieces: throw .truncated
        }
    }

    private mutating func openAll() throws(EnvelopeError) -> [UInt8] {
        var content: [UInt8] = []
        var start = 0
        defer { waiting.removeFirst(start) }
        while true {
            switch state {
            case .failed: throw .finished
            case .ended:
                guard waiting.count == start else { throw .truncated }
                return content
            case .header:
                guard let length = try headerLength() else { return content }
                state = try begin(Array(waiting[..<length]))
                start = length
            case .pieces(var recipient, let digest, let owner):
                guard let (isLast, range) = try nextPiece(after: start) else { return content }
                let piece: Data
                do {
                    let authenticated = EnvelopeFormat.authenticated(digest, isLast: isLast)
                    piece = try recipient.open(Data(waiting[range]), authenticating: authenticated)
                } catch { throw .tampered }
                start = range.upperBound
                if envelope == nil {
                    envelope = Envelope(owner: owner, label: Array(piece))
                } else {
                    content += piece
                }
                state = isLast ? .ended : .pieces(recipient, digest, owner: owner)
            }
        }
    }

    /// Returns the length of everything before the pieces, or `nil` before that is known.
    private func headerLength() throws(EnvelopeError) -> Int? {
        let start = EnvelopeFormat.start
        guard waiting.starts(with: start.prefix(waiting.count)) else { throw .malformed("it has another beginning") }
        guard waiting.count > start.count else { return nil }
        let version = waiting[start.count]
        guard version == EnvelopeFormat.version else {
            if version == 0 { throw .malformed("it has version 0") }
            throw EnvelopeError(.futureVersion, "It has version \(version), and this is for 1. Update the receiver.")
        }
        guard waiting.count >= EnvelopeFormat.fixedLength else { return nil }
        let count = waiting[EnvelopeFormat.fixedLength - 2..<EnvelopeFormat.fixedLength].reduce(0) { $0 << 8 | Int($1) }
        guard count <= EnvelopeFormat.maximumClaimLength else { throw .malformed("its claim is too long") }
        return waiting.count >= EnvelopeFormat.fixedLength + count ? EnvelopeFormat.fixedLength + count : nil
    }

    /// Verifies the claim, and derives the keys.
    private func begin(_ header: [UInt8]) throws(EnvelopeError) -> State {
        let claim = String(decoding: header[EnvelopeFormat.fixedLength...], as: UTF8.self)
        let keyStart = EnvelopeFormat.start.count + 1
        let encapsulated = Data(header[keyStart..<keyStart + EnvelopeFormat.keyLength])
        let audience = EnvelopeFormat.audience(of: name, publicKey: key.publicKey, encapsulatedKey: encapsulated)
        let owner: Identity
        do {
            guard let claim = try IdentityBaggage.standard.claim(in: [claim]) else {
                throw EnvelopeError(
                    .claimRefused,
                    "The envelope names no owner; have it sealed for one, or for nobody."
                )
            }
            owner = try claim.verified(by: verifier(audience))
        } catch let error as EnvelopeError {
            throw error
        } catch {
            throw EnvelopeError(.claimRefused, "The envelope's claim of an owner is not accepted.", cause: error)
        }
        do {
            let recipient = try HPKE.Recipient(
                privateKey: key.key,
                ciphersuite: EnvelopeFormat.suite,
                info: EnvelopeFormat.info(of: name),
                encapsulatedKey: encapsulated
            )
            return .pieces(recipient, SHA256.hash(data: header), owner: owner)
        } catch { throw .tampered }
    }

    /// Returns the position of the next piece, or `nil` before it is complete.
    private func nextPiece(after start: Int) throws(EnvelopeError) -> (isLast: Bool, Range<Int>)? {
        guard waiting.count - start >= 4 else { return nil }
        let number = waiting[start..<start + 4].reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
        let (isLast, count) = (number >> 31 == 1, Int(number & 0x7FFF_FFFF))
        let limit = (envelope == nil ? EnvelopeFormat.maximumLabelLength : EnvelopeFormat.pieceLength)
        guard (EnvelopeFormat.tagLength...limit + EnvelopeFormat.tagLength).contains(count) else {
            throw .malformed("a piece has \(count) bytes")
        }
        // The label is never the last piece: an envelope without content has an empty one.
        if isLast, envelope == nil { throw .malformed("it has only a label") }
        let end = start + 4 + count
        return waiting.count >= end ? (isLast, start + 4..<end) : nil
    }
}
#endif
