import ArgumentParser

/// The status that the program ends with: as in sysexits.h where that has a number, and 1 where the answer is no.
struct ExitStatus: Hashable, Sendable {
    let number: Int32

    static let success = ExitStatus(number: 0)
    /// Everything went well, and the answer is no: refused by a policy, no owner is known, never protected.
    static let no = ExitStatus(number: 1)
    static let usage = ExitStatus(number: 64)
    static let data = ExitStatus(number: 65)
    static let noInput = ExitStatus(number: 66)
    static let software = ExitStatus(number: 70)
    static let cannotCreate = ExitStatus(number: 73)
    static let systemFailure = ExitStatus(number: 74)
    static let tryLater = ExitStatus(number: 75)
    static let noPermission = ExitStatus(number: 77)
    static let configuration = ExitStatus(number: 78)

    /// Returns the status that a shell shows of a program that a signal ended: 130 after Ctrl-C.
    static func interrupted(by signal: Int32) -> ExitStatus { ExitStatus(number: 128 + signal) }
}
