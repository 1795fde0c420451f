#include "CMultiIdentityFiles.h"
