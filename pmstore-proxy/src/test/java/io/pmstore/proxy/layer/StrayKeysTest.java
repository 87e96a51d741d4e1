package io.pmstore.proxy.layer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.NotPersistableException;
import io.pmstore.Persistent;
import io.pmstore.proxy.fixture.StoreTest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedSet;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Keys whose hash codes have changed since they were put, as they do from JVM to JVM. */
class StrayKeysTest extends StoreTest {
  private static final int KEYS = 600;

  private static int era;

  /** Its hash code is another one in each era. */
  @Persistent
  static class Tag {
    private String name = "";
    private boolean broken;

    Tag() {}

    Tag(String name) {
      this.name = name;
    }

    String getName() {
      return name;
    }

    void setName(String name) {
      this.name = name;
    }

    void breakIt() {
      broken = true;
    }

    @Override
    public boolean equals(@Nullable Object o) {
      return o instanceof Tag other && name.equals(other.getName());
    }

    @Override
    public int hashCode() {
      if (broken) {
        throw new IllegalStateException("broken");
      }
      return Objects.hash(era, name);
    }
  }

  /** Compares maps and lists of arrays. */
  @Persistent
  static class Parcel {
    private Map<String, Tag[]> tags = new HashMap<>();
    private List<byte[]> bytes = new ArrayList<>();

    Map<String, Tag[]> getTags() {
      return tags;
    }

    List<byte[]> getBytes() {
      return bytes;
    }

    @Override
    public boolean equals(@Nullable Object o) {
      return o instanceof Parcel other
          && tags.equals(other.getTags())
          && bytes.equals(other.getBytes());
    }

    @Override
    public int hashCode() {
      return Objects.hash(tags, bytes);
    }
  }

  /** Hashes an array by its identity, which is another one at each read. */
  @Persistent
  static class Unsteady {
    private byte[] bytes = {1};

    @Override
    public boolean equals(@Nullable Object o) {
      return this == o;
    }

    @Override
    public int hashCode() {
      return Objects.hash((Object) bytes);
    }
  }

  /** Its hash code is that of Object, which it asks itself. */
  @Persistent
  static class Alone {
    @Override
    public boolean equals(@Nullable Object o) {
      return this == o;
    }

    @Override
    public int hashCode() {
      return 31 * super.hashCode();
    }
  }

  /** Asks it through a class between. */
  @Persistent
  static class Lonely extends Alone {
    private int number = 1;

    @Override
    public boolean equals(@Nullable Object o) {
      return super.equals(o);
    }

    @Override
    public int hashCode() {
      return super.hashCode() + number;
    }
  }

  private static Tag tag(int i) {
    return new Tag("tag " + i);
  }

  private Set<Object> set() {
    return store().root(Shelf.class).getSet();
  }

  /** A set with tags of an earlier era. */
  private Set<Object> oldSet() {
    store()
        .transaction(
            () -> {
              for (int i = 0; i < KEYS; i++) {
                set().add(tag(i));
              }
            });
    nextEra();
    return set();
  }

  private void nextEra() {
    era++;
    reopen();
  }

  @Test
  void areFoundByThreadsAtTheSameTime() throws Exception {
    for (int round = 0; round < 5; round++) {
      Set<Object> set = oldSet();
      CountDownLatch start = new CountDownLatch(1);
      try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
        List<Future<?>> futures = new ArrayList<>();
        for (int t = 0; t < 4; t++) {
          int thread = t;
          futures.add(
              threads.submit(
                  () -> {
                    start.await();
                    for (int i = thread; i < KEYS; i += 4) {
                      assertTrue(set.contains(tag(i)));
                      assertFalse(set.contains(tag(-1 - i)));
                      int own = i;
                      store()
                          .transaction(
                              () -> {
                                assertTrue(set.remove(tag(own)));
                                assertTrue(set.add(tag(own)));
                              });
                    }
                    return true;
                  }));
        }
        start.countDown();
        for (Future<?> future : futures) {
          future.get();
        }
      }
      assertEquals(KEYS, set.size());
      store().transaction(set::clear);
    }
  }

  @Test
  void areFoundAfterARollBackOfAllThatWasDoneToThem() {
    Set<Object> set = oldSet();
    rolledBack(
        () -> {
          for (Object tag : set) {
            ((Tag) tag).setName("x" + ((Tag) tag).getName());
          }
          assertFalse(set.contains(tag(-1)));
          set.clear();
          assertFalse(set.contains(tag(1)));
        });
    for (int i = 0; i < KEYS; i++) {
      assertTrue(set.contains(tag(i)));
    }
  }

  @Test
  void areFoundInASnapshotThatIsOlderThanTheirRemoval() throws Exception {
    Set<Object> set = oldSet();
    try (ExecutorService other = Executors.newSingleThreadExecutor()) {
      store()
          .heap
          .snapshot(
              () -> {
                other
                    .submit(
                        () -> {
                          set.removeIf(tag -> ((Tag) tag).getName().endsWith("7"));
                          assertTrue(set.add(tag(-1)));
                          set.clear();
                          assertFalse(set.contains(tag(3)));
                        })
                    .get();
                for (int i = 0; i < KEYS; i++) {
                  assertTrue(set.contains(tag(i)));
                }
                assertFalse(set.contains(tag(-1)));
                return true;
              });
    }
    assertTrue(set.isEmpty());
  }

  /** A set with an order, whose ends are removed without a look-up. */
  @Persistent(root = "ordered")
  static class Ordered {
    private SequencedSet<Object> tags = new LinkedHashSet<>();

    SequencedSet<Object> getTags() {
      return tags;
    }
  }

  @Test
  void areFoundInASnapshotThatIsOlderThanTheRemovalOfAnEnd() throws Exception {
    for (int i = 0; i < KEYS; i++) {
      store().root(Ordered.class).getTags().add(tag(i));
    }
    nextEra();
    SequencedSet<Object> set = store().root(Ordered.class).getTags();
    store()
        .heap
        .snapshot(
            () -> {
              Thread other =
                  Thread.ofPlatform()
                      .start(
                          () -> {
                            set.removeFirst();
                            set.removeLast();
                          });
              other.join();
              for (int i = 0; i < KEYS; i++) {
                assertTrue(set.contains(tag(i)), "key " + i);
              }
              return true;
            });
    assertFalse(set.contains(tag(0)));
  }

  @Test
  void areRemovedByIteratorsAndInBulk() {
    Set<Object> set = oldSet();
    Iterator<Object> iterator = set.iterator();
    for (int i = 0; i < 100; i++) {
      iterator.next();
      iterator.remove();
    }
    assertEquals(KEYS - 100, set.size());
    Set<Object> plain = new HashSet<>(set);
    assertEquals(plain, set);
    assertFalse(set.retainAll(plain));
    assertTrue(set.removeAll(plain));
    assertTrue(set.isEmpty());
  }

  @Test
  void oneThatCannotBeHashedDoesNotKeepOthersFromBeingFound() {
    Set<Object> set = oldSet();
    Tag broken = (Tag) set.iterator().next();
    broken.breakIt();
    assertFalse(set.contains(tag(-1)));
    assertThrows(IllegalStateException.class, () -> set.contains(broken));
    for (int i = 0; i < KEYS; i++) {
      assertEquals(!broken.getName().equals(tag(i).getName()), set.contains(tag(i)), "tag " + i);
    }
  }

  @Test
  void whatWasPutInLaterIsFoundToo() {
    oldSet();
    for (int i = 0; i < KEYS; i += 2) {
      set().remove(tag(i));
    }
    nextEra();
    for (int i = 0; i < KEYS; i++) {
      assertEquals(i % 2 == 0, set().add(tag(i)), "tag " + i);
    }
    nextEra();
    for (int i = 0; i < KEYS; i++) {
      assertFalse(set().add(tag(i)));
    }
    assertEquals(KEYS, set().size());
  }

  @Test
  void objectsThatCompareArraysInCollectionsAreFound() {
    Parcel parcel = new Parcel();
    parcel.getTags().put("a", new Tag[] {tag(1), tag(2)});
    parcel.getBytes().add(new byte[] {1, 2});
    set().add(parcel);
    Object stored = set().iterator().next();
    assertTrue(set().contains(stored));
    assertEquals(stored.hashCode(), stored.hashCode());
    reopen();
    Parcel found = (Parcel) set().iterator().next();
    assertTrue(set().contains(found));
    assertTrue(found.getBytes().contains(new byte[] {1, 2}));
    assertTrue(found.getBytes().equals(List.of(new byte[] {1, 2})));
    assertNotEquals(found.getBytes(), List.of(new byte[] {1, 3}));
    assertTrue(found.getTags().containsValue(found.getTags().get("a")));
    assertTrue(set().remove(found));
  }

  @Test
  void anObjectThatHashesToSomethingElseEachTimeIsRefused() {
    NotPersistableException e =
        assertThrows(NotPersistableException.class, () -> set().add(new Unsteady()));
    assertTrue(
        e.getMessage().contains("hashCode returns another number at each call"), e::getMessage);
    assertTrue(set().isEmpty());
  }

  @Test
  void theHashCodeOfObjectStaysWhereAClassAsksForItItself() {
    set().add(new Alone());
    set().add(new Lonely());
    Map<Class<?>, Integer> hashes = new HashMap<>();
    set().forEach(o -> hashes.put(o.getClass(), o.hashCode()));
    assertEquals(2, hashes.size());
    reopen();
    for (Object found : set()) {
      assertEquals(hashes.get(found.getClass()), found.hashCode());
      assertTrue(set().contains(found));
    }
    Alone plain = new Alone();
    assertEquals(31 * System.identityHashCode(plain), plain.hashCode());
  }

  @Test
  void theHashCodeOfAnObjectWithoutOneOfItsOwnStays() {
    Shelf.Book[] books = new Shelf.Book[2];
    int[] hash = new int[2];
    rolledBack(
        () -> {
          books[1] = store().create(Shelf.Book.class);
          hash[1] = books[1].hashCode();
        });
    assertEquals(hash[1], books[1].hashCode(), "also of one that was rolled back");
    store()
        .transaction(
            () -> {
              books[0] = store().create(Shelf.Book.class);
              hash[0] = books[0].hashCode();
              set().add(books[0]);
            });
    assertEquals(hash[0], books[0].hashCode());
    reopen();
    assertEquals(hash[0], set().iterator().next().hashCode());
  }
}
