/// An `operator new` that fails once, at a wish.
#pragma once

namespace bankside::testing {

/// Request number `number` from now on fails, counted from 1 over all threads; none where it is 0.
void failRequest(long number);

/// No request fails any more. How many there were.
long endFailing();

}  // namespace bankside::testing
