/* Shared by the models. A rule's bit is never set: its name is in the verifier's message for a failed assertion. */

#define rule(name, holds) assert((holds) || name)
#define once(step) atomic { step }
