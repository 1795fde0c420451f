import Foundation
import MultiIdentityTesting
import PoolFindings
import Testing

@Suite("The table of what pools keep") struct PoolFindingTests {
    @Test("has each promise for each pool", arguments: PoolFinding.all)
    func isWhole(_ finding: PoolFinding) {
        #expect(finding.promises == PoolPromise.allCases)
    }

    @Test("stands in the documents as it is asserted")
    func isWritten() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../../..")
        let page = try String(contentsOf: root.appending(path: "Docs/Leases.md"), encoding: .utf8)
        #expect(page.contains(PoolFinding.table), "It is to be:\n\(PoolFinding.table)")
    }
}
