import MultiIdentity

/// The input is two names, separated by the byte 0xFF, which UTF-8 never contains.
///
/// Two names are equal exactly if their caseless forms, computed by ICU, are; equality, hash and order agree.
enum Pairs {
    static func check(_ bytes: [UInt8]) -> Bool {
        let parts = bytes.split(separator: 0xFF, maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let one = try? Identity(utf8: parts[0]), let other = try? Identity(utf8: parts[1]),
            Unicode15.knows(one.name), Unicode15.knows(other.name)
        else { return false }
        let (form, otherForm) = (Unicode15.caselessForm(of: one.name), Unicode15.caselessForm(of: other.name))
        require((one == other) == (form == otherForm), "ICU has it otherwise: \(one.name) and \(other.name)")
        require((other == one) == (one == other), "equality has a direction")
        let relations = [one < other, one == other, other < one]
        require(relations.count(where: { $0 }) == 1, "the order has \(relations)")
        if one == other { require(one.hashValue == other.hashValue, "equal, and hash otherwise") }
        for (identity, form) in [(one, form), (other, otherForm)] {
            // It can be too long for a name.
            guard let folded = try? Identity(String(decoding: form, as: UTF16.self)) else { continue }
            require(folded == identity, "\(identity.name) is another than its own form")
        }
        return true
    }
}
