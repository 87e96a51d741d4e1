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
  /** The collection is filled, the store is opened anew and the collection is found in it. */
  REOPENED;

  private static TestStore store = new TestStore();

  <E> PersistentList<E> list(E[] elements) {
    PersistentList<E> list = store.newList();
    Collections.addAll(list, elements);
    if (this != REOPENED) {
      return list;
    }
    long address = TestStore.address(list);
    store = store.reopen();
    return store.list(address);
  }

  <K, V> PersistentMap<K, V> map(Iterable<java.util.Map.Entry<K, V>> entries) {
    PersistentMap<K, V> map = store.newMap();
    entries.forEach(entry -> map.put(entry.getKey(), entry.getValue()));
    if (this != REOPENED) {
      return map;
    }
    long address = TestStore.address(map);
    store = store.reopen();
    return store.map(address);
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
