// Linked into every test program: each case that starts begins its file of validation rows anew.
#define CATCH_CONFIG_EXTERNAL_INTERFACES
#include <catch2/catch.hpp>

#include "tests/support/validation_table.hpp"

namespace {

struct ValidationListener : Catch::TestEventListenerBase {
  using TestEventListenerBase::TestEventListenerBase;

  void testCaseStarting(const Catch::TestCaseInfo& info) override {
    scree::test::begin_rows(info.name);
  }
};

CATCH_REGISTER_LISTENER(ValidationListener)

}  // namespace
