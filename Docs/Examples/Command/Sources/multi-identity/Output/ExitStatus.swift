import ArgumentParser

/// What the program ends with: as in sysexits.h where that has a number, and 1 where the answer is no.
enum ExitStatus: Int32, Codable {
    case success = 0
    /// Everything went well, and the answer is no: refused by a policy, owned by nobody known, not protected.
    case no = 1
    case usage = 64
    case data = 65
    case noInput = 66
    case software = 70
    case cannotCreate = 73
    case systemFailure = 74
    case tryLater = 75
    case noPermission = 77
    case configuration = 78

    var exitCode: ExitCode { ExitCode(rawValue) }
}
