package io.pmstore.proxy.collection;

import java.util.Collections;
import junit.extensions.TestDecorator;
import junit.framework.Test;
import junit.framework.TestResult;
import junit.framework.TestSuite;

/** The three ways in which the conformance suites are run. */
enum Conformance {
  /** Every operation is a transaction of its own. */
  OUTSIDE,
  /** Each test is one transaction, which must be able to commit. */
  INSIDE,
  /**
   * The collection is filled, all Java objects that stand for it are dropped, and it is found again
   * by its address: every 32nd time in a store opened anew, and not more often because the tests
   * keep what they use, and an open store is large.
   */
  REOPENED;

  private static final int REOPENED_EVERY = 32;

  private static TestStore store = new TestStore();
  private static int created;

  <E> PersistentList<E> list(E[] elements) {
    PersistentList<E> list = store.newList();
    Collections.addAll(list, elements);
    if (this != REOPENED) {
      return list;
    }
    return reopened().list(TestStore.address(list));
  }

  <K, V> PersistentMap<K, V> map(Iterable<java.util.Map.Entry<K, V>> entries) {
    PersistentMap<K, V> map = store.newMap();
    entries.forEach(entry -> map.put(entry.getKey(), entry.getValue()));
    if (this != REOPENED) {
      return map;
    }
    return reopened().map(TestStore.address(map));
  }

  private static TestStore reopened() {
    created++;
    if (created % REOPENED_EVERY == 0) {
      store = store.reopen();
    }
    return store;
  }

  /** Makes each test of a suite run in this way. */
  Test run(TestSuite suite) {
    return this == INSIDE ? inside(suite) : suite;
  }

  private static Test inside(Test test) {
    if (test instanceof TestSuite suite) {
      TestSuite result = new TestSuite(suite.getName());
      Collections.list(suite.tests()).forEach(each -> result.addTest(inside(each)));
      return result;
    }
    return new TestDecorator(test) {
      @Override
      public void run(TestResult result) {
        store.in(() -> basicRun(result));
      }
    };
  }
}
