package io.pmstore.gc.collect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.gc.Seed;
import io.pmstore.gc.trace.MarkBits;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class MarkerTest {
  private final Map<Long, long[]> graph = new HashMap<>();
  private final Set<Long> traced = new HashSet<>();

  private Marker marker(int stackMax) {
    return new Marker(
        (object, visitor) -> {
          assertTrue(traced.add(object), "traced twice");
          LongStream.of(graph.getOrDefault(object, new long[0])).forEach(visitor);
        },
        stackMax);
  }

  private static long object(int number) {
    return 32_896 + number * 24L;
  }

  private static void traceAll(Marker marker) {
    while (marker.trace(7)) {
      // bounded steps
    }
  }

  private Set<Long> reachable(long from) {
    Set<Long> found = new HashSet<>();
    List<Long> next = List.of(from);
    while (!next.isEmpty()) {
      next =
          next.stream()
              .filter(found::add)
              .flatMap(o -> LongStream.of(graph.getOrDefault(o, new long[0])).boxed())
              .toList();
    }
    return found;
  }

  @Test
  void whatCanBeReachedIsTracedOnceWhateverRoomTheStackHas() {
    Random random = Seed.random("whatCanBeReachedIsTracedOnceWhateverRoomTheStackHas");
    for (int i = 0; i < 5000; i++) {
      int degree = random.nextInt(4);
      graph.put(
          object(i),
          LongStream.generate(() -> object(random.nextInt(5000))).limit(degree).toArray());
    }
    graph.put(object(0), LongStream.range(1, 2500).map(i -> object((int) i)).toArray());
    Set<Long> expected = reachable(object(0));
    for (int stackMax : new int[] {1024, 1500, Marker.STACK_MAX}) {
      traced.clear();
      Marker marker = marker(stackMax);
      marker.reach(object(0));
      traceAll(marker);
      assertEquals(expected, traced, "stack of " + stackMax);
      for (int i = 0; i < 5000; i++) {
        assertEquals(expected.contains(object(i)), marker.marks().get(object(i)));
      }
    }
  }

  @Test
  void aStepIsBounded() {
    for (int i = 0; i < 100; i++) {
      graph.put(object(i), new long[] {object(i + 1)});
    }
    Marker marker = marker(Marker.STACK_MAX);
    marker.reach(object(0));
    assertTrue(marker.trace(10));
    assertEquals(10, traced.size());
    assertTrue(marker.trace(91));
    assertFalse(marker.trace(1));
    assertEquals(101, traced.size());
  }

  @Test
  void whatCommitsLinkIsTracedAndWhatTheyMakeIsOnlyMarked() {
    graph.put(object(1), new long[] {object(2)});
    graph.put(object(3), new long[] {object(4)});
    Marker marker = marker(Marker.STACK_MAX);
    marker.linked(object(1));
    marker.born(object(3));
    assertTrue(marker.takeLinked());
    traceAll(marker);
    assertEquals(Set.of(object(1), object(2)), traced);
    assertTrue(marker.marks().get(object(3)));
    assertFalse(marker.marks().get(object(4)), "the commit says so itself, if it links it");

    marker.linked(object(2));
    marker.linked(object(3));
    assertFalse(marker.takeLinked(), "all of it was marked");
  }

  /**
   * A commit whose report ends in an error is rolled back. The object that it was about to link may
   * be reachable otherwise, so its marking must not end there.
   */
  @Test
  void anErrorInAReportLeavesNoObjectThatIsMarkedAndNeverTraced() {
    Set<Long> visited = new HashSet<>();
    Marker marker = new Marker((object, visitor) -> visited.add(object), Marker.STACK_MAX);
    long[] reported = {object(0)}; // the last one
    Thread thread =
        new Thread(null, () -> reportAtTheEndOfTheStack(marker, reported), "shallow", 256 << 10);
    thread.start();
    join(thread);
    Set<Long> all =
        LongStream.iterate(object(1), object -> object <= reported[0], object -> object + 24)
            .boxed()
            .collect(Collectors.toSet());
    assertTrue(all.size() > 1, "no report ended in an error");
    all.forEach(marker::reach);
    traceAll(marker);
    assertEquals(all, visited);
  }

  /** Calls itself until the stack ends, and then reports an object in each frame until one is. */
  @SuppressWarnings("InfiniteRecursion") // the end of the stack ends it
  private static boolean reportAtTheEndOfTheStack(Marker marker, long[] reported) {
    try {
      if (reportAtTheEndOfTheStack(marker, reported)) {
        return true;
      }
    } catch (StackOverflowError e) {
      // the callee had no room
    }
    reported[0] += 24;
    try {
      marker.linked(reported[0]);
      return true;
    } catch (StackOverflowError e) {
      return false;
    }
  }

  @Test
  void ofManyThreadsThatMarkOneIsFirst() {
    MarkBits marks = MarkBits.marks();
    AtomicInteger firsts = new AtomicInteger();
    int objects = 100_000;
    List<Thread> threads =
        Stream.generate(
                () ->
                    Thread.ofPlatform()
                        .unstarted(
                            () -> {
                              for (int i = 0; i < objects; i++) {
                                if (marks.set(object(i) * 17 & -8L)) {
                                  firsts.incrementAndGet();
                                }
                              }
                            }))
            .limit(4)
            .toList();
    threads.forEach(Thread::start);
    threads.forEach(MarkerTest::join);
    assertEquals(objects, firsts.get());
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
