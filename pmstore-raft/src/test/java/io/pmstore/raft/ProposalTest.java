package io.pmstore.raft;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.core.engine.OutdatedReadsException;
import io.pmstore.raft.Proposal.Share;
import io.pmstore.raft.Proposal.State;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.Test;

/** An entry with the changes of several transactions has an outcome for each of them. */
class ProposalTest {
  private static final long TERM = 3;
  private static final long MAKER = 77;

  private final List<Proposal> ended = new ArrayList<>();
  private final Proposal proposal =
      new Proposal(Entry.COMMIT, 1, TERM, UUID.randomUUID(), ended::add);
  private byte[] entry = {};

  private Share join(boolean current, int... bytes) {
    byte[] record = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      record[i] = (byte) bytes[i];
    }
    Share share = new Share(record, () -> current);
    assertTrue(proposal.join(share, Entry.COMMIT, TERM));
    return share;
  }

  private Entry appended() {
    entry = proposal.seal(MAKER);
    proposal.append();
    return Entry.decode(ByteString.copyFrom(entry));
  }

  @Test
  void allTransactionsOfAnEntryAreCommittedTogether() {
    Share one = join(true, 1, 2, 3);
    Share empty = join(true);
    Share other = join(true, 4, 5);
    assertArrayEquals(new byte[] {1, 2, 3, 4, 5}, appended().record());
    assertEquals(1, Entry.numberOf(ByteString.copyFrom(entry), MAKER));
    assertTrue(proposal.claim());
    assertEquals(List.of(), ended);
    proposal.committed(12);
    assertEquals(List.of(proposal), ended);
    for (Share each : List.of(one, empty, other)) {
      assertEquals(State.COMMITTED, proposal.await(each));
    }
    assertEquals(12, proposal.position());
  }

  @Test
  void onlyTransactionsWithOutdatedReadsAreRevoked() {
    Share one = join(true, 1);
    Share outdated = join(false, 2, 2);
    Share alsoOutdated = join(false);
    Share last = join(true, 3);
    Entry found = appended();
    assertFalse(found.isRevoked());
    assertArrayEquals(new byte[] {1, 3}, found.record());
    assertTrue(proposal.claim());
    proposal.committed(1);
    assertEquals(State.COMMITTED, proposal.await(one));
    assertEquals(State.COMMITTED, proposal.await(last));
    assertThrows(OutdatedReadsException.class, () -> proposal.await(outdated));
    assertThrows(OutdatedReadsException.class, () -> proposal.await(alsoOutdated));
  }

  @Test
  void anEntryOfOutdatedTransactionsDoesNothing() {
    Share outdated = join(false, 1);
    assertTrue(appended().isRevoked());
    assertFalse(proposal.claim());
    assertThrows(OutdatedReadsException.class, () -> proposal.await(outdated));
    assertEquals(List.of(proposal), ended);
  }

  @Test
  void whatWasGivenUpBeforeItIsInTheLogNeverHappens() {
    Share share = join(true, 1);
    proposal.giveUp();
    assertEquals(State.REFUSED, proposal.await(share));
    assertTrue(appended().isRevoked());
    assertFalse(proposal.claim());
  }

  @Test
  void whatWasGivenUpInTheLogMayHappen() {
    Share share = join(true, 1);
    assertFalse(appended().isRevoked());
    proposal.giveUp();
    assertEquals(State.UNKNOWN, proposal.await(share));
    assertEquals(List.of(proposal), ended);
  }

  @Test
  void whatIsWithdrawnBeforeItIsInTheLogNeverHappens() {
    Share one = join(true, 1);
    Share other = join(true, 2);
    assertTrue(one.withdraw());
    assertArrayEquals(new byte[] {2}, appended().record());
    assertTrue(one.withdraw(), "known once the others are in the log, too");
    assertFalse(other.withdraw());
    assertTrue(new Share(new byte[1], () -> true).withdraw(), "in no entry");
  }

  @Test
  void anEntryOfWithdrawnTransactionsDoesNothing() {
    Share share = join(true, 1);
    assertTrue(share.withdraw());
    assertTrue(appended().isRevoked());
    assertEquals(List.of(proposal), ended);
    assertTrue(share.withdraw());
  }

  @Test
  void whatMayHappenIsNotWithdrawn() {
    Share share = join(true, 1);
    appended();
    assertTrue(proposal.claim());
    assertFalse(share.withdraw());
    proposal.committed(1);
    assertFalse(share.withdraw());
  }

  @Test
  void oneEntryHasTransactionsOfOneTermAndNoMoreThanItsSize() {
    assertFalse(proposal.join(new Share(new byte[0], () -> true), Entry.COMMIT, TERM + 1));
    assertFalse(proposal.join(new Share(new byte[0], () -> true), Entry.BIRTH, TERM));
    byte[] half = new byte[RatisServer.RECORD_MAX / 2];
    assertTrue(proposal.join(new Share(half, () -> true), Entry.COMMIT, TERM));
    assertFalse(proposal.join(new Share(half, () -> true), Entry.COMMIT, TERM));
    assertTrue(proposal.join(new Share(new byte[8], () -> true), Entry.COMMIT, TERM));
    Proposal largest = new Proposal(Entry.COMMIT, 2, TERM, UUID.randomUUID(), ended::add);
    byte[] whole = new byte[RatisServer.RECORD_MAX];
    assertTrue(largest.join(new Share(whole, () -> true), Entry.COMMIT, TERM));
  }

  @Test
  void anEntryThatIsCutOffIsRefused() {
    join(true, 1, 2, 3);
    appended();
    for (int cut = 1; cut < 3 + Entry.RECORD_HEADER; cut++) {
      Entry found = Entry.decode(ByteString.copyFrom(entry, 0, entry.length - cut));
      IllegalArgumentException e = assertThrows(IllegalArgumentException.class, found::record);
      assertTrue(e.getMessage().contains("cut off"), e::getMessage);
    }
  }
}
