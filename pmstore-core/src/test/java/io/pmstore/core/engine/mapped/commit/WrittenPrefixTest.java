package io.pmstore.core.engine.mapped.commit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.StoreFailedException;
import io.pmstore.core.engine.EngineState;
import io.pmstore.core.log.LogPosition;
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

/** The high-water mark of the log advances over written records and never over a gap. */
@Timeout(60)
class WrittenPrefixTest {
  private final EngineState state = new EngineState(Path.of("store"));
  private final WrittenPrefix prefix = new WrittenPrefix(state, place(10));

  private static LogPosition place(long sequence) {
    return new LogPosition((int) (sequence % 4), 4096 + 8 * sequence, sequence);
  }

  @Test
  void aGapHoldsUpWhatIsBehindItUntilItIsFilled() {
    prefix.add(place(12));
    prefix.add(place(13));
    assertEquals(place(10), prefix.last());
    prefix.add(place(15));
    prefix.add(place(11));
    assertEquals(place(13), prefix.last());
    prefix.await(13);
    prefix.add(place(14));
    assertEquals(place(15), prefix.last());
  }

  @Test
  void whoWaitsBehindAGapThatNobodyFillsIsToldOfTheFailure() throws Exception {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      prefix.add(place(12));
      Future<?> behindGap = threads.submit(() -> prefix.await(12));
      Future<?> farAhead = threads.submit(() -> prefix.add(place(5000)));
      IOException cause = new IOException("write failed");
      state.fail(cause);
      for (Future<?> waiting : List.of(behindGap, farAhead)) {
        Throwable told = assertThrows(Exception.class, waiting::get).getCause();
        assertEquals(StoreFailedException.class, told.getClass());
        assertEquals(cause, told.getCause());
      }
    }
  }

  /** More threads than there is room for at once, and so many records that all room is reused. */
  @Test
  void nobodyIsLeftBehind() throws Exception {
    int threads = 1500;
    int each = 40;
    AtomicLong next = new AtomicLong(10);
    List<Future<?>> ends = new ArrayList<>();
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int t = 0; t < threads; t++) {
        ends.add(
            executor.submit(
                () -> {
                  for (int i = 0; i < each; i++) {
                    LogPosition place = place(next.incrementAndGet());
                    prefix.add(place);
                    prefix.await(place.sequence());
                    assertTrue(prefix.sequence() >= place.sequence());
                  }
                }));
      }
      for (Future<?> end : ends) {
        end.get();
      }
    }
    assertEquals(place(10 + (long) threads * each), prefix.last());
  }
}
