/* What the models share. A rule's bit is never set: its name is in what the verifier prints of an assertion that fails. */

#define rule(name, holds) assert((holds) || name)
#define once(step) atomic { step }
