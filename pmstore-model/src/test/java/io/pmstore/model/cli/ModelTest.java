package io.pmstore.model.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ModelTest {
  @TempDir private Path directory;

  @Test
  void predictsOnShippedProfiles() throws Exception {
    assertEquals(
        0,
        Model.run(
            "predict",
            "--workload",
            "oms",
            "--profile",
            "optane-dcpmm",
            "--against",
            "nand-ssd-p3700",
            "--out",
            directory.toString()));
    String page = Files.readString(directory.resolve("prediction.md"));
    assertTrue(page.contains("optane-dcpmm") && page.contains("barrier"), page);
    assertTrue(Files.size(directory.resolve("plots/prediction-throughput.png")) > 1_000);
  }

  @Test
  void showsAProfile() throws Exception {
    assertEquals(0, Model.run("show", "optane-dcpmm", "--out", directory.toString()));
    String page = Files.readString(directory.resolve("optane-dcpmm.md"));
    assertTrue(page.contains("305"), page);
  }

  @Test
  void whatAUserCanMendIsAMessage() {
    assertNotEquals(0, Model.run("predict", "--workload", "oms", "--profile", "no-such-profile"));
    assertNotEquals(0, Model.run("probe", directory.resolve("absent").toString()));
    assertNotEquals(
        0, Model.run("predict", "--workload", "no-such-workload", "--profile", "optane-dcpmm"));
  }
}
