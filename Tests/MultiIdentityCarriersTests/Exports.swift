// The marks of tests and what several modules of tests share: in sight of each file here without an import of its own.
@_exported public import MultiIdentityTestSupport
