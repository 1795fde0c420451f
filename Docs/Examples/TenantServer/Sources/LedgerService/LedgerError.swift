public import GRPCCore

/// A reason why the ledger refuses a request, or cannot serve it.
public enum LedgerError: Error, Hashable, Sendable {
    /// The request is not what the protocol asks for.
    case invalidRequest(String)
    /// The caller wrote another entry under this id.
    case requestIDInUse(String)
    /// A row holds no owner that this program can have written.
    case corruptRow(String)
}

extension LedgerError: RPCErrorConvertible {
    /// The code that the caller gets.
    public var rpcErrorCode: RPCError.Code {
        switch self {
        case .invalidRequest: .invalidArgument
        case .requestIDInUse: .alreadyExists
        case .corruptRow: .dataLoss
        }
    }

    /// The text that the caller reads.
    public var rpcErrorMessage: String {
        switch self {
        case .invalidRequest(let problem): problem
        case .requestIDInUse(let id): "You wrote another entry as \(id). Give each entry an id of its own."
        case .corruptRow: "A row of the ledger cannot be read. Its operator finds in the log which."
        }
    }
}
