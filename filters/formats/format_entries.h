/// What the formats' list is made of; one file a format.
#pragma once

#include "filters/formats/bank_format.h"

namespace bankside {

BankFormat imageJFormat();
BankFormat magickFormat();
BankFormat vipsFormat();
BankFormat yamlFormat();
BankFormat jsonFormat();
BankFormat npyFormat();
BankFormat npzFormat();

}  // namespace bankside
