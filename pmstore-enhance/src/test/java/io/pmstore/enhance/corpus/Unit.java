package io.pmstore.enhance.corpus;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A published jar whose classes are tried.
 *
 * @param coordinates group, artifact and version
 * @param domain matches the names of the classes that are tried; all are enhanced
 * @param parts the artifacts of other jars of the same project, whose classes are enhanced too
 */
record Unit(String coordinates, Pattern domain, List<String> parts) {
  private static final String LIST = "units.txt";

  /** Returns the units of the list. */
  static List<Unit> all() {
    try (InputStream in = Unit.class.getResourceAsStream(LIST)) {
      if (in == null) {
        throw new IllegalStateException("no " + LIST);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.isBlank() && !line.startsWith("#"))
          .map(line -> line.strip().split("\\s+", -1))
          .map(Unit::of)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Unit of(String[] words) {
    String domain = words.length > 1 ? words[1] : ".*";
    return new Unit(
        words[0],
        Pattern.compile(domain),
        List.of(words).subList(Math.min(words.length, 2), words.length));
  }

  String group() {
    return coordinates.split(":", -1)[0];
  }

  String artifact() {
    return coordinates.split(":", -1)[1];
  }

  String version() {
    return coordinates.split(":", -1)[2];
  }

  /** Returns the name of its jar. */
  String jar() {
    return artifact() + "-" + version() + ".jar";
  }
}
