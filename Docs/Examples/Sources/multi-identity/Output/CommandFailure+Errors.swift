import MultiIdentity
import MultiIdentityFiles
import MultiIdentityManagement
import MultiIdentityPolicy
import MultiIdentityProtection

extension CommandFailure {
    /// Finds out what an error means here.
    init(_ error: any Error) {
        switch error {
        case let error as CommandFailure: self = error
        case let error as PolicyFileError:
            self.init(Self.status(of: error), "\(error.code)", error.message, about: error.path)
        case let error as DataPlaceError: self.init(.usage, "\(error.code)", error.message)
        case let error as AccountsError: self.init(.no, "\(error.code)", error.message)
        case let error as IdentityError: self.init(.usage, "\(error.code)", error.message)
        case let error as IdentityFileError: self.init(Self.status(of: error), "\(error.code)", error.message)
        case let error as IdentityKeyError: self.init(Self.status(of: error), "\(error.code)", error.message)
        case let error as DataProtectionError where error.keyError != nil: self.init(error.keyError ?? error)
        case let error as DataProtectionError: self.init(Self.status(of: error), "\(error.code)", error.message)
        case let error as AuditFileError: self.init(Self.status(of: error), "\(error.code)", error.message)
        case let error as IdentitySettingsError:
            let status: ExitStatus = error.code == .unreadableFile ? .noInput : .configuration
            self.init(status, "\(error.code)", error.message)
        case let error as ManagementReportError: self.init(Self.status(of: error), "\(error.code)", error.message)
        case let error as WipeError: self.init(Self.status(of: error), "\(error.code)", error.message)
        default: self.init(.software, "unexpected", "\(error)")
        }
    }

    private static func status(of error: PolicyFileError) -> ExitStatus {
        switch error.code {
        case .missing, .unreadable, .notAFile: .noInput
        case .writableByAll: .configuration
        case .beingWritten: .tryLater
        default: .data
        }
    }

    private static func status(of error: IdentityFileError) -> ExitStatus {
        switch error.code {
        case .notFound, .notAFile: .noInput
        case .invalidPath, .outsideRoot: .usage
        case .alreadyExists, .crossesFileSystems: .cannotCreate
        case .noOwner, .revoked, .notPermitted: .noPermission
        case .damagedOwner, .newerOwner: .data
        case .attributesUnsupported, .invalidIndex: .configuration
        case .changedMeanwhile, .indexInUse: .tryLater
        default: .systemFailure
        }
    }

    private static func status(of error: IdentityKeyError) -> ExitStatus {
        switch error.code {
        case .unknownKey, .destroyedKey, .revoked, .wrongMasterKey: .noPermission
        case .nobody: .usage
        case .systemCall, .cryptographyFailed: .systemFailure
        default: .configuration
        }
    }

    private static func status(of error: WipeError) -> ExitStatus {
        switch error.code {
        case .unset, .nobody, .notManaged: .usage
        case .inUse, .stoppedWaiting: .tryLater
        case .unsafeFolder, .unusableJournal: .configuration
        case .noReport: .noInput
        default: .systemFailure
        }
    }

    private static func status(of error: ManagementReportError) -> ExitStatus {
        switch error.code {
        case .nobodyListens: .noInput
        case .notAllowed: .noPermission
        case .malformed: .data
        default: .systemFailure
        }
    }

    private static func status(of error: AuditFileError) -> ExitStatus {
        switch error.code {
        case .notFound: .noInput
        case .inUse: .tryLater
        case .unsafeFile: .configuration
        case .damaged: .data
        default: .systemFailure
        }
    }

    private static func status(of error: DataProtectionError) -> ExitStatus {
        switch error.code {
        case .wrongKey, .unknownKey, .destroyedKey, .keyUnavailable, .revoked: .noPermission
        case .systemCall, .cryptographyFailed: .systemFailure
        default: .data
        }
    }
}
