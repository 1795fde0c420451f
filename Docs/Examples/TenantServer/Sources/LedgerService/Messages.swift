import JobQueue
import LedgerProtocol
import MultiIdentity

extension Ledger_V1_Seen {
    init(_ owner: JobOwner) {
        self.init()
        switch owner {
        case .unset: unset = Ledger_V1_Seen.Unset()
        case .nobody: nobody = Ledger_V1_Seen.Nobody()
        case .identity(let identity): name = identity.name
        }
    }
}

extension Ledger_V1_Entry {
    init(_ entry: LedgerEntry) {
        self.init()
        number = entry.number
        requestID = entry.requestID
        text = entry.text
        owner = Ledger_V1_Seen(entry.owner)
        servedAs = Ledger_V1_Seen(entry.servedAs)
    }
}

extension Ledger_V1_Erased {
    init(_ erased: ErasedLedger) {
        self.init()
        entries = Int64(erased.entries)
        receipts = Int64(erased.receipts)
        jobs = Int64(erased.jobs)
        servedAs = Ledger_V1_Seen(erased.servedAs)
    }
}

extension Ledger_V1_Receipt {
    init(_ receipt: LedgerReceipt) {
        self.init()
        requestID = receipt.requestID
        entry = receipt.entry
        madeAs = Ledger_V1_Seen(receipt.madeAs)
        servedAs = Ledger_V1_Seen(receipt.servedAs)
        attempt = Int32(clamping: receipt.attempt)
    }
}
