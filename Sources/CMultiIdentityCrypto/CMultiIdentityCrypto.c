#include "CMultiIdentityCrypto.h"
