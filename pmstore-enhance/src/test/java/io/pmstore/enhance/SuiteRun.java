package io.pmstore.enhance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Runs test classes of other modules, in this JVM. */
final class SuiteRun {
  private final LauncherDiscoveryRequestBuilder request = LauncherDiscoveryRequestBuilder.request();
  private final Set<String> leftOut;
  private Runnable afterEach = () -> {};

  /** Leaves out some tests, by {@code Class.method}. */
  SuiteRun(Set<String> leftOut) {
    this.leftOut = leftOut;
  }

  void add(String testClass) {
    request.selectors(selectClass(testClass));
  }

  /** Runs an action after each test. */
  void afterEach(Runnable action) {
    afterEach = action;
  }

  /** Runs all; fails if one does, or if one that is left out is not there any more. */
  int execute() {
    Set<String> left = new TreeSet<>(leftOut);
    PostDiscoveryFilter filter =
        descriptor -> {
          String name = descriptor.getSource().map(SuiteRun::name).orElse("");
          left.remove(name);
          return FilterResult.includedIf(!leftOut.contains(name));
        };
    List<String> failures = new ArrayList<>();
    int[] passed = new int[1];
    LauncherFactory.create()
        .execute(
            request.filters(filter).build(),
            new TestExecutionListener() {
              @Override
              public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                if (result.getStatus() != TestExecutionResult.Status.SUCCESSFUL) {
                  String name = test.getSource().map(SuiteRun::name).orElse("");
                  failures.add(name + ": " + result.getThrowable().orElse(null));
                  result.getThrowable().ifPresent(Throwable::printStackTrace);
                } else if (test.isTest()) {
                  passed[0]++;
                  afterEach.run();
                }
              }
            });
    assertEquals(List.of(), failures);
    assertEquals(Set.of(), left, "these tests are not there any more");
    return passed[0];
  }

  private static String name(TestSource source) {
    if (!(source instanceof MethodSource method)) {
      return "";
    }
    String type = method.getClassName();
    if (type.endsWith("ObjectLayerContractTest")) {
      type = "ProxyLayerTest";
    }
    return type.substring(type.lastIndexOf('.') + 1) + "." + method.getMethodName();
  }
}
