import MultiIdentity
import MultiIdentityFiles
import Testing

@testable import MultiIdentityProtection

@Suite("A record of a wipe's journal") struct ARecordOfAWipe {
    private static let report = WipeReport(
        identity: Users.ada,
        isComplete: false,
        runs: 3,
        wasManaged: true,
        began: 1_700_000_000,
        ended: 1_700_000_060,
        handled: .notRemoved,
        files: 7,
        bytes: 300,
        isCountExact: false,
        keys: .kept,
        keyCount: 2,
        work: .init(cancelled: 1, captured: 4, stillRunning: 5, names: ["a task"]),
        failures: [WipeFailure("/data/a", because: "it is locked")],
        failureCount: 9,
        journalDamage: 1,
        seconds: [.revoking: 0.5]
    )

    private static let name = "0f00000000000000" + "61646140636f6e746f736f2e636f6d"

    private static let records: [(WipeRecord, String)] = [
        (
            .began(run: 2, at: 1_700_000_000, storages: ["/data", "/ä"], hasKeys: true),
            "0500000000000000626567616e" + "0200000000000000" + "00f1536500000000" + "0200000000000000"
                + "05000000000000002f64617461" + "03000000000000002fc3a4" + "0100000000000000"
        ),
        (.phase(.removing), "05000000000000007068617365" + "080000000000000072656d6f76696e67"),
        (
            .count(.init(files: 7, bytes: 300, keys: nil)),
            "0500000000000000636f756e74" + "0700000000000000" + "2c01000000000000" + "ffffffffffffffff"
        ),
        (
            .ended(report),
            "0500000000000000656e646564" + "0000000000000000" + "0300000000000000" + "0100000000000000"
                + "00f1536500000000" + "3cf1536500000000" + "0e000000000000006c656674546f53746f7261676573"
                + "0700000000000000" + "2c01000000000000" + "0000000000000000" + "04000000000000006b657074"
                + "0200000000000000" + "0100000000000000" + "0400000000000000" + "0500000000000000"
                + "0100000000000000" + "060000000000000061207461736b" + "0100000000000000"
                + "07000000000000002f646174612f61" + "0c000000000000006974206973206c6f636b6564"
                + "0900000000000000" + "0100000000000000" + "0100000000000000"
                + "08000000000000007265766f6b696e67" + "000000000000e03f"
        ),
    ]

    @Test("is the same, byte for byte, as that of every version before", arguments: records.indices)
    func isTheSameAsThatOfEveryVersionBefore(_ index: Int) throws {
        let (record, digits) = Self.records[index]
        #expect(Hexadecimal.text(of: record.bytes(of: Users.ada)) == Self.name + digits)
        let read = try WipeRecord.read(record.bytes(of: Users.ada))
        #expect(read.identity == Users.ada)
        #expect(read.record == record)
    }

    @Test("has no number to which nothing can be added") func hasNoLastNumber() {
        let records: [WipeRecord] = [
            .began(run: .max, at: 0, storages: [], hasKeys: false), .count(.init(files: .max, bytes: .max, keys: nil)),
        ]
        for record in records {
            #expect(throws: ByteError.invalid) { try WipeRecord.read(record.bytes(of: Users.ada)) }
        }
    }

    @Test("is read whole or not at all", arguments: records.indices) func isReadWholeOrNotAtAll(_ index: Int) {
        let bytes = Self.records[index].0.bytes(of: Users.ada)
        for count in bytes.indices {
            #expect(throws: ByteError.self, "\(count) bytes") { try WipeRecord.read(Array(bytes.prefix(count))) }
        }
        #expect(throws: ByteError.leftOver) { try WipeRecord.read(bytes + [0]) }
    }
}
