import MultiIdentity
import MultiIdentityFiles
import Testing

@Suite("A file's owner as bytes") struct AFilesOwnerAsBytes {
    static let owners = [FileOwner.unset, .nobody, .ada, .bob]

    @Test("is read as it was written", arguments: owners) func isReadAsItWasWritten(_ owner: FileOwner) throws {
        #expect(try FileOwner(bytes: owner.bytes) == owner)
    }

    @Test("is no other identity and not nobody, whichever bit was flipped", arguments: owners)
    func isNobodyElsesWhicheverBitWasFlipped(_ owner: FileOwner) {
        for index in owner.bytes.indices {
            for bit in 0..<8 {
                var bytes = owner.bytes
                bytes[index] ^= 1 << bit
                #expect(throws: FileOwner.Fault.self, "bit \(bit) of byte \(index)") { try FileOwner(bytes: bytes) }
            }
        }
    }

    @Test("is no other identity if it was truncated or extended", arguments: owners)
    func isNobodyElsesWhereverItWasCutOff(_ owner: FileOwner) {
        for count in owner.bytes.indices {
            #expect(throws: FileOwner.Fault.self) { try FileOwner(bytes: Array(owner.bytes.prefix(count))) }
        }
        #expect(throws: FileOwner.Fault.self) { try FileOwner(bytes: owner.bytes + [0x61]) }
    }
}
