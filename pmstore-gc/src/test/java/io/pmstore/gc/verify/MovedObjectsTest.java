package io.pmstore.gc.verify;

import static io.pmstore.gc.TestHeap.create;
import static io.pmstore.gc.TestHeap.offset;
import static io.pmstore.gc.TestHeap.property;
import static io.pmstore.gc.TestHeap.use;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.VerificationReport;
import io.pmstore.VerificationReport.Fault;
import io.pmstore.core.catalogue.CellLayout;
import io.pmstore.core.catalogue.Property;
import io.pmstore.core.catalogue.Shape;
import io.pmstore.core.catalogue.SlotKind;
import io.pmstore.core.heap.ForwarderLayout;
import io.pmstore.core.space.ObjectLayout;
import io.pmstore.gc.TestHeap;
import io.pmstore.proxy.collection.CollectionKind;
import io.pmstore.proxy.collection.CollectionSpace;
import io.pmstore.spi.PersistentObject;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Objects that have moved or were upgraded in place: sound ones, and each kind of damage. */
class MovedObjectsTest {
  private static final int TO = ForwarderLayout.BODY_OFFSET;

  private final TestHeap store = new TestHeap();
  private final Shape forwarderShape =
      store.catalogue.define(
          new Shape(
              0,
              ForwarderLayout.CLASS_NAME,
              "",
              List.of(new Property("to", SlotKind.REFERENCE, "", TO)),
              ForwarderLayout.SIZE));
  private final Shape nodeShape =
      store.define(
          "com.acme.Node",
          property("any", SlotKind.CELL),
          property("next", SlotKind.REFERENCE),
          property("other", SlotKind.REFERENCE));
  private final Shape smallShape =
      store.define("com.acme.Small", property("next", SlotKind.REFERENCE));
  private final int any = offset(nodeShape, "any");
  private final int next = offset(nodeShape, "next");
  private final int other = offset(nodeShape, "other");
  private final long root = store.newObject(nodeShape);
  private final long home = store.newObject(smallShape);
  private final long last = store.newObject(nodeShape);
  private long body;

  @BeforeEach
  void build() {
    store.heap.bodies().forwarder(forwarderShape.id());
    store.heap.directory().setRoot("root", root);
    store.heap.putLong(root, next, home);
    body = move(home);
    store.heap.putLong(body, next, last);
    VerificationReport report = store.verify();
    assertTrue(report.isSound(), report::toString);
  }

  @AfterEach
  void close() {
    store.heap.close();
  }

  private long move(long object) {
    return store.heap.transaction(
        () -> store.heap.bodies().move(object, nodeShape.id(), nodeShape.size()));
  }

  private void assertFault(String path, String found, String expected) {
    assertEquals(List.of(new Fault(path, found, expected)), store.verify().faults());
  }

  private void assertFaultOfHome(String found, String expected) {
    assertFault(
        "root \"root\" -> next -> " + ForwarderLayout.CLASS_NAME + "@" + home + ".to",
        found,
        expected);
  }

  // ---- sound ones

  @Test
  void aMovedObjectIsReachedAndCountsOnce() {
    VerificationReport report = store.verify();
    assertEquals(0, report.garbageObjects());
    assertEquals(3, use(report, "com.acme.Node").objects());
    assertEquals(0, use(report, "com.acme.Small").objects());
    assertEquals(1, use(report, ForwarderLayout.CLASS_NAME).objects());
    store.heap.transaction(
        () -> {
          store.heap.putLong(move(home), next, last);
          return null;
        });
    report = store.verify();
    assertTrue(report.isSound(), report::toString);
    assertEquals(3, use(report, "com.acme.Node").objects());
    assertEquals(0, report.garbageObjects(), "the body before is freed");
  }

  @Test
  void everyKindOfReferenceLeadsToAMovedObject() {
    store.heap.putLong(last, next, home);
    store.heap.putLong(last, other, home);
    store.putCell(root, any, CellLayout.OBJECT, home);
    store.heap.directory().setRoot("home", home);
    VerificationReport report = store.verify();
    assertTrue(report.isSound(), report::toString);
    assertEquals(3, use(report, "com.acme.Node").objects());
  }

  @Test
  void anObjectUpgradedInPlaceIsLargerThanItsShape() {
    store.heap.transaction(
        () -> {
          store.heap.bodies().reshape(last, smallShape.id());
          return true;
        });
    VerificationReport report = store.verify();
    assertTrue(report.isSound(), report::toString);
    assertEquals(1, use(report, "com.acme.Small").objects());
    store.damage(last, ObjectLayout.header(smallShape.id(), 0, nodeShape.size() + 8));
    assertFault(
        "root \"root\" -> next -> [node] -> Node@" + body + ".next",
        "an object of class com.acme.Small at heap address %d of %d bytes in a slot of %d"
            .formatted(last, nodeShape.size() + 8, nodeShape.size()),
        "a slot with room for it");
  }

  // ---- damage

  @Test
  void aForwarderToFreeSpace() {
    long free = body + 100 * nodeShape.size();
    store.damage(home + TO, free);
    assertFaultOfHome(
        "heap address %d, which is a free slot of %d bytes".formatted(free, nodeShape.size()),
        "the address of the body of a moved object");
  }

  @Test
  void aForwarderToItself() {
    store.damage(home + TO, home);
    assertFaultOfHome(
        "an object of class pmstore.forwarder at heap address " + home,
        "the body of a moved object");
  }

  @Test
  void aForwarderToAnotherForwarder() {
    long second = store.newObject(smallShape);
    long secondBody = move(second);
    store.heap.putLong(last, next, second);
    assertTrue(store.verify().isSound());
    store.heap.putLong(secondBody, next, home);
    assertTrue(store.verify().isSound());
    store.damage(home + TO, second);
    assertFaultOfHome(
        "an object of class pmstore.forwarder at heap address " + second,
        "the body of a moved object");
  }

  @Test
  void aForwarderToAnObjectOfTheStoresOwn() {
    long blob = store.newBlob(new byte[9]);
    store.damage(home + TO, blob);
    assertFaultOfHome(
        "a byte string of length 9 in 24 bytes at heap address " + blob, "an object or collection");
    CollectionSpace space = store.collections();
    long list = store.heap.transaction(() -> address(create(space, CollectionKind.LIST)));
    store.damage(home + TO, list);
    assertFaultOfHome(
        "an object of class pmstore.list at heap address " + list, "the body of a moved object");
    store.flip(list, (long) ObjectLayout.FLAG_BODY << 32);
    assertFaultOfHome(
        "the body of a moved object of class pmstore.list at heap address " + list,
        "the body of a moved object");
  }

  private static long address(PersistentObject object) {
    return ((io.pmstore.core.heap.HeapObject) object.pmstoreHandle()).address();
  }

  @Test
  void aForwarderToAnObjectThatIsNoBody() {
    store.damage(home + TO, last);
    assertFaultOfHome(
        "an object of class com.acme.Node at heap address " + last, "the body of a moved object");
  }

  @Test
  void aForwarderThatLeadsNowhere() {
    store.damage(home + TO, 0);
    assertFault(
        "root \"root\" -> Node@" + root + ".next",
        "an object of class pmstore.forwarder at heap address " + home + " that leads nowhere",
        "the address of a body in it");
  }

  @Test
  void aBodyThatSomethingElseRefersTo() {
    store.damage(last + next, body);
    assertFault(
        "root \"root\" -> next -> [node] -> next -> Node@" + last + ".next",
        "the body of a moved object of class com.acme.Node at heap address " + body,
        "an object or collection");
    store.damage(last + next, 0);
    store.putCell(last, any, CellLayout.OBJECT, body);
    assertFault(
        "root \"root\" -> next -> [node] -> next -> Node@" + last + ".any",
        "the body of a moved object of class com.acme.Node at heap address " + body,
        "an object or collection");
  }

  @Test
  void aBodyOfTwoHomes() {
    long second = store.newObject(smallShape);
    long secondBody = move(second);
    store.heap.putLong(last, next, second);
    store.damage(second + TO, body);
    assertFault(
        "root \"root\" -> next -> [node] -> next -> next -> pmstore.forwarder@" + second + ".to",
        "the body of a moved object of class com.acme.Node at heap address "
            + body
            + ", which has a place already",
        "a part of its own");
    assertEquals(1, store.verify().garbageObjects(), "the body at " + secondBody);
  }
}
