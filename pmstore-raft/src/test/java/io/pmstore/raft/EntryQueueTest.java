package io.pmstore.raft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.raft.Proposal.Share;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** One entry is on its way at a time, the next one has all commits that came meanwhile. */
class EntryQueueTest {
  private static final UUID CLUSTER = UUID.randomUUID();

  private final LinkedBlockingQueue<Proposal> begun = new LinkedBlockingQueue<>();
  private EntryQueue queue = new EntryQueue(TimeUnit.HOURS.toNanos(1), begun::add);

  private Proposal join(long term) {
    return queue.join(Entry.COMMIT, term, CLUSTER, new Share(new byte[8], () -> true));
  }

  private static void commit(@Nullable Proposal entry) {
    if (entry != null && entry.claim()) {
      entry.committed(1);
    }
  }

  @Test
  void aCommitThatComesAloneBeginsAtOnce() {
    for (int i = 0; i < 3; i++) {
      Proposal alone = join(1);
      assertSame(alone, begun.poll());
      assertSame(alone, queue.find(alone.number()));
      commit(alone);
      assertNull(queue.find(alone.number()));
    }
  }

  @Test
  void commitsThatComeMeanwhileShareTheNextEntry() {
    Proposal first = join(1);
    Proposal second = join(1);
    assertNotSame(first, second);
    assertSame(second, join(1));
    assertEquals(List.of(second), queue.waiting());
    assertSame(first, begun.poll());
    assertNull(begun.poll());
    commit(first);
    assertSame(second, begun.poll());
    Proposal third = join(1);
    assertNotSame(second, third, "no commit joins an entry that is on its way");
    assertEquals(Set.of(second, third), Set.copyOf(queue.all()));
  }

  @Test
  void aCommitOfAnotherTermHasAnotherEntry() {
    Proposal first = join(1);
    Proposal second = join(1);
    Proposal later = join(2);
    assertNotSame(second, later);
    assertSame(later, join(2));
    commit(first);
    commit(second);
    assertEquals(List.of(first, second, later), List.copyOf(begun));
  }

  @Test
  void theWaitHasALimit() throws Exception {
    queue = new EntryQueue(TimeUnit.MILLISECONDS.toNanos(20), begun::add);
    Proposal first = join(1);
    Proposal second = join(1);
    assertSame(first, begun.poll());
    assertSame(second, begun.poll(1, TimeUnit.MINUTES));
    assertEquals(List.of(), queue.waiting());
    Proposal third = join(1);
    commit(first);
    commit(second);
    assertSame(third, begun.poll(1, TimeUnit.MINUTES));
    assertNull(begun.poll(), "nothing begins twice");
  }

  @Test
  void whatIsGivenUpWhileItWaitsNeverBegins() {
    Proposal first = join(1);
    Proposal given = join(1);
    given.giveUp();
    assertEquals(List.of(), queue.waiting());
    Proposal last = join(1);
    assertNotSame(given, last);
    commit(first);
    assertEquals(List.of(first, last), List.copyOf(begun));
    commit(last);
    Proposal alone = join(1);
    assertEquals(List.of(first, last, alone), List.copyOf(begun));
  }

  @Test
  void anErrorThatMayLeaveAnEntryBehindIsNoted() {
    StackOverflowError error = new StackOverflowError();
    queue =
        new EntryQueue(
            1,
            entry -> {
              throw error;
            });
    assertSame(error, assertThrows(StackOverflowError.class, () -> join(1)));
    assertTrue(queue.lost);
  }

  @Test
  void anEntryThatIsRefusedMakesRoomForTheNext() {
    Proposal first = join(1);
    Proposal second = join(1);
    first.refuse("test");
    assertEquals(List.of(first, second), List.copyOf(begun));
  }
}
