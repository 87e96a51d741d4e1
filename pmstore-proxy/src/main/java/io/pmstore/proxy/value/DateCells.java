package io.pmstore.proxy.value;

import io.pmstore.ClassRefusedException;
import io.pmstore.StoreDamagedException;
import io.pmstore.core.catalogue.CellLayout;
import java.util.Date;

/**
 * Values of {@code java.util.Date} and of its subclasses in {@code java.sql}, a module that may be
 * missing at run time. Cells hold no other subclass: nothing would keep what it adds.
 */
@SuppressWarnings("JavaUtilDate") // users have such values
final class DateCells {
  // These codes are part of the format.
  private static final int UTIL_DATE = 0;
  private static final int SQL_DATE = 1;
  private static final int SQL_TIME = 2;
  private static final int SQL_TIMESTAMP = 3;
  private static final int NONE = -1;

  private DateCells() {}

  /** Returns true if a cell can hold the value with its class. */
  static boolean isValue(Date date) {
    return kind(date) != NONE;
  }

  private static int kind(Date date) {
    if (date.getClass() == Date.class) {
      return UTIL_DATE;
    }
    return switch (date.getClass().getName()) {
      case "java.sql.Date" -> SQL_DATE;
      case "java.sql.Time" -> SQL_TIME;
      case "java.sql.Timestamp" -> SQL_TIMESTAMP;
      default -> NONE;
    };
  }

  /** Returns the first word of a value's cell. */
  static long first(Date date) {
    int kind = kind(date);
    int nanoseconds = kind == SQL_TIMESTAMP ? Sql.nanoseconds(date) : 0;
    return CellLayout.first(CellLayout.DATE, kind, nanoseconds);
  }

  static Date read(long first, long milliseconds) {
    int kind = CellLayout.a(first);
    if (kind == UTIL_DATE) {
      return new Date(milliseconds);
    }
    if (kind < UTIL_DATE || kind > SQL_TIMESTAMP) {
      throw new StoreDamagedException(
          "a cell holds a date of kind %s, which this program does not know; restore the store from a backup, or open it with the program that wrote it"
              .formatted(kind));
    }
    try {
      return Sql.make(kind, milliseconds, CellLayout.b(first));
    } catch (NoClassDefFoundError e) {
      throw new ClassRefusedException(
          "the store holds a date of the module java.sql, which this program runs without; run it"
              + " with --add-modules java.sql",
          e);
    }
  }

  /** The code that needs the module java.sql. The JVM loads this class at its first use. */
  private static final class Sql {
    static int nanoseconds(Date timestamp) {
      return ((java.sql.Timestamp) timestamp).getNanos();
    }

    static Date make(int kind, long milliseconds, int nanoseconds) {
      return switch (kind) {
        case SQL_DATE -> new java.sql.Date(milliseconds);
        case SQL_TIME -> new java.sql.Time(milliseconds);
        default -> {
          java.sql.Timestamp timestamp = new java.sql.Timestamp(milliseconds);
          timestamp.setNanos(nanoseconds);
          yield timestamp;
        }
      };
    }
  }
}
