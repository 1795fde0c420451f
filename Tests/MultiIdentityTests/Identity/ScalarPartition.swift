/// A partition of Unicode scalars by their key: each scalar's class is the first scalar that had that key, in UTF-16.
struct ScalarPartition {
    private(set) var classes = [UInt32](repeating: .max, count: 0x11_0000)
    // Nearly all keys are one code unit or a pair: an array of these saves a million dictionary entries.
    private var ofShortKeys = [UInt32](repeating: .max, count: 0x11_0000)
    private var ofLongKeys: [[UInt16]: UInt32] = [:]

    mutating func insert(_ scalar: Unicode.Scalar, key: ArraySlice<UInt16>) {
        self.classes[Int(scalar.value)] = self.representative(of: key, orElse: scalar.value)
    }

    private mutating func representative(of key: ArraySlice<UInt16>, orElse new: UInt32) -> UInt32 {
        guard let only = Self.onlyScalar(of: key) else {
            let key = Array(key)  // compared unit by unit: strings compare canonically, which would hide a difference
            let known = self.ofLongKeys[key]
            if known == nil { self.ofLongKeys[key] = new }
            return known ?? new
        }
        if self.ofShortKeys[only] == .max { self.ofShortKeys[only] = new }
        return self.ofShortKeys[only]
    }

    private static func onlyScalar(of key: ArraySlice<UInt16>) -> Int? {
        let first = key[key.startIndex]
        if key.count == 1 { return Int(first) }
        guard key.count == 2, UTF16.isLeadSurrogate(first) else { return nil }
        return 0x10000 + (Int(first) - 0xD800) << 10 + Int(key[key.startIndex + 1]) - 0xDC00
    }
}
