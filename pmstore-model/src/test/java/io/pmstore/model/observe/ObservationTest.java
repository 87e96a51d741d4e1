package io.pmstore.model.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.core.medium.PmemMedium;
import io.pmstore.model.predict.Workload;
import io.pmstore.model.predict.Workload.Operation;
import io.pmstore.model.profile.Profile;
import io.pmstore.model.profile.ProfileFile;
import io.pmstore.model.shared.AccessLog;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import org.example.shop.Shelf;
import org.example.shop.WrongKind;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ObservationTest {
  private static final Profile PROFILE = ProfileFile.read("ddr4-2666-6-channels");

  @TempDir private Path directory;

  private Workload observe(String name) throws Exception {
    Assumptions.assumeTrue(PmemMedium.hasLibrary(), "libpmem is not installed");
    return observe(name, List.of());
  }

  private Workload observe(String name, List<Path> classPath) throws Exception {
    return new Observation(name, classPath, PROFILE, directory, 500, 1_000, 5).run();
  }

  @Test
  void aReportIsOneRecordAndOneBarrier() throws Exception {
    Workload oms = observe("oms");
    assertEquals(2, oms.operations().size());
    for (Operation one : oms.operations()) {
      assertEquals(1, one.logRecords(), 0.02, one.toString());
      assertEquals(1, one.barriers(), 0.02, one.toString());
      assertTrue(one.logBytes() > 64 && one.logBytes() < 10_000, one::toString);
      assertTrue(one.linesWritten() >= 2, one::toString);
      assertTrue(one.linesAwaited() <= one.linesRead(), one::toString);
      assertTrue(one.processorNanos() > 0, one::toString);
    }
    assertTrue(oms.operations().get(1).share() > 0.7, oms::toString);
  }

  @Test
  void aReadWritesNothing() throws Exception {
    Workload reads = observe("ycsb-c");
    Operation read = reads.operations().getFirst();
    assertEquals(1, read.share());
    assertEquals(0, read.logRecords());
    assertEquals(0, read.barriers());
    assertEquals(0, read.linesWritten());
    assertTrue(read.linesRead() > 5, read::toString);
  }

  @Test
  void anUnknownWorkloadIsRefused() {
    IllegalArgumentException thrown =
        assertThrows(IllegalArgumentException.class, () -> observe("ycsb-z"));
    assertTrue(thrown.getMessage().contains("ycsb-a"), thrown.getMessage());
  }

  /** Without the loader nothing is told: the program's own classes have no calls. */
  @Test
  void theProgramItselfIsNotRecorded() throws Exception {
    OperationCounts counts = new OperationCounts(2);
    AccessLog.record(counts, null);
    try (OmsOperations operations = new OmsOperations(directory, "FILE", 70L, 5L)) {
      counts.begin(operations.prepare());
      operations.perform();
    } finally {
      AccessLog.record(null, null);
    }
    Operation first = counts.means(0, "new order", 1);
    assertEquals(0, first.linesRead());
    assertEquals(0, first.logRecords());
  }

  @Test
  void missingGatesAreTold() {
    IllegalStateException thrown =
        assertThrows(IllegalStateException.class, () -> new RecordingLoader().requireGates());
    assertTrue(thrown.getMessage().contains("HeapMemory.getLong"), thrown.getMessage());
  }

  @Test
  void aWorkloadOfTheUserIsObserved() throws Exception {
    Workload shelf = observe(Shelf.class.getName(), classes());
    assertEquals("org.example.shop.Shelf", shelf.name());
    Operation add = shelf.operations().get(0);
    assertEquals("add", add.kind());
    assertEquals(1, add.logRecords(), 0.02, add.toString());
    assertEquals(1, add.barriers(), 0.02, add.toString());
    assertTrue(add.linesWritten() >= 1, add::toString);
    Operation find = shelf.operations().get(1);
    assertEquals("find", find.kind());
    assertEquals(0, find.logRecords());
    assertEquals(0, find.linesWritten());
    assertTrue(find.linesRead() > 2, find::toString);
    assertEquals(0.5, find.share(), 0.1);
  }

  @Test
  void aWorkloadOfTheUserThatCannotBeObservedIsRefused() throws Exception {
    assertRefused("org.example.shop.Desk is not there", "org.example.shop.Desk", classes());
    assertRefused("does not implement", Shelf.Books.class.getName(), classes());
    assertRefused("there are 2 kinds", WrongKind.class.getName(), classes());
    List<Path> nowhere = List.of(directory.resolve("nowhere"));
    assertRefused("does not exist", Shelf.class.getName(), nowhere);
  }

  private void assertRefused(String why, String name, List<Path> classPath) {
    RuntimeException thrown = assertThrows(RuntimeException.class, () -> observe(name, classPath));
    assertTrue(thrown.getMessage().contains(why), thrown.getMessage());
  }

  /** Returns where the classes of the example are. */
  private static List<Path> classes() throws URISyntaxException {
    return List.of(
        Path.of(Shelf.class.getProtectionDomain().getCodeSource().getLocation().toURI()));
  }
}
