package io.pmstore.model.profile;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Profiles as JSON files. */
public final class ProfileFile {
  private static final int FORMAT = 1;

  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(SerializationFeature.INDENT_OUTPUT)
          .changeDefaultPropertyInclusion(
              inclusion ->
                  inclusion.withValueInclusion(
                      com.fasterxml.jackson.annotation.JsonInclude.Include.NON_NULL))
          .build();

  /** The file. What may be absent is nullable. */
  private record Json(
      @Nullable Integer format,
      @Nullable String name,
      Profile.@Nullable Kind kind,
      @Nullable List<String> sources,
      @Nullable Map<String, String> machine,
      @Nullable List<String> method,
      @Nullable Map<String, Figure.Json> figures,
      @Nullable List<Level> levels,
      @Nullable List<Series> series) {}

  private ProfileFile() {}

  /** The profiles that come with the program, by their names. */
  public static List<String> shipped() {
    return List.of(
        "optane-dcpmm",
        "optane-dcpmm-6-dimms",
        "ddr4-2666-6-channels",
        "cxl-ddr-x8",
        "optane-ssd-p4800x",
        "nand-ssd-p3700");
  }

  /**
   * Reads a profile that comes with the program, or a file.
   *
   * @param nameOrFile one of {@link #shipped}, or a path
   * @throws ProfileException if it is neither, or not a profile
   */
  public static Profile read(String nameOrFile) {
    try {
      if (shipped().contains(nameOrFile)) {
        try (InputStream in =
            ProfileFile.class.getResourceAsStream("profiles/" + nameOrFile + ".json")) {
          if (in == null) {
            throw new ProfileException("the profile '%s' was not packed".formatted(nameOrFile));
          }
          return parse(nameOrFile, in.readAllBytes());
        }
      }
      Path file = Path.of(nameOrFile);
      if (!Files.exists(file)) {
        throw new ProfileException(
            "there is no profile '%s': it is neither a file nor one of %s"
                .formatted(nameOrFile, String.join(", ", shipped())));
      }
      return parse(nameOrFile, Files.readAllBytes(file));
    } catch (IOException e) {
      throw new ProfileException("the profile %s cannot be read: %s".formatted(nameOrFile, e), e);
    }
  }

  static Profile parse(String where, byte[] bytes) {
    Json json;
    try {
      json = MAPPER.readValue(bytes, Json.class);
    } catch (JacksonException e) {
      throw new ProfileException(
          "%s is not a profile: %s".formatted(where, e.getOriginalMessage()), e);
    }
    if (json == null || json.format == null || json.format != FORMAT) {
      throw new ProfileException(
          "%s has no \"format\": %d; this program reads no other".formatted(where, FORMAT));
    }
    if (json.name == null || json.kind == null) {
      throw new ProfileException(
          "%s lacks its name or its kind (one of %s)"
              .formatted(where, Arrays.toString(Profile.Kind.values())));
    }
    try {
      Map<Quantity, Figure> figures = new EnumMap<>(Quantity.class);
      orEmpty(json.figures)
          .forEach((key, figure) -> figures.put(Quantity.ofKey(key), figure.figure(key)));
      return new Profile(
          json.name,
          json.kind,
          orEmpty(json.sources),
          orEmpty(json.machine),
          orEmpty(json.method),
          figures,
          orEmpty(json.levels),
          orEmpty(json.series));
    } catch (ProfileException e) {
      throw new ProfileException(where + ": " + e.getMessage(), e);
    }
  }

  private static <T> List<T> orEmpty(@Nullable List<T> list) {
    return list == null ? List.of() : list;
  }

  private static <V> Map<String, V> orEmpty(@Nullable Map<String, V> map) {
    return map == null ? Map.of() : map;
  }

  public static void write(Profile profile, Path file) throws IOException {
    Map<String, Figure.Json> figures = new LinkedHashMap<>();
    for (Quantity quantity : Quantity.values()) {
      profile
          .figure(quantity)
          .ifPresent(figure -> figures.put(quantity.key(), Figure.Json.of(figure)));
    }
    Json json =
        new Json(
            FORMAT,
            profile.name(),
            profile.kind(),
            profile.sources(),
            profile.machine(),
            profile.method(),
            figures,
            profile.levels(),
            profile.series());
    Path parent = file.toAbsolutePath().getParent();
    if (parent != null) {
      Files.createDirectories(parent);
    }
    Files.write(file, MAPPER.writeValueAsBytes(json));
  }
}
