import Foundation

/// A look at whether the tests run under the address sanitizer.
enum AddressSanitizer {
    /// Asked of the process, since Swift has no condition for it.
    static let isOn: Bool = {
        guard let program = dlopen(nil, RTLD_NOW) else { return false }
        defer { dlclose(program) }
        return dlsym(program, "__asan_init") != nil
    }()
}
