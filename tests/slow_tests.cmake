# Tests that take many seconds: "ctest -L slow" runs these, "ctest -LE slow" all others. What takes longest begins first,
# and has a core of its own.
set_tests_properties("engine/a model is that of extended precision after a million rewards"
  PROPERTIES LABELS "engine;slow" TIMEOUT 600 COST 300 PROCESSORS 2)
set_tests_properties("io/tokens with places are those of the tokenizer for a million random texts"
  PROPERTIES LABELS "io;slow" TIMEOUT 600)
set_tests_properties("io/a thousand searches that are disturbed at random make the choices of ones that never were"
  PROPERTIES LABELS "io;slow" TIMEOUT 600)
set_tests_properties("io/10,000 searches are looked at after each answer, and in at most 5 of 100 the bound is ever too low"
  "io/10,000 searches for 5, 1 and 0.3 % by one or two readers, who mark, skip and take back, are bounded, too"
  PROPERTIES LABELS "io;slow" TIMEOUT 600)
set_tests_properties("io/a pool that is written over 20,000 times is never read out of bounds"
  "io/a pool that is wrong 100,000 times beneath a record is never read out of bounds"
  PROPERTIES LABELS "io;slow" TIMEOUT 600 COST 150)
