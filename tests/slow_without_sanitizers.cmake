# Of "slow_tests.cmake", too, but in a build with sanitizers, where they have a part of their cases.
set_tests_properties("io/shards of any number, formats and recipes are together the pool that one build makes, byte for byte"
  "io/shards from kept rows equal those from the text byte for byte with any source and recipe"
  "io/a set is scored as its one pool is, and so are its shards with a kept model, byte for byte"
  "io/every flipped bit of a larger pool is found"
  "io/forged rows with right checksums are refused or give a shard and nothing is read out of bounds"
  PROPERTIES LABELS "io;slow")
set_tests_properties("engine/every choice of inkling is one of the best of its plain twin in ten thousand random searches"
  "engine/no document scores above its bound or the ceiling while features are settled and blocks renewed"
  PROPERTIES LABELS "engine;slow")
