package io.pmstore.cli.transfer;

import io.pmstore.cli.json.ValueWriter;
import io.pmstore.proxy.generic.GenericComparator;
import java.util.Collections;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** The comparators of sorted collections as JSON. */
final class Comparators {
  static final String NATURAL = "naturalOrder";
  static final String REVERSE = "reverseOrder";
  static final String CASE_INSENSITIVE = "CASE_INSENSITIVE_ORDER";

  private static final Class<?> REVERSING =
      Collections.reverseOrder(String.CASE_INSENSITIVE_ORDER).getClass();

  private Comparators() {}

  /** Writes a comparator: one of the names above, or an object with one property. */
  static void write(JsonGenerator out, ValueWriter values, Comparator<?> comparator) {
    String name = name(comparator);
    if (name != null) {
      out.writeString(name);
      return;
    }
    out.writeStartObject();
    if (comparator.getClass() == REVERSING) {
      out.writeName("reversed");
      write(out, values, Collections.reverseOrder(comparator));
    } else if (comparator instanceof GenericComparator named) {
      out.writeStringProperty("field", named.name());
    } else {
      out.writeName("value");
      values.write(comparator);
    }
    out.writeEndObject();
  }

  private static @Nullable String name(Comparator<?> comparator) {
    if (comparator.equals(Comparator.naturalOrder())) {
      return NATURAL;
    }
    if (comparator.equals(Comparator.reverseOrder())) {
      return REVERSE;
    }
    return comparator.equals(String.CASE_INSENSITIVE_ORDER) ? CASE_INSENSITIVE : null;
  }

  static Comparator<?> named(String name) {
    return switch (name) {
      case NATURAL -> Comparator.naturalOrder();
      case REVERSE -> Comparator.reverseOrder();
      case CASE_INSENSITIVE -> String.CASE_INSENSITIVE_ORDER;
      default -> throw new ImportException("no comparator is called " + name);
    };
  }
}
