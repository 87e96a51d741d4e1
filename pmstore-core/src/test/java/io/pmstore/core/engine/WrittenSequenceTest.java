package io.pmstore.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.StoreFailedException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** It advances over written positions and never over a gap. */
@Timeout(60)
class WrittenSequenceTest {
  private final EngineState state = new EngineState(Path.of("store"));
  private final WrittenSequence written = new WrittenSequence(state, 10);

  @Test
  void whoWaitsBehindAGapGoesOnWhenItIsFilled() throws Exception {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<?> behind = threads.submit(() -> written.add(12));
      assertEquals(10, written.last());
      written.add(11);
      behind.get();
    }
    assertEquals(12, written.last());
  }

  @Test
  void whoWaitsBehindAGapThatNobodyFillsIsToldOfTheFailure() throws Exception {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<?> behindGap = threads.submit(() -> written.add(12));
      Future<?> farAhead = threads.submit(() -> written.add(5000));
      IOException cause = new IOException("write failed");
      state.fail(cause);
      for (Future<?> waiting : List.of(behindGap, farAhead)) {
        Throwable told = assertThrows(Exception.class, waiting::get).getCause();
        assertEquals(StoreFailedException.class, told.getClass());
        assertEquals(cause, told.getCause());
      }
    }
  }

  /** More threads than there is room for at once, and so many that all room is used again. */
  @Test
  void nobodyIsLeftBehind() throws Exception {
    int threads = 1500;
    int each = 20;
    AtomicLong next = new AtomicLong(10);
    List<Future<?>> ends = new ArrayList<>();
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int t = 0; t < threads; t++) {
        ends.add(
            executor.submit(
                () -> {
                  for (int i = 0; i < each; i++) {
                    long position = next.incrementAndGet();
                    written.add(position);
                    assertTrue(written.last() >= position);
                  }
                }));
      }
      for (Future<?> end : ends) {
        end.get();
      }
    }
    assertEquals(10 + (long) threads * each, written.last());
  }
}
