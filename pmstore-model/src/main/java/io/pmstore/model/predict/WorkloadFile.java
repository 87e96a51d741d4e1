package io.pmstore.model.predict;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Workloads as JSON files. */
public final class WorkloadFile {
  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(SerializationFeature.INDENT_OUTPUT)
          .build();

  private WorkloadFile() {}

  /** The workloads that come with the program. */
  public static List<String> shipped() {
    return List.of("oms", "ycsb-a", "ycsb-b", "ycsb-c", "ycsb-d", "ycsb-f");
  }

  /**
   * Reads a workload that comes with the program, or a file.
   *
   * @throws IllegalArgumentException if it is neither, or not a workload
   */
  public static Workload read(String nameOrFile) throws IOException {
    if (shipped().contains(nameOrFile)) {
      try (InputStream in =
          WorkloadFile.class.getResourceAsStream("workloads/" + nameOrFile + ".json")) {
        if (in == null) {
          throw new IllegalArgumentException(
              "the workload '%s' was not packed; observe it: ./model observe"
                  .formatted(nameOrFile));
        }
        return parse(nameOrFile, in.readAllBytes());
      }
    }
    Path file = Path.of(nameOrFile);
    if (!Files.exists(file)) {
      throw new IllegalArgumentException(
          "there is no workload '%s': it is neither a file nor one of %s"
              .formatted(nameOrFile, String.join(", ", shipped())));
    }
    return parse(nameOrFile, Files.readAllBytes(file));
  }

  private static Workload parse(String where, byte[] bytes) {
    try {
      return JSON.readValue(bytes, Workload.class);
    } catch (JacksonException e) {
      throw new IllegalArgumentException(
          "%s is not a workload: %s".formatted(where, e.getOriginalMessage()), e);
    }
  }

  public static void write(Workload workload, Path file) throws IOException {
    Path parent = file.toAbsolutePath().getParent();
    if (parent != null) {
      Files.createDirectories(parent);
    }
    Files.write(file, JSON.writeValueAsBytes(workload));
  }
}
