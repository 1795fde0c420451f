import Testing

@testable import MultiIdentityTesting
