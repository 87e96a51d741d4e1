package io.pmstore.proxy.slot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.NotPersistableException;
import io.pmstore.core.catalogue.Property;
import io.pmstore.core.catalogue.Shape;
import io.pmstore.core.catalogue.SlotKind;
import io.pmstore.core.catalogue.WordLayout;
import io.pmstore.core.heap.Heap;
import io.pmstore.core.heap.HeapObject;
import io.pmstore.proxy.bytecode.PersistentClasses;
import io.pmstore.proxy.fixture.StoreTest;
import io.pmstore.proxy.fixture.Values;
import io.pmstore.proxy.value.WordValues;
import io.pmstore.spi.PersistentObject;
import java.io.Serial;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;

/** Values of declared types take a word, and blobs where a word has no room. */
class WordsTest extends StoreTest {
  private static final long MAX_IN_LINE = (1L << 62) - 1;

  /** The values of a kind that are in line, and those that are not. */
  private record Samples(List<Object> inLine, List<Object> outOfLine) {}

  private static final Map<SlotKind, Samples> SAMPLES =
      Map.ofEntries(
          Map.entry(SlotKind.BOOLEAN_WORD, new Samples(List.of(true, false), List.of())),
          Map.entry(
              SlotKind.BYTE_WORD,
              new Samples(List.of((byte) -128, (byte) 0, (byte) 127), List.of())),
          Map.entry(
              SlotKind.SHORT_WORD,
              new Samples(List.of(Short.MIN_VALUE, (short) 0, Short.MAX_VALUE), List.of())),
          Map.entry(SlotKind.CHARACTER_WORD, new Samples(List.of('\0', 'x', '\uffff'), List.of())),
          Map.entry(
              SlotKind.INTEGER_WORD,
              new Samples(List.of(Integer.MIN_VALUE, 0, -1, Integer.MAX_VALUE), List.of())),
          Map.entry(
              SlotKind.LONG_WORD,
              new Samples(
                  List.of(0L, -1L, MAX_IN_LINE, -MAX_IN_LINE - 1),
                  List.of(MAX_IN_LINE + 1, -MAX_IN_LINE - 2, Long.MAX_VALUE, Long.MIN_VALUE))),
          Map.entry(
              SlotKind.FLOAT_WORD,
              new Samples(
                  List.of(0f, -0f, Float.NaN, Float.NEGATIVE_INFINITY, Float.MIN_VALUE),
                  List.of())),
          Map.entry(
              SlotKind.DECIMAL_WORD,
              new Samples(
                  List.of(
                      BigDecimal.ZERO,
                      new BigDecimal("0.00"),
                      new BigDecimal("-12.3450"),
                      BigDecimal.valueOf((1L << 56) - 1, 63),
                      BigDecimal.valueOf(1 - (1L << 56), 0)),
                  List.of(
                      BigDecimal.valueOf(1L << 56),
                      BigDecimal.valueOf(1, 64),
                      BigDecimal.valueOf(7, -1),
                      new BigDecimal(BigInteger.TEN.pow(40), Integer.MAX_VALUE)))),
          Map.entry(
              SlotKind.INSTANT_WORD,
              new Samples(
                  List.of(
                      Instant.EPOCH,
                      Instant.parse("2026-11-24T12:34:56.123456789Z"),
                      Instant.parse("1824-01-01T00:00:00.000000001Z"),
                      Instant.ofEpochSecond(-1, 999_999_999)),
                  List.of(Instant.MIN, Instant.MAX, Instant.parse("2117-01-01T00:00:00Z")))),
          Map.entry(
              SlotKind.DURATION_WORD,
              new Samples(
                  List.of(Duration.ZERO, Duration.ofNanos(-1), Duration.ofDays(50_000)),
                  List.of(Duration.ofSeconds(Long.MIN_VALUE), Duration.ofDays(-60_000)))),
          Map.entry(
              SlotKind.DATE_WORD,
              new Samples(List.of(LocalDate.EPOCH, LocalDate.MIN, LocalDate.MAX), List.of())),
          Map.entry(
              SlotKind.TIME_WORD,
              new Samples(List.of(LocalTime.MIDNIGHT, LocalTime.MAX), List.of())),
          Map.entry(
              SlotKind.DATE_TIME_WORD,
              new Samples(
                  List.of(
                      LocalDateTime.parse("1969-12-31T23:59:59.999999999"),
                      LocalDateTime.parse("2026-11-24T12:34:56")),
                  List.of(LocalDateTime.MIN, LocalDateTime.MAX))));

  private final Heap heap = store().heap;

  private static List<SlotKind> kinds() {
    return List.of(SlotKind.values()).stream().filter(SlotKind::isWord).toList();
  }

  private Object written(SlotKind kind, Object value, boolean inLine) {
    Values bean = store().root("values", Values.class);
    long object = ((HeapObject) ((PersistentObject) bean).pmstoreHandle()).address();
    Shape shape = PersistentClasses.of(Values.class).shape();
    int offset =
        shape.properties().stream()
            .filter(property -> property.kind() == kind)
            .mapToInt(Property::offset)
            .findFirst()
            .orElseThrow();
    return store()
        .call(
            () -> {
              WordValues.write(heap, object, offset, kind, value);
              long word = heap.getLong(object, offset);
              assertEquals(inLine, WordLayout.isInline(word), value + " in line");
              return Objects.requireNonNull(WordValues.read(heap, kind, word));
            });
  }

  @Test
  void everyKindKeepsItsValuesAndTakesABlobOnlyWhereItMust() {
    for (SlotKind kind : kinds()) {
      Samples samples = SAMPLES.get(kind);
      for (Object value : Objects.requireNonNull(samples).inLine()) {
        assertEquals(value, written(kind, value, true));
      }
      for (Object value : samples.outOfLine()) {
        assertEquals(value, written(kind, value, false));
      }
    }
  }

  @Test
  void randomValuesAreKept() {
    long seed = Long.getLong("pmstore.seed", ThreadLocalRandom.current().nextLong());
    SplittableRandom random = new SplittableRandom(seed);
    Values bean = store().root("values", Values.class);
    for (int i = 0; i < 1_000; i++) {
      long bits = random.nextLong() >> random.nextInt(64);
      String message = "-Dpmstore.seed=" + seed + ", " + bits;
      BigDecimal decimal = BigDecimal.valueOf(bits, random.nextInt(-4, 70));
      Instant instant = Instant.ofEpochSecond(bits >> 28, random.nextInt(1_000_000_000));
      bean.setDecimal(decimal);
      bean.setInstant(instant);
      bean.setBig(bits);
      assertEquals(decimal, bean.getDecimal(), message);
      assertEquals(instant, bean.getInstant(), message);
      assertEquals(bits, bean.getBig(), message);
    }
  }

  @Test
  void nullIsAWordOfZeros() {
    assertNull(WordValues.read(heap, SlotKind.INSTANT_WORD, 0));
    assertTrue(WordValues.isOf(SlotKind.INSTANT_WORD, null));
  }

  /** A number of a class that the store cannot make again. */
  private static final class Money extends BigDecimal {
    @Serial private static final long serialVersionUID = 1;

    Money(String text) {
      super(text);
    }
  }

  @Test
  void anObjectOfASubclassIsRefused() {
    Values bean = store().root("values", Values.class);
    bean.setDecimal(BigDecimal.ONE);
    assertThrows(NotPersistableException.class, () -> bean.setDecimal(new Money("1.5")));
    assertEquals(BigDecimal.ONE, bean.getDecimal());
  }
}
