package io.pmstore.oms.run;

import io.pmstore.oms.domain.OrderSnapshot;
import io.pmstore.oms.domain.ReportSnapshot;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The differences between what was found and what was expected, field by field. */
public final class Differences {
  private Differences() {}

  /**
   * Compares an order and its reports.
   *
   * @param expected how it should be
   * @param found how it is
   * @return one line for each field that differs and each report too many or too few; empty if they
   *     are equal
   */
  public static List<String> between(OrderSnapshot expected, OrderSnapshot found) {
    if (expected.equals(found)) {
      return List.of();
    }
    List<String> differences = new ArrayList<>();
    String order = "order " + expected.id();
    for (RecordComponent field : OrderSnapshot.class.getRecordComponents()) {
      if (!field.getName().equals("reports")) {
        compare(order, field, expected, found, differences);
      }
    }
    int both = Math.min(expected.reports().size(), found.reports().size());
    for (int i = 0; i < both; i++) {
      for (RecordComponent field : ReportSnapshot.class.getRecordComponents()) {
        compare(
            order + " report " + i,
            field,
            expected.reports().get(i),
            found.reports().get(i),
            differences);
      }
    }
    if (expected.reports().size() != found.reports().size()) {
      differences.add(
          "%s has %d reports; expected %d"
              .formatted(order, found.reports().size(), expected.reports().size()));
    }
    return differences;
  }

  private static void compare(
      String where,
      RecordComponent field,
      Record expected,
      Record found,
      List<String> differences) {
    Object expectedValue = value(field, expected);
    Object foundValue = value(field, found);
    if (!Objects.equals(expectedValue, foundValue)) {
      differences.add(
          "%s has %s %s; expected %s".formatted(where, field.getName(), foundValue, expectedValue));
    }
  }

  private static @Nullable Object value(RecordComponent field, Record holder) {
    try {
      return field.getAccessor().invoke(holder);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("cannot read " + field, e);
    }
  }
}
