package io.pmstore.enhance;

import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The faults of one class that keep it from being enhanced. Not safe for use by several threads.
 */
final class Faults {
  private final String type;
  private final Set<String> found = new LinkedHashSet<>();
  private @Nullable String file;

  /** Collects the faults of a class, named as class files spell it. */
  Faults(String type) {
    this.type = type.replace('/', '.');
  }

  /** Sets the name of the source file, for the places in messages. */
  void file(@Nullable String source) {
    file = source;
  }

  /**
   * Adds a fault.
   *
   * @param member the field or method
   * @param line in the source file; 0 if unknown
   */
  void add(String member, int line, String what, String remedy) {
    String place =
        file == null ? "" : line == 0 ? " (" + file + ")" : " (" + file + ":" + line + ")";
    found.add("class " + type + ", " + member + place + ": " + what + "; " + remedy);
  }

  /**
   * Ends the examination of the class.
   *
   * @throws EnhancementException if there are faults
   */
  void throwIfAny() {
    if (!found.isEmpty()) {
      throw new EnhancementException(String.join(System.lineSeparator(), found));
    }
  }
}
