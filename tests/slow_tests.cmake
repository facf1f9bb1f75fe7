# Tests that take many seconds: "ctest -L slow" runs these, "ctest -LE slow" all others.
set_tests_properties("engine/a model is that of extended precision after a million rewards"
  PROPERTIES LABELS "engine;slow" TIMEOUT 600)
