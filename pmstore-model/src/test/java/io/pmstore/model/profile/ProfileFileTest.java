package io.pmstore.model.profile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class ProfileFileTest {
  @TempDir private Path directory;

  static java.util.List<String> shipped() {
    return ProfileFile.shipped();
  }

  @ParameterizedTest
  @MethodSource("shipped")
  void theShippedProfilesAreWhole(String name) throws Exception {
    Profile profile = ProfileFile.read(name);
    assertEquals(name, profile.name());
    assertFalse(profile.levels().isEmpty());
    assertEquals(
        profile.levels().getLast().nanos(), profile.require(Quantity.READ_LATENCY, "the test"));
    Path copy = directory.resolve(name + ".json");
    ProfileFile.write(profile, copy);
    assertEquals(profile, ProfileFile.read(copy.toString()));
  }

  @Test
  void theFiguresOfTheThesisAreThere() {
    Profile optane = ProfileFile.read("optane-dcpmm");
    assertEquals(305, optane.require(Quantity.READ_LATENCY, "the test"));
    assertEquals(90, optane.require(Quantity.WRITE_LATENCY, "the test"));
    assertEquals(7.45, optane.require(Quantity.READ_BANDWIDTH, "the test"));
  }

  private static Profile parse(String figures, String levels) {
    String json =
        """
        {"format": 1, "name": "mine", "kind": "MEMORY", "sources": ["by hand"],
         "figures": {%s}, "levels": [%s]}
        """
            .formatted(figures, levels);
    return ProfileFile.parse("mine.json", json.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void aProfileWrittenByHandIsRead() {
    Profile profile = parse("\"readLatency\": {\"value\": 100, \"unit\": \"ns\"}", "");
    assertEquals(100, profile.require(Quantity.READ_LATENCY, "the test"));
    ProfileException thrown =
        assertThrows(
            ProfileException.class, () -> profile.require(Quantity.BARRIER_LATENCY, "commits"));
    assertTrue(
        thrown.getMessage().contains("'mine' has no figure 'barrierLatency' (ns)"),
        thrown.getMessage());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '#',
      value = {
        "\"readLatency\": {\"value\": -3, \"unit\": \"ns\"} | impossible",
        "\"readLatency\": {\"value\": 3, \"unit\": \"us\"} | is in ns, not in 'us'",
        "\"readLatency\": {\"value\": 3} | no unit",
        "\"readLatency\": {\"value\": 3, \"low\": 4, \"unit\": \"ns\"} | outside its own interval",
        "\"parallelism\": {\"value\": 0.5, \"unit\": \"reads\"} | impossible",
        "\"speed\": {\"value\": 3, \"unit\": \"ns\"} | no figure 'speed'",
        "\"readLatency\": {\"valu\": 3, \"unit\": \"ns\"} | valu"
      })
  void impossibleFiguresAreRefused(String figures, String message) {
    ProfileException thrown = assertThrows(ProfileException.class, () -> parse(figures, ""));
    assertTrue(thrown.getMessage().contains(message), thrown.getMessage());
    assertTrue(thrown.getMessage().contains("mine.json"), thrown.getMessage());
  }

  @Test
  void levelsInTheWrongOrderAreRefused() {
    String cache = "{\"name\": \"L1\", \"kind\": \"CACHE\", \"bytes\": 32768, \"nanos\": 9}";
    String memory = "{\"name\": \"memory\", \"kind\": \"MEMORY\", \"bytes\": 65536, \"nanos\": 3}";
    ProfileException thrown =
        assertThrows(ProfileException.class, () -> parse("", cache + "," + memory));
    assertTrue(thrown.getMessage().contains("smaller or faster"), thrown.getMessage());
    assertThrows(ProfileException.class, () -> parse("", cache));
  }

  @Test
  void whatIsNoProfileIsRefused() {
    ProfileException thrown =
        assertThrows(ProfileException.class, () -> ProfileFile.read("no-such-profile"));
    assertTrue(thrown.getMessage().contains("optane-dcpmm"), thrown.getMessage());
    assertThrows(ProfileException.class, () -> ProfileFile.parse("x", new byte[] {'{'}));
    thrown =
        assertThrows(
            ProfileException.class,
            () -> ProfileFile.parse("x", "{}".getBytes(StandardCharsets.UTF_8)));
    assertTrue(thrown.getMessage().contains("\"format\": 1"), thrown.getMessage());
  }
}
