// How common words are, as a share of the documents.
#pragma once

namespace inkling::bench {

/// low <= document frequency / documents <= high.
struct FrequencyBand {
  double low = 0.0;
  double high = 1.0;
};

}  // namespace inkling::bench
