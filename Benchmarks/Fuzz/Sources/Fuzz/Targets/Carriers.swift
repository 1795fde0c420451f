import Foundation
import MultiIdentity
import MultiIdentityCarriers

/// The input is the values of a `baggage` header, separated by the byte 0xFF, which UTF-8 never contains.
///
/// A claim is nobody or a valid name, as another baggage reader reads it; its signed bytes say the same; a refusal is
/// short and plain text. Whatever the values are, injecting ada gives a header that W3C allows, that claims ada, and that
/// keeps the other members; or it exceeds a limit.
enum Carriers {
    private static let baggage = IdentityBaggage.standard

    static func check(_ bytes: [UInt8]) -> Bool {
        let values = bytes.split(separator: 0xFF, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        do {
            if let claim = try baggage.claim(in: values) {
                claimed(claim, values)
            } else {
                require(!members(of: values).contains { looksLikeOurs(key(of: $0)) }, "did not see the member")
            }
        } catch {
            require(!error.message.utf8.contains { $0 < 0x20 || $0 == 0x7F }, "a control character in the message")
            require(error.message.utf8.count < 1_500, "a message of \(error.message.utf8.count) bytes")
            require(
                (error.code == .invalidName) == (error.nameError != nil),
                "\(error.code), but the name's error is not"
            )
        }
        inject(among: values)
        return true
    }

    private static func claimed(_ claim: IdentityClaim, _ values: [String]) {
        let ours = members(of: values).filter { isOurs(key(of: $0)) }
        require(ours.count == 1, "read one of \(ours.count) members")
        let parts = ours[0].components(separatedBy: ";")
        let value = parts[0].components(separatedBy: "=").dropFirst().joined(separator: "=")
        if let name = claim.unverifiedName {
            let read = decoded(value.trimmingCharacters(in: .whitespaces))
            require(read == Array(name.utf8), "\(value) became \(name)")
            require((try? Identity(name)) != nil, "claims what is no name")
        } else {
            require(value.trimmingCharacters(in: .whitespaces).isEmpty, "\(value) became nobody")
            require(parts.contains { $0.trimmingCharacters(in: .whitespaces) == "nobody" }, "nobody said nobody")
        }
        guard let signature = claim.signature else {
            return require(!parts.dropFirst().contains { $0.contains("=") }, "a signature was dropped")
        }
        let said = [
            "identity", claim.unverifiedName == nil ? "nobody" : "named", claim.unverifiedName ?? "", signature.issuer,
            signature.audience, "\(signature.expiry.components.seconds)", signature.keyID ?? "",
        ]
        require(fields(of: signature.bytes) == said.map { Array($0.utf8) }, "the signed bytes say something else")
        require(!signature.signature.isEmpty, "an empty signature")
    }

    private static func inject(among values: [String]) {
        guard let ada = try? Identity("Ada, 100%") else { return }
        do {
            let value = try baggage.headerValue(for: ada, besides: values) ?? ""
            let after = members(of: [value])
            require(value.utf8.count <= 8_192 && after.count <= 64, "\(value.utf8.count) bytes, \(after.count) members")
            require(value.utf8.allSatisfy { (0x20...0x7E).contains($0) || $0 == 9 }, "what a header may not have")
            require(try baggage.claim(in: [value])?.unverifiedName == "Ada, 100%", "is not ada")
            let others = members(of: values).filter { !looksLikeOurs(key(of: $0)) }
            let kept = after.dropLast()
            require(after.last == "identity=Ada%2C%20100%25", "ours is not the last one")
            require(others.starts(with: kept), "others are not the first ones")
            let isAllowed = values.allSatisfy { $0.utf8.allSatisfy { (0x20...0x7E).contains($0) || $0 == 9 } }
            let hasRoom = others.dropFirst(kept.count).first.map { value.utf8.count + $0.utf8.count < 8_192 } ?? false
            require(isAllowed ? !hasRoom || kept.count == 63 : kept.isEmpty, "kept \(kept.count) of \(others.count)")
        } catch {
            require(false, "could not be put there: \(error.code)")
        }
    }

    /// A second implementation, independent of the package.
    private static func members(of values: [String]) -> [String] {
        values.joined(separator: ",").components(separatedBy: ",")
            .map { $0.trimmingCharacters(in: CharacterSet(charactersIn: " \t")) }.filter { !$0.isEmpty }
    }

    private static func key(of member: String) -> String {
        (member.components(separatedBy: CharacterSet(charactersIn: "=;")).first ?? "")
            .trimmingCharacters(in: CharacterSet(charactersIn: " \t"))
    }

    private static func isOurs(_ key: String) -> Bool { key.utf8.elementsEqual("identity".utf8) }

    /// True if some reader takes it for ours: one that ignores case, or one that decodes keys.
    private static func looksLikeOurs(_ key: String) -> Bool {
        var pieces = key.replacingOccurrences(of: "+", with: " ").components(separatedBy: "%")
        var bytes = Array(pieces.removeFirst().utf8)
        for piece in pieces {
            let digits = piece.utf8.prefix(2)
            if digits.count == 2, let byte = UInt8(String(decoding: digits, as: UTF8.self), radix: 16),
                digits.first != 0x2B
            {
                bytes += [byte] + piece.utf8.dropFirst(2)
            } else {
                bytes += [UInt8(ascii: "%")] + piece.utf8
            }
        }
        let read = bytes.map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }
        let blanks: Set<UInt8> = [0x20, 0x09]
        return read.drop { blanks.contains($0) }.reversed().drop { blanks.contains($0) }
            .elementsEqual("identity".utf8.reversed())
    }

    /// Foundation's function drops a byte order mark.
    private static func decoded(_ text: String) -> [UInt8]? {
        let pieces = text.components(separatedBy: "%")
        var bytes = Array(pieces[0].utf8)
        for piece in pieces.dropFirst() {
            let digits = String(piece.prefix(2))
            guard digits.utf8.count == 2, digits.allSatisfy(\.isHexDigit), let byte = UInt8(digits, radix: 16) else {
                return nil
            }
            bytes += [byte] + piece.utf8.dropFirst(2)
        }
        return bytes
    }

    /// The fields of signed bytes, parsed.
    private static func fields(of bytes: [UInt8]) -> [[UInt8]]? {
        guard bytes.starts(with: Array("MultiIdentityClaim1".utf8)) else { return nil }
        var rest = bytes.dropFirst(19)
        var fields: [[UInt8]] = []
        while !rest.isEmpty {
            guard rest.count >= 4 else { return nil }
            let count = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(4)
            guard rest.count >= count else { return nil }
            fields.append(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        return fields
    }
}
