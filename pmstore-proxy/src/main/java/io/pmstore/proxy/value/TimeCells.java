package io.pmstore.proxy.value;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.pmstore.core.catalogue.CellLayout;
import io.pmstore.core.heap.Heap;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.zone.ZoneRulesException;
import org.jspecify.annotations.Nullable;

/** Values of {@code java.time} in cells. */
@SuppressWarnings("JavaLocalDateTimeGetNano") // seconds and nanoseconds are stored separately
final class TimeCells {
  private static final int ZONED_HEAD = 16;

  private TimeCells() {}

  /** Returns true if an object is a value of {@code java.time}. */
  static boolean isValue(Object object) {
    return switch (object) {
      case Instant _, LocalDate _, LocalDateTime _, LocalTime _, OffsetDateTime _ -> true;
      case ZonedDateTime _, Duration _, OffsetTime _, ZoneId _, Year _, YearMonth _ -> true;
      case MonthDay _, Period _ -> true;
      default -> false;
    };
  }

  /**
   * Writes a value into a cell. Returns false, and writes nothing, if it is no value of {@code
   * java.time}.
   */
  static boolean write(Heap heap, long object, int offset, Object value) {
    switch (value) {
      case Instant at ->
          put(heap, object, offset, CellLayout.INSTANT, at.getNano(), at.getEpochSecond());
      case LocalDate date -> put(heap, object, offset, CellLayout.LOCAL_DATE, 0, date.toEpochDay());
      case LocalDateTime at ->
          put(heap, object, offset, CellLayout.LOCAL_DATE_TIME, at.getNano(), seconds(at));
      case LocalTime at -> put(heap, object, offset, CellLayout.LOCAL_TIME, 0, at.toNanoOfDay());
      case OffsetDateTime at -> {
        int zone = at.getOffset().getTotalSeconds();
        long first = CellLayout.first(CellLayout.OFFSET_DATE_TIME, zone, at.getNano());
        ValueCells.put(heap, object, offset, first, seconds(at.toLocalDateTime()));
      }
      case ZonedDateTime at ->
          put(heap, object, offset, CellLayout.ZONED_DATE_TIME, 0, heap.blobs().create(zoned(at)));
      case Duration time ->
          put(heap, object, offset, CellLayout.DURATION, time.getNano(), time.getSeconds());
      case OffsetTime at -> {
        int zone = at.getOffset().getTotalSeconds();
        put(heap, object, offset, CellLayout.OFFSET_TIME, zone, at.toLocalTime().toNanoOfDay());
      }
      case ZoneOffset zone ->
          put(heap, object, offset, CellLayout.ZONE_OFFSET, 0, zone.getTotalSeconds());
      case ZoneId zone -> {
        long id = heap.blobs().create(zone.getId().getBytes(US_ASCII));
        put(heap, object, offset, CellLayout.ZONE_REGION, 0, id);
      }
      case Year year -> put(heap, object, offset, CellLayout.YEAR, 0, year.getValue());
      case YearMonth month -> {
        long months = month.getYear() * 12L + month.getMonthValue() - 1;
        put(heap, object, offset, CellLayout.YEAR_MONTH, 0, months);
      }
      case MonthDay day ->
          put(heap, object, offset, CellLayout.MONTH_DAY, day.getMonthValue(), day.getDayOfMonth());
      case Period time -> {
        long rest = (time.getMonths() & 0xffff_ffffL) | (long) time.getDays() << 32;
        put(heap, object, offset, CellLayout.PERIOD, time.getYears(), rest);
      }
      default -> {
        return false;
      }
    }
    return true;
  }

  private static void put(Heap heap, long object, int offset, int tag, int b, long c) {
    ValueCells.put(heap, object, offset, CellLayout.first(tag, 0, b), c);
  }

  private static long seconds(LocalDateTime dateTime) {
    return dateTime.toEpochSecond(ZoneOffset.UTC);
  }

  /** Reads a value; returns null if the tag is none of {@code java.time}. */
  static @Nullable Object read(Heap heap, long first, long second) {
    int b = CellLayout.b(first);
    return switch (CellLayout.tag(first)) {
      case CellLayout.INSTANT -> Instant.ofEpochSecond(second, b);
      case CellLayout.DURATION -> Duration.ofSeconds(second, b);
      case CellLayout.LOCAL_DATE -> LocalDate.ofEpochDay(second);
      case CellLayout.LOCAL_TIME -> LocalTime.ofNanoOfDay(second);
      case CellLayout.LOCAL_DATE_TIME -> dateTime(second, b);
      case CellLayout.OFFSET_DATE_TIME ->
          OffsetDateTime.of(dateTime(second, b), ZoneOffset.ofTotalSeconds(CellLayout.a(first)));
      case CellLayout.OFFSET_TIME ->
          OffsetTime.of(LocalTime.ofNanoOfDay(second), ZoneOffset.ofTotalSeconds(b));
      case CellLayout.ZONED_DATE_TIME -> zoned(heap.blobs().read(second));
      case CellLayout.ZONE_OFFSET -> ZoneOffset.ofTotalSeconds((int) second);
      case CellLayout.ZONE_REGION -> zone(new String(heap.blobs().read(second), US_ASCII));
      case CellLayout.YEAR -> Year.of((int) second);
      case CellLayout.YEAR_MONTH ->
          YearMonth.of((int) Math.floorDiv(second, 12L), (int) Math.floorMod(second, 12L) + 1);
      case CellLayout.MONTH_DAY -> MonthDay.of(b, (int) second);
      case CellLayout.PERIOD -> Period.of(b, (int) second, (int) (second >>> 32));
      default -> null;
    };
  }

  private static LocalDateTime dateTime(long seconds, int nanoseconds) {
    return LocalDateTime.ofEpochSecond(seconds, nanoseconds, ZoneOffset.UTC);
  }

  static ZoneId zone(String id) {
    try {
      return ZoneId.of(id);
    } catch (ZoneRulesException e) { // the id is well formed, but unknown
      throw UnknownHere.of("time zone", id, "use a JVM whose time zone data are not older", e);
    }
  }

  private static byte[] zoned(ZonedDateTime dateTime) {
    byte[] zone = dateTime.getZone().getId().getBytes(US_ASCII);
    return ByteBuffer.allocate(ZONED_HEAD + zone.length)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putLong(seconds(dateTime.toLocalDateTime()))
        .putInt(dateTime.getNano())
        .putInt(dateTime.getOffset().getTotalSeconds())
        .put(zone)
        .array();
  }

  private static ZonedDateTime zoned(byte[] bytes) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    LocalDateTime local = dateTime(buffer.getLong(), buffer.getInt());
    ZoneOffset offset = ZoneOffset.ofTotalSeconds(buffer.getInt());
    ZoneId zone = zone(new String(bytes, ZONED_HEAD, bytes.length - ZONED_HEAD, US_ASCII));
    // Keeps the local time if the zone's rules have changed since.
    return ZonedDateTime.ofLocal(local, zone, offset);
  }

  /**
   * Returns a hash code that is the same in every JVM, or null if the value is none of {@code
   * java.time}.
   */
  static @Nullable Integer hash(Object value) {
    return switch (value) {
      case Instant instant -> Long.hashCode(instant.getEpochSecond()) * 31 + instant.getNano();
      case LocalDate date -> Long.hashCode(date.toEpochDay());
      case LocalTime time -> Long.hashCode(time.toNanoOfDay());
      case LocalDateTime dateTime -> hash(dateTime);
      case OffsetDateTime dateTime ->
          hash(dateTime.toLocalDateTime()) * 31 + dateTime.getOffset().getTotalSeconds();
      case ZonedDateTime dateTime ->
          hash(dateTime.toLocalDateTime()) * 31 + dateTime.getZone().getId().hashCode();
      case Duration duration -> Long.hashCode(duration.getSeconds()) * 31 + duration.getNano();
      case OffsetTime time ->
          Long.hashCode(time.toLocalTime().toNanoOfDay()) * 31 + time.getOffset().getTotalSeconds();
      case ZoneId zone -> zone.getId().hashCode();
      case Year year -> year.getValue();
      case YearMonth month -> month.getYear() * 12 + month.getMonthValue();
      case MonthDay day -> day.getMonthValue() * 32 + day.getDayOfMonth();
      case Period period -> (period.getYears() * 31 + period.getMonths()) * 31 + period.getDays();
      default -> null;
    };
  }

  private static int hash(LocalDateTime dateTime) {
    return Long.hashCode(seconds(dateTime)) * 31 + dateTime.getNano();
  }
}
