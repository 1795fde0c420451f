import Foundation
import MultiIdentity
import MultiIdentityFiles
import MultiIdentityManagement
import MultiIdentityPolicy
import MultiIdentityProtection

/// The program's exit status: from sysexits.h where it defines one, and 1 if the answer is no.
struct ExitStatus: Hashable, Sendable {
    let number: Int32

    static let success = ExitStatus(number: 0)
    /// The command succeeded, and the answer is no: refused by a policy, without a known owner, never protected.
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
}

/// An error as the command reports it: exit status, code and message.
struct CommandFailure: Error {
    let status: ExitStatus
    let code: String
    /// Empty if everything was already reported.
    let message: String
    /// The file or the identity of the error, if known.
    let subject: String?

    init(_ status: ExitStatus, _ code: String, _ message: String, about subject: String? = nil) {
        self.status = status
        self.code = code
        self.message = message
        self.subject = subject
    }

    /// The failure of a system call, by `errno`.
    init(systemCall verb: String, _ path: String) {
        let number = errno
        let isRefused = number == EACCES || number == EPERM
        self.init(
            isRefused ? .noPermission : number == ENOENT || number == ENOTDIR ? .noInput : .systemFailure,
            isRefused ? "notPermitted" : number == ENOENT || number == ENOTDIR ? "notFound" : "systemCall",
            "The system refused to \(verb) it: \(String(cString: strerror(number))).",
            about: path
        )
    }

    /// True if the next file is not tried: no one reads the output.
    var endsAll: Bool { code == "outputFailed" }
}

extension CommandFailure {
    /// Determines the status of an error: by its code, which means the same in all errors of the package, otherwise by its type.
    init(_ error: any Error) {
        switch error {
        case let error as CommandFailure: self = error
        case let error as PolicyError: self.init("\(error.code)", error.message, else: .data, about: error.path)
        case let error as IdentityError: self.init("\(error.code)", error.message, else: .usage)
        case let error as IdentityFileError: self.init("\(error.code)", error.message, else: .systemFailure)
        case let error as ProtectionError: self.init("\(error.code)", error.message, else: .data)
        case let error as ManagementError: self.init("\(error.code)", error.message, else: .configuration)
        default: self.init(.software, "unexpected", "\(error)")
        }
    }

    private init(_ code: String, _ message: String, else status: ExitStatus, about path: String? = nil) {
        self.init(Self.statuses.first { $0.codes.contains(code) }?.status ?? status, code, message, about: path)
    }

    private static let statuses: [(status: ExitStatus, codes: Set<String>)] = [
        (
            .usage,
            [
                "nobody", "notManaged", "invalidPath", "outsideRoot", "invalidServiceName", "takesNoAccount",
                "wouldDeadlock",
            ]
        ),
        (.data, ["damaged", "damagedOwner", "newerOwner", "malformed"]),
        (.noInput, ["missing", "unreadable", "unreadableFile", "notFound", "notAFile", "connectionRefused"]),
        (.cannotCreate, ["alreadyExists", "crossesFileSystems"]),
        (.systemFailure, ["systemCall", "cryptographyFailed", "noSpace", "fileFailed"]),
        (.tryLater, ["beingWritten", "changedMeanwhile", "indexInUse", "inUse", "stoppedWaiting"]),
        (
            .noPermission,
            [
                "noOwner", "notPermitted", "notAllowed", "revoked", "unknownKey", "destroyedKey", "wrongKey",
                "wrongMasterKey",
            ]
        ),
        (
            .configuration,
            [
                "writableByAll", "attributesUnsupported", "invalidIndex", "unsafeFile", "invalidKey", "rolledBack",
                "keyUnavailable",
            ]
        ),
    ]
}
