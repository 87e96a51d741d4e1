package io.pmstore.gc.verify;

import static io.pmstore.gc.TestHeap.offset;
import static io.pmstore.gc.TestHeap.property;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.VerificationReport;
import io.pmstore.VerificationReport.Fault;
import io.pmstore.core.catalogue.Shape;
import io.pmstore.core.catalogue.SlotKind;
import io.pmstore.core.heap.CoreLayout;
import io.pmstore.core.space.ObjectLayout;
import io.pmstore.gc.TestHeap;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Objects whose headers have wrong link flags. */
class LinkFaultsTest {
  private final TestHeap store = new TestHeap();
  private final Shape shape =
      store.define(
          "com.acme.Box",
          property("next", SlotKind.REFERENCE),
          property("other", SlotKind.REFERENCE),
          property("text", SlotKind.CELL));
  private final int next = offset(shape, "next");
  private final int other = offset(shape, "other");
  private final long root = store.newObject(shape);
  private final long box = store.newObject(shape);

  @BeforeEach
  void build() {
    store.heap.directory().setRoot("box", root);
    store.heap.putLong(root, next, box);
    assertEquals(ObjectLayout.FLAG_SINGLE, links(box));
    assertTrue(store.verify().isSound());
  }

  @AfterEach
  void close() {
    store.heap.close();
  }

  private int links(long object) {
    return ObjectLayout.links(store.engine.memory().getLong(object));
  }

  private void say(long object, int links) {
    store.damage(object, ObjectLayout.withLinks(store.engine.memory().getLong(object), links));
  }

  private void assertFault(String path, String found, String expected) {
    VerificationReport report = store.verify();
    assertEquals(List.of(new Fault(path, found, expected)), report.faults());
  }

  @Test
  void aReferenceToAnObjectThatSaysItHasNone() {
    for (int links : new int[] {0x20, 0x60}) {
      say(box, links);
      assertFault(
          "root \"box\" -> Box@" + root + ".next",
          "a reference to an object of class com.acme.Box at heap address " + box,
          "none, as its header says");
    }
  }

  @Test
  void aSecondReferenceToAnObjectThatSaysItHasOne() {
    store.heap.putLong(root, other, box);
    assertEquals(0, links(box));
    assertTrue(store.verify().isSound(), "it is shared");
    say(box, ObjectLayout.FLAG_SINGLE);
    assertFault(
        "root \"box\" -> Box@" + root + ".other",
        "a second reference to an object of class com.acme.Box at heap address " + box,
        "only one, as its header says");
    store.heap.putLong(box, next, 0);
    store.damage(root + other, 0);
    assertTrue(store.verify().isSound());
    store.damage(box + next, box); // by itself
    assertFault(
        "root \"box\" -> next -> Box@" + box + ".next",
        "a second reference to an object of class com.acme.Box at heap address " + box,
        "only one, as its header says");
  }

  @Test
  void bytesThatSayTheyHaveNoReference() {
    long blob = store.putString(box, offset(shape, "text"), "a text that is out of line");
    assertTrue(store.verify().isSound());
    say(blob, ObjectLayout.FLAG_UNLINKED);
    assertFault(
        "root \"box\" -> next -> Box@" + box + ".text",
        "a reference to a byte string of length 26 in 40 bytes at heap address " + blob,
        "none, as its header says");
  }

  @Test
  void anEntryThatSaysItHasNoReference() {
    long entry =
        store.engine.memory().getLong(CoreLayout.SUPERBLOCK + CoreLayout.SUPERBLOCK_ROOTS_OFFSET);
    say(entry, ObjectLayout.FLAG_UNLINKED);
    assertFault(
        "root entry 1",
        "a reference to a root entry at heap address " + entry,
        "none, as its header says");
  }

  @Test
  void whatOnlyGarbageRefersToMaySayAnything() {
    store.heap.putLong(root, other, box);
    store.heap.putLong(root, next, 0);
    store.heap.putLong(root, other, 0);
    say(box, ObjectLayout.FLAG_SINGLE);
    VerificationReport report = store.verify();
    assertTrue(report.isSound(), report::toString);
    assertEquals(1, report.garbageObjects());
  }
}
