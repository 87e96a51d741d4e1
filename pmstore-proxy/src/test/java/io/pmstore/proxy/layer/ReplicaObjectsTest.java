package io.pmstore.proxy.layer;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.Durability;
import io.pmstore.Persistent;
import io.pmstore.PmStoreOptions;
import io.pmstore.core.engine.ParallelEngine;
import io.pmstore.core.engine.WriteSet;
import io.pmstore.core.heap.Heap;
import io.pmstore.proxy.generic.GenericStore;
import io.pmstore.spi.PersistentObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;

/**
 * The Java objects of a replica, whose leader gives the space of freed objects to others at once,
 * while a snapshot here still shows the freed ones.
 */
@Timeout(60)
class ReplicaObjectsTest {
  private static final int ROUNDS = Integer.getInteger("pmstore.replica.rounds", 3);

  @Persistent(root = "holder")
  static class Holder {
    private @Nullable Object first;
    private @Nullable Object second;

    @Nullable Object getFirst() {
      return first;
    }

    void setFirst(@Nullable Object first) {
      this.first = first;
    }

    @Nullable Object getSecond() {
      return second;
    }

    void setSecond(@Nullable Object second) {
      this.second = second;
    }
  }

  @Persistent
  static class Part {
    private int number;

    int getNumber() {
      return number;
    }

    void setNumber(int number) {
      this.number = number;
    }
  }

  @Persistent
  static class Other {
    private int other;

    int getOther() {
      return other;
    }

    void setOther(int other) {
      this.other = other;
    }
  }

  private final ExecutorService leader = Executors.newSingleThreadExecutor();
  private final List<WriteSet> records = new ArrayList<>();
  private final Heap source =
      heap(
          new ParallelEngine() {
            @Override
            protected void appended(WriteSet record) {
              records.add(WriteSet.decode(record.encode()));
            }
          });
  private final Heap copy = heap(new ParallelEngine());
  private Holder leading;
  private Holder following;
  private long first; // the address of the first part

  private static Heap heap(ParallelEngine engine) {
    return new Heap(
        engine, Durability.SYNC, h -> new ProxyLayerProvider().open(h, PmStoreOptions.defaults()));
  }

  @BeforeEach
  void makeParts() {
    records.clear();
    copy.replica().begin();
    lead(
        () -> {
          leading = source.layer().root(Holder.class);
          leading.setFirst(part(1));
          leading.setSecond(new Other()); // the catalogue knows its class
          first = address(leading.getFirst());
        });
    dropJavaObject();
    following = copy.layer().root(Holder.class);
  }

  @AfterEach
  void close() {
    leader.close();
    source.close();
    copy.close();
  }

  private void feed() {
    records.forEach(copy.replica()::apply);
    records.clear();
  }

  private Part part(int number) {
    Part part = new Part();
    part.setNumber(number);
    return part;
  }

  private static long address(@Nullable Object object) {
    return GenericStore.address((PersistentObject) object);
  }

  /** Runs something in the leader's only thread, and applies the records. */
  private void lead(Runnable work) {
    try {
      leader.submit(work).get();
    } catch (InterruptedException | ExecutionException e) {
      throw new AssertionError(e);
    }
    feed();
  }

  /** Waits until the leader has no Java object at the address: then unlinking frees at once. */
  private void dropJavaObject() {
    while (source.layer().pinning(first) != null) {
      System.gc();
      if (Thread.interrupted()) {
        throw new AssertionError("something holds the Java object at " + first);
      }
    }
  }

  /** Makes objects on the leader until one of them gets the space of the first part. */
  private void replaceFirst(Supplier<Object> by) {
    lead(
        () -> {
          leading.setFirst(null);
          for (int i = 0; i < 10_000 && address(leading.getSecond()) != first; i++) {
            leading.setSecond(by.get());
          }
          assertEquals(first, address(leading.getSecond()));
        });
  }

  @Test
  @SuppressWarnings("unchecked")
  void anEntryIsThatOfTheLastRecord() {
    lead(() -> leading.setSecond(new HashMap<>(Map.of("a", 1))));
    Map.Entry<String, Integer> entry =
        ((Map<String, Integer>) requireNonNull(following.getSecond())).entrySet().iterator().next();
    lead(() -> ((Map<String, Integer>) requireNonNull(leading.getSecond())).put("a", 2));
    assertEquals(2, entry.getValue());
  }

  @Test
  void aSnapshotMakesNoObjectForALaterOne() {
    Object[] seen = new Object[2];
    copy.snapshot(
        () -> {
          replaceFirst(Other::new);
          seen[0] = following.getFirst();
          assertEquals(1, assertInstanceOf(Part.class, seen[0]).getNumber());
          assertSame(seen[0], following.getFirst());
          return true;
        });
    assertInstanceOf(Other.class, following.getSecond());
    assertNotSame(seen[0], following.getSecond());
  }

  @Test
  void aSnapshotShowsTheFreedObjectWhereALaterOneIsKnown() throws InterruptedException {
    Object[] seen = new Object[2];
    copy.snapshot(
        () -> {
          replaceFirst(() -> part(2));
          Thread.ofPlatform().start(() -> seen[1] = following.getSecond()).join();
          seen[0] = following.getFirst();
          assertEquals(1, assertInstanceOf(Part.class, seen[0]).getNumber());
          return true;
        });
    assertEquals(2, assertInstanceOf(Part.class, seen[1]).getNumber());
    assertSame(seen[1], following.getSecond());
    assertNotSame(seen[0], seen[1]);
    dropJavaObject();
    lead(() -> leading.setSecond(null)); // frees something while no snapshot is open
    assertFreed(() -> ((Part) seen[0]).getNumber());
  }

  private static void assertFreed(Executable use) {
    IllegalStateException ended = assertThrows(IllegalStateException.class, use);
    assertTrue(ended.getMessage().contains("does not exist any more"), ended.getMessage());
  }

  /** Its space has other contents already. */
  private void assertForItsSnapshotsOnly(Supplier<Object> made, ToIntFunction<Object> number)
      throws Exception {
    lead(
        () -> {
          leading.setFirst(made.get());
          first = address(leading.getFirst());
        });
    dropJavaObject();
    int shown = copy.snapshot(() -> number.applyAsInt(following.getFirst()));
    Object[] seen = new Object[1];
    copy.snapshot(
        () -> {
          seen[0] = following.getFirst();
          replaceFirst(made);
          FutureTask<Boolean> outside =
              new FutureTask<>(
                  () -> {
                    assertFreed(() -> number.applyAsInt(seen[0]));
                    assertTrue(
                        copy.snapshot(() -> number.applyAsInt(following.getSecond()) > shown));
                    copy.snapshot(
                        () -> {
                          assertFreed(() -> number.applyAsInt(seen[0]));
                          return true;
                        });
                    return true;
                  });
          Thread.ofPlatform().start(outside);
          assertTrue(outside.get());
          assertEquals(shown, number.applyAsInt(seen[0]));
          assertSame(seen[0], following.getFirst());
          return true;
        });
    assertFreed(() -> number.applyAsInt(seen[0]));
  }

  @Test
  void aFreedObjectIsForTheSnapshotsThatShowItOnly() throws Exception {
    AtomicInteger last = new AtomicInteger();
    assertForItsSnapshotsOnly(
        () -> part(last.incrementAndGet()), part -> ((Part) part).getNumber());
  }

  @Test
  void soIsAFreedCollection() throws Exception {
    AtomicInteger last = new AtomicInteger();
    assertForItsSnapshotsOnly(
        () -> new ArrayList<>(List.of(last.incrementAndGet())),
        list -> (Integer) ((List<?>) list).get(0));
  }

  /** No record comes any more that could end what the program still holds. */
  @Test
  void aFreedObjectEndsAlsoWhenTheReplicaLeads() {
    Object[] seen = new Object[1];
    copy.snapshot(
        () -> {
          seen[0] = following.getFirst();
          replaceFirst(() -> part(2));
          return true;
        });
    copy.replica().end();
    Object second = copy.transaction(following::getSecond);
    assertEquals(2, assertInstanceOf(Part.class, second).getNumber());
    assertNotSame(second, seen[0]);
    assertFreed(() -> ((Part) seen[0]).getNumber());
  }

  /** A thread that has asked where an object is may read it when its space is another's. */
  private void assertReadersSeeItOrThatItIsFreed(
      IntFunction<Object> made, ToIntFunction<Object> number) throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      lead(
          () -> {
            leading.setSecond(new Other());
            leading.setFirst(made.apply(1));
            first = address(leading.getFirst());
          });
      dropJavaObject();
      Object seen = requireNonNull(following.getFirst());
      CountDownLatch begun = new CountDownLatch(1);
      FutureTask<Integer> reader =
          new FutureTask<>(
              () -> {
                int read = 1;
                try {
                  while (read == 1) {
                    read = number.applyAsInt(seen);
                    begun.countDown();
                  }
                } catch (IllegalStateException freed) {
                  assertFreed(() -> number.applyAsInt(seen));
                }
                return read;
              });
      Thread.ofPlatform().start(reader);
      begun.await();
      replaceFirst(() -> made.apply(2));
      assertEquals(1, reader.get(), "2 is what another object has");
    }
  }

  @Test
  void aReaderBesideRecordsSeesTheObjectOrThatItIsFreed() throws Exception {
    assertReadersSeeItOrThatItIsFreed(this::part, part -> ((Part) part).getNumber());
  }

  @Test
  void soDoesAReaderOfACollection() throws Exception {
    assertReadersSeeItOrThatItIsFreed(
        number -> new ArrayList<>(List.of(number)), list -> (Integer) ((List<?>) list).get(0));
  }

  @Test
  void anObjectStaysTheSameInASnapshotWhenItIsFreed() {
    copy.snapshot(
        () -> {
          Object before = following.getFirst();
          replaceFirst(() -> part(2));
          assertSame(before, following.getFirst());
          assertEquals(1, ((Part) following.getFirst()).getNumber());
          return true;
        });
    assertEquals(2, ((Part) following.getSecond()).getNumber());
  }
}
