package io.pmstore.core.tx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.core.tx.ThreadKind.Running;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A turn is given in order, and ends when its holder has had its time. */
@ParameterizedClass
@EnumSource
@Timeout(60)
class TurnTest {
  @Parameter ThreadKind threads;

  private final AtomicLong clock = new AtomicLong();
  private final Turn turn = new Turn(clock::get);
  private final Body body = new Body();

  private static final class Body implements Turn.Taker {
    volatile int progress;
    volatile boolean committing;
    volatile @Nullable String ended;

    @Override
    public int progress() {
      return progress;
    }

    @Override
    public boolean isCommitting() {
      return committing;
    }

    @Override
    public void setTurnEnded(String place) {
      ended = place;
    }
  }

  private void seconds(long seconds) {
    clock.addAndGet(TimeUnit.SECONDS.toNanos(seconds));
  }

  private Running<?> waiting() {
    Running<?> waiting =
        threads.start(
            () -> {
              turn.await();
              return null;
            });
    waiting.awaitIn("awaitEnd");
    return waiting;
  }

  @Test
  void othersWaitUntilItIsGivenBack() {
    turn.take(body, 0);
    turn.await(); // not for itself
    Running<?> other = waiting();
    turn.take(body, 0); // inside the other
    turn.release();
    assertFalse(other.isDone());
    assertTrue(turn.attemptBegins());
    turn.release();
    other.result();
    assertNull(body.ended);
  }

  /** The holder may wait in a way that no other thread can see: in a read from a socket, say. */
  @Test
  void oneThatRunsForVeryLongLosesIt() {
    turn.take(body, 0);
    Running<?> other = waiting();
    seconds(9);
    turn.look();
    assertNull(body.ended);
    seconds(2);
    other.result();
    assertNotNull(body.ended);
    assertFalse(turn.attemptBegins(), "it has to be taken again");
    turn.take(body, 1);
    other = waiting();
    seconds(59);
    turn.look();
    assertFalse(other.isDone(), "the second one is longer");
    assertTrue(turn.attemptBegins());
    seconds(59);
    turn.look();
    assertFalse(other.isDone(), "each attempt has as long");
    seconds(2);
    other.result();
    turn.release(); // has ended already
  }

  @Test
  void aCommitHasAllTheTimeItNeeds() {
    turn.take(body, 0);
    body.committing = true;
    Running<?> other = waiting();
    seconds(1_000);
    turn.look();
    assertFalse(other.isDone());
    turn.release();
    other.result();
    assertNull(body.ended);
  }

  @Test
  void thoseWhoWantItGetItInOrder() {
    turn.take(body, 0);
    List<Integer> order = new ArrayList<>(); // guarded by the turn
    List<Running<?>> others = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      int number = i;
      Running<?> other =
          threads.start(
              () -> {
                turn.take(new Body(), 0);
                order.add(number);
                turn.release();
                return null;
              });
      other.awaitIn("awaitChange");
      others.add(other);
    }
    turn.release();
    others.forEach(Running::result);
    assertEquals(List.of(0, 1, 2, 3, 4, 5, 6, 7, 8, 9), order);
  }

  /** Whoever waits looks after the holder, though those before have gone. */
  @Test
  void theLastOneThatWaitsIsNotForgotten() throws InterruptedException {
    turn.take(body, 0);
    Running<?> first = waiting();
    Body second = new Body();
    CountDownLatch taken = new CountDownLatch(1);
    Running<?> heir =
        threads.start(
            () -> {
              turn.take(second, 0);
              taken.countDown();
              while (second.ended == null) {
                Thread.onSpinWait();
              }
              return null;
            });
    heir.awaitIn("awaitChange");
    Running<?> third =
        threads.start(
            () -> {
              turn.take(new Body(), 0);
              turn.release();
              return null;
            });
    third.awaitIn("awaitChange");
    turn.release();
    first.result();
    taken.await(); // its time begins
    seconds(11); // seen by the third alone
    heir.result();
    third.result();
  }

  /** A pool whose worker waits starts another one, for which there may be no memory. */
  @Test
  void anErrorWhileWaitingDoesNotHoldUpThoseBehind() throws Exception {
    turn.take(body, 0);
    Error error = new Error("no thread"); // as an OutOfMemoryError, which JUnit does not survive
    assertSame(error, SingleWorker.call(error, () -> assertThrows(Error.class, this::takeAndGive)));
    Running<?> next =
        threads.start(
            () -> {
              takeAndGive();
              return null;
            });
    next.awaitIn("awaitChange");
    turn.release();
    next.result();
  }

  private void takeAndGive() {
    turn.take(new Body(), 0);
    turn.release();
  }
}
