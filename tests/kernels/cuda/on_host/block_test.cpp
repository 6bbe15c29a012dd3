#include "tests/kernels/cuda/on_host/block.h"

#include <gtest/gtest.h>
