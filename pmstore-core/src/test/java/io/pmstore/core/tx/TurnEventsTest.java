package io.pmstore.core.tx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What JDK Flight Recorder is told of turns that end early. */
@Timeout(60)
class TurnEventsTest {
  @TempDir Path directory;
  private final AtomicLong clock = new AtomicLong();
  private final Turn turn = new Turn(clock::get);
  private final CountDownLatch taken = new CountDownLatch(1);
  private final CountDownLatch end = new CountDownLatch(1);
  private volatile boolean ended;

  private final Turn.Taker body =
      new Turn.Taker() {
        @Override
        public int progress() {
          return 0;
        }

        @Override
        public boolean isCommitting() {
          return false;
        }

        @Override
        public void setTurnEnded(String place) {
          ended = true;
        }
      };

  private static Recording recording() {
    Recording recording = new Recording();
    recording.enable("pmstore.TurnEnded");
    recording.start();
    return recording;
  }

  private List<RecordedEvent> events(Recording recording) throws IOException {
    Path file = directory.resolve("events.jfr");
    recording.dump(file);
    return RecordingFile.readAllEvents(file);
  }

  private void hold(boolean waits) {
    turn.take(body, 0);
    taken.countDown();
    try {
      while (waits ? !end.await(1, TimeUnit.HOURS) : !ended) {
        Thread.onSpinWait();
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    turn.release();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void anEndedTurnSaysWhoseItWasAndForHowLong(boolean waits) throws Exception {
    try (Recording recording = recording()) {
      Thread holder = Thread.ofPlatform().start(() -> hold(waits));
      taken.await();
      while (waits && holder.getState() != Thread.State.TIMED_WAITING) {
        Thread.onSpinWait();
      }
      clock.addAndGet(TimeUnit.SECONDS.toNanos(11));
      turn.await(); // whoever waits looks after the holder
      assertTrue(ended);
      end.countDown();
      holder.join();
      List<RecordedEvent> events = events(recording);
      assertEquals(1, events.size(), events::toString);
      RecordedEvent event = events.getFirst();
      assertEquals(holder.threadId(), event.getThread("holder").getJavaThreadId());
      assertEquals(waits, event.getBoolean("waits"));
      assertEquals(Duration.ofSeconds(11), event.getDuration("turn"));
      assertFalse(event.getString("place").isEmpty());
    }
  }

  @Test
  void aTurnThatItsHolderGivesBackIsNoEvent() throws Exception {
    try (Recording recording = recording()) {
      turn.take(body, 0);
      clock.addAndGet(TimeUnit.SECONDS.toNanos(1));
      turn.look();
      turn.release();
      assertFalse(ended);
      assertEquals(List.of(), events(recording));
    }
  }
}
