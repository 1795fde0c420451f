/// The form of a name that decides equality: two names are the same identity exactly if their forms are equal, byte for byte.
///
/// Two names are the same if they match canonically and caselessly (source: The Unicode Standard, section 3.13, D145):
/// NFD(toCasefold(NFD(name))) with full case folding and without the Turkic mappings, independent of the locale. The data are
/// our own table rather than the standard library's properties, which depend on the version of the system's runtime: two
/// machines must not disagree on which names are the same identity.
package enum CaselessForm {
    /// Returns the caseless form of a name.
    /// - Parameter name: Any string; lower-case ASCII is returned unchanged, without an allocation.
    /// - Returns: A string of exactly the Unicode scalars of the form.
    /// - Complexity: O(*n*); for a run of *m* combining marks, O(*m* log *m*).
    package static func of(_ name: String) -> String {
        // Over the bytes in place, which the compiler vectorizes: a tenth of the time of iterating `utf8`.
        let ascii = name.utf8.withContiguousStorageIfAvailable { bytes in
            var (seen, uppercase): (UInt8, UInt8) = (0, 0)
            for byte in bytes {
                seen |= byte
                uppercase |= self.isUppercase(byte) ? 1 : 0
            }
            return (isAll: seen < 0x80, hasUppercase: uppercase != 0)
        }
        guard let ascii, ascii.isAll else { return self.ofAnyScalars(name) }
        guard ascii.hasUppercase else { return name }
        return String(decoding: name.utf8.map { self.isUppercase($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }

    private static func isUppercase(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "A") < 26 }

    private static func ofAnyScalars(_ name: String) -> String {
        var decomposed = CanonicalSequence(capacity: name.utf8.count)
        for scalar in name.unicodeScalars { self.decompose(scalar.value, into: &decomposed) }
        decomposed.finish()
        // Foldings are stored decomposed, but folding U+0345 turns a mark into a letter, so the order has to be restored.
        var folded = CanonicalSequence(capacity: decomposed.scalars.count)
        for scalar in decomposed.scalars { self.fold(scalar, into: &folded) }
        folded.finish()
        // String(decoding:as:) is not specialized for UTF-32: with it, all this takes half as long again.
        var form = String.UnicodeScalarView()
        for value in folded.scalars {
            guard let scalar = Unicode.Scalar(value) else { preconditionFailure("Invalid scalar: \(value)") }
            form.append(scalar)
        }
        return String(form)
    }

    private static func decompose(_ scalar: UInt32, into result: inout CanonicalSequence) {
        if self.decomposeHangul(scalar, into: &result) { return }
        let entry = self.entry(of: scalar)
        guard entry >= self.firstDistance else { return result.append(scalar, combiningClass: UInt8(entry)) }
        guard entry >= self.firstSequence else { return result.append(scalar, combiningClass: 0) }
        let (header, range) = self.sequence(of: entry)
        guard !self.isFolding(header) else {
            return result.append(scalar, combiningClass: UInt8(truncatingIfNeeded: header >> 16))
        }
        for index in range {
            let part = self.sequences[index]
            result.append(part, combiningClass: self.combiningClass(of: part))
        }
    }

    /// Decomposes a Hangul syllable by arithmetic (source: The Unicode Standard, section 3.12).
    /// - Returns: Whether `scalar` is a Hangul syllable.
    private static func decomposeHangul(_ scalar: UInt32, into result: inout CanonicalSequence) -> Bool {
        let syllable = scalar &- 0xAC00
        guard syllable < 11_172 else { return false }
        result.append(0x1100 + syllable / 588, combiningClass: 0)
        result.append(0x1161 + syllable % 588 / 28, combiningClass: 0)
        if syllable % 28 != 0 { result.append(0x11A7 + syllable % 28, combiningClass: 0) }
        return true
    }

    /// Folds a scalar of a decomposed string; the generator has checked that no folding combines or decomposes.
    private static func fold(_ scalar: UInt32, into result: inout CanonicalSequence) {
        let entry = self.entry(of: scalar)
        guard entry >= self.firstDistance else { return result.append(scalar, combiningClass: UInt8(entry)) }
        guard entry >= self.firstSequence else {
            let distance = self.distances[Int(entry - self.firstDistance)]
            return result.append(scalar &+ UInt32(bitPattern: distance), combiningClass: 0)
        }
        let (header, range) = self.sequence(of: entry)
        assert(self.isFolding(header), "U+\(String(scalar, radix: 16)) should have been decomposed")
        for index in range { result.append(self.sequences[index], combiningClass: 0) }
    }

    private static func combiningClass(of scalar: UInt32) -> UInt8 {
        let entry = self.entry(of: scalar)
        if entry < self.firstDistance { return UInt8(entry) }
        if entry < self.firstSequence { return 0 }
        return UInt8(truncatingIfNeeded: self.sequence(of: entry).header >> 16)
    }

    private static func entry(of scalar: UInt32) -> UInt16 {
        let run = Int(scalar) >> self.blockBits
        guard run >> self.pageBits < self.pageNumbers.count else { return 0 }
        let page = Int(self.pageNumbers[run >> self.pageBits])
        let block = Int(self.pages[page << self.pageBits + run & (1 << self.pageBits - 1)])
        return self.blocks[block << self.blockBits + Int(scalar) & (1 << self.blockBits - 1)]
    }

    private static func sequence(of entry: UInt16) -> (header: UInt32, range: Range<Int>) {
        let start = Int(entry - self.firstSequence)
        let header = self.sequences[start]
        return (header, start + 1..<start + 1 + Int(header & 0xFF))
    }

    private static func isFolding(_ header: UInt32) -> Bool { header & 0x100 != 0 }
}
