import MultiIdentityFiles

extension IdentityKeyError {
    init(_ error: SystemCallError) {
        let isFull = error.isNoSpace ? " Nothing was changed; make room and try again." : ""
        self.init(.systemCall, "\(error).\(isFull)")
    }

    static func unsafe(_ path: String, _ reason: String) -> IdentityKeyError {
        IdentityKeyError(.unsafeFile, "\(path) \(reason). Keys are read only from a file that this user alone can use.")
    }

    static func damaged(_ path: String, _ reason: String) -> IdentityKeyError {
        IdentityKeyError(
            .damagedFile,
            "\(path) is not what was written: \(reason). Nothing was changed; bring back the last copy that is whole."
        )
    }

    static func rolledBack(_ path: String, _ reason: String) -> IdentityKeyError {
        IdentityKeyError(
            .rolledBack,
            "\(path) \(reason). Keys that were made or destroyed since may be missing or back: find out who did that, and "
                + "restart once it is as it should be."
        )
    }

    static func wrongMasterKey(_ path: String) -> IdentityKeyError {
        IdentityKeyError(
            .wrongMasterKey,
            "\(path) was written under another master key, or its start was altered; look at where the master key comes "
                + "from, and whether it was rotated."
        )
    }
}
