import Testing

@testable import MultiIdentityDoctor
