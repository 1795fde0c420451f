/// Fails on one input that is unlikely to be guessed, so that `run --self-test` can show that failures are found.
enum Planted {
    static func check(_ bytes: [UInt8]) -> Bool {
        guard bytes.count >= 5 else { return true }
        if bytes[0] == 0x61, bytes[1] == 0xC3, bytes[2] == 0xAB, bytes[3] == 0xFF {
            require(bytes[4] != bytes[0], "planted: this one is to be found")
        }
        return true
    }
}
