#include "CMultiIdentitySQLite.h"
