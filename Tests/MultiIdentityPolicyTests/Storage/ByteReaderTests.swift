import MultiIdentityFiles
import Testing

@Suite("Bytes to read") struct BytesThatAreRead {
    @Test("are what was written, in either byte order", arguments: [ByteOrder.littleEndian, .bigEndian])
    func areWhatWasWritten(_ order: ByteOrder) throws {
        var writer = ByteWriter(order)
        writer.add(0xA1 as UInt8)
        writer.add(0 as UInt32)
        writer.add(0x0102_0304_0506_0708 as UInt64)
        writer.add("ä", behind: UInt16.self)
        writer.add([7, 8])
        writer.put(0xB1B2_B3B4 as UInt32, at: 1)
        #expect(writer.bytes[1] == (order == .bigEndian ? 0xB1 : 0xB4))
        #expect(writer.bytes[5] == (order == .bigEndian ? 0x01 : 0x08))
        try ByteReader.whole(writer.bytes, order) { (reader) throws(ByteError) in
            #expect(try reader.number(UInt8.self) == 0xA1)
            #expect(try reader.number(UInt32.self) == 0xB1B2_B3B4)
            #expect(try reader.number(UInt64.self) == 0x0102_0304_0506_0708)
            #expect(try reader.text(behind: UInt16.self) == "ä")
            #expect(try Array(reader.bytes(2)) == [7, 8])
        }
    }

    @Test("are missing past the end") func areNoneThatAreNotThere() {
        for count in 0..<8 {
            #expect(Self.fault([UInt8](repeating: 0, count: count)) { try $0.number(UInt64.self) } == .cutOff)
        }
        #expect(Self.fault([1, 2]) { try $0.bytes(3) } == .cutOff)
        #expect(Self.fault([1, 2]) { try $0.bytes(-1) } == .cutOff)
        #expect(Self.fault([2, 0x61]) { try $0.text(behind: UInt8.self) } == .cutOff)
        #expect(Self.fault([UInt8](repeating: 0xFF, count: 8)) { try $0.text(behind: UInt64.self) } == .cutOff)
        #expect(Self.fault([1]) { try $0.list(of: UInt64.max) { _ in } } == .cutOff)
    }

    @Test("are refused if they are invalid, or too many") func areRefusedWhereTheyStandForNothing() {
        #expect(Self.fault([2]) { try $0.flag(UInt8.self) } == .invalid)
        #expect(Self.fault([1, 0xFF]) { try $0.text(behind: UInt8.self) } == .invalid)
        #expect(Self.fault([1, 2]) { try $0.number(UInt8.self) } == .leftOver)
        #expect(Self.fault([]) { _ in } == nil)
    }

    private static func fault<Value>(_ bytes: [UInt8], _ read: (inout ByteReader) throws -> Value) -> ByteError? {
        do throws(ByteError) {
            try ByteReader.whole(bytes, .littleEndian) { (reader) throws(ByteError) in
                do { _ = try read(&reader) } catch { throw error as? ByteError ?? .invalid }
            }
            return nil
        } catch { return error }
    }
}
