package io.pmstore.oms.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.PmStore;
import io.pmstore.oms.flow.FlowEvent;
import io.pmstore.oms.kill.AckProtocol.Acknowledgement;
import io.pmstore.oms.targets.OmsService;
import io.pmstore.oms.targets.PmStoreService;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The proof finds what it is for. */
class ClusterProofTest {
  private static final int THREADS = 2;
  private static final int THERE = 300;

  @TempDir private Path dir;

  /** Makes a store with the first reports of batch 0; returns them, and the next ones. */
  private List<FlowEvent> fill() {
    List<FlowEvent> events = Batches.events(0);
    try (OmsService service = new PmStoreService(PmStore.open(dir))) {
      events.subList(0, THERE).forEach(service::apply);
    }
    return events;
  }

  private ClusterProof proof(Journal journal) {
    ClusterProof proof = new ClusterProof();
    proof.contents(dir, journal.claims(), THREADS);
    return proof;
  }

  private static Journal journal(List<FlowEvent> acknowledged) {
    Journal journal = new Journal();
    journal.leads("n1");
    acknowledged.forEach(
        event ->
            journal.acknowledged("n1", new Acknowledgement(event.orderId(), event.sequence())));
    return journal;
  }

  @Test
  void whatWasAcknowledgedIsThere() {
    List<FlowEvent> events = fill();
    ClusterProof proof = proof(journal(events.subList(0, THERE)));
    assertTrue(proof.holds(), () -> proof.lines().toString());
  }

  @Test
  void aLostReportIsFound() {
    List<FlowEvent> events = fill();
    ClusterProof proof = proof(journal(events.subList(0, THERE + 1)));
    assertFalse(proof.holds());
    assertTrue(
        proof.lines().getFirst().startsWith("FAILED: acknowledged reports: 301, of which 1 are"),
        () -> proof.lines().toString());
  }

  @Test
  void aReportThatALaterLeaderMadeAgainWasLost() {
    List<FlowEvent> events = fill();
    Journal journal = journal(events.subList(0, THERE));
    journal.leads("n2");
    FlowEvent last = events.get(THERE - 1);
    journal.acknowledged("n2", new Acknowledgement(last.orderId(), last.sequence()));
    assertFalse(proof(journal).holds());
  }

  @Test
  void asManyReportsMayBeOfUnknownOutcomeAsWereOnTheirWayWhenALeaderWasLost() {
    List<FlowEvent> events = fill();
    Journal journal = journal(events.subList(0, THERE - THREADS));
    assertFalse(proof(journal).holds(), "no leader was lost");
    journal.leads("n2");
    ClusterProof proof = proof(journal);
    assertTrue(proof.holds(), () -> proof.lines().toString());
    Journal fewer = journal(events.subList(0, THERE - THREADS - 1));
    fewer.leads("n2");
    assertFalse(proof(fewer).holds(), "more than were on their way");
  }

  @Test
  void nodesThatDifferAreFound() {
    ClusterProof proof = new ClusterProof();
    proof.digests(new TreeMap<>(Map.of("n1", "7 ab", "n2", "7 ab", "n3", "7 ab")));
    assertTrue(proof.holds());
    proof.digests(new TreeMap<>(Map.of("n1", "7 ab", "n2", "7 cd", "n3", "7 ab")));
    assertFalse(proof.holds());
  }

  @Test
  void batchesAreTheSameEachTimeAndShareNoIds() {
    assertEquals(Batches.events(3), Batches.events(3));
    Set<String> ids = new HashSet<>();
    Set<Long> orders = new HashSet<>();
    int reports = 0;
    for (FlowEvent event : Batches.upTo(4).events()) {
      reports++;
      ids.add(event.execId());
      orders.add(event.orderId());
      assertEquals(Batches.firstOrder(Batches.ofOrder(event.orderId())) <= event.orderId(), true);
    }
    assertEquals(reports, ids.size());
    assertEquals(500, orders.size());
    assertEquals(
        401, Batches.events(4).getFirst().orderId(), "a batch begins with its first order");
  }
}
