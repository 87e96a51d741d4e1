/** Gives stores to tests with JUnit 5. */
module io.pmstore.junit {
  requires transitive io.pmstore.api;
  requires io.pmstore.core;
  requires io.pmstore.crash;
  requires static org.jspecify;
  requires transitive org.junit.jupiter.api;

  exports io.pmstore.junit;

  opens io.pmstore.junit to
      org.junit.platform.commons;
}
