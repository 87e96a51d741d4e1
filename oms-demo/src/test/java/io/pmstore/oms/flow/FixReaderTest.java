package io.pmstore.oms.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.oms.TestSeed;
import io.pmstore.oms.domain.ExecType;
import io.pmstore.oms.domain.OrderStatus;
import io.pmstore.oms.domain.OrderType;
import io.pmstore.oms.domain.Side;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class FixReaderTest {
  private static final String DAMAGE = "|=-.0123456789AZ \u00e9";
  private static final String ORDER = FixLines.newOrder(FixLines.NEW_ORDER_BODY);

  @Test
  void readsAnOrderAndItsTrade() {
    FixReader reader = new FixReader();
    assertTrue(reader.read(ORDER));
    assertTrue(reader.read(FixLines.report(FixLines.REPORT_BODY)));
    assertEquals(
        List.of(
            new FlowEvent.NewOrder(
                1,
                "N-C1",
                "C1",
                "ABCD3",
                Side.BUY,
                OrderType.LIMIT,
                new BigDecimal("10.0500"),
                300,
                "A1",
                Instant.parse("2026-01-05T13:00:00.123Z")),
            new FlowEvent.Update(
                1,
                1,
                "E1",
                ExecType.TRADE,
                new BigDecimal("10.0400"),
                100,
                OrderStatus.PARTIALLY_FILLED,
                100,
                200,
                new BigDecimal("10.040000"),
                Instant.parse("2026-01-05T13:00:01.456Z"))),
        reader.flow().events());
    assertEquals(1, reader.flow().orders());
  }

  @Test
  void readsFieldsSeparatedBySoh() {
    FixReader reader = new FixReader();
    assertTrue(reader.read(ORDER.replace('|', '\u0001')));
    assertEquals(1, reader.reports());
  }

  @Test
  void findsTheOrderOfAReplacementByItsOriginalId() {
    FixReader reader = new FixReader();
    reader.read(ORDER);
    String replaced =
        "37=X1|17=E1|11=C1-1|41=C1|150=5|39=0|55=ABCD3|54=1|38=500|40=2|44=11|151=500|14=0|6=0|60=20260105-13:00:01.000";
    assertTrue(reader.read(FixLines.report(replaced)), () -> reader.problems().toString());
    String trade =
        "37=X1|17=E2|11=C1-1|150=F|39=2|55=ABCD3|54=1|32=500|31=11|151=0|14=500|6=11|60=20260105-13:00:02.000";
    assertTrue(reader.read(FixLines.report(trade)), () -> reader.problems().toString());
    FlowEvent.Update update = (FlowEvent.Update) reader.flow().events().get(1);
    assertTrue(update.replacesTerms());
    assertEquals(500, update.quantity());
    assertEquals(new BigDecimal("11.0000"), update.price());
    assertEquals(2, reader.flow().events().get(2).sequence());
  }

  @Test
  void aMarketOrderHasNoPrice() {
    FixReader reader = new FixReader();
    assertTrue(
        reader.read(FixLines.newOrder(FixLines.NEW_ORDER_BODY.replace("40=2|44=10.05", "40=1"))));
    assertEquals(null, ((FlowEvent.NewOrder) reader.flow().events().getFirst()).price());
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("malformed")
  void reportsAMalformedLineWithNumberAndReasonAndGoesOn(String name, String line, String reason) {
    FixReader reader = new FixReader();
    reader.read("# a comment");
    reader.read(ORDER);
    reader.read("");
    assertFalse(reader.read(line));
    assertTrue(reader.read(FixLines.report(FixLines.REPORT_BODY)), "the next line is read");
    assertEquals(1, reader.problems().size());
    FlowProblem problem = reader.problems().getFirst();
    assertEquals(4, problem.line());
    assertTrue(problem.reason().contains(reason), problem::toString);
    assertFalse(problem.reason().contains("8=FIX"), problem::toString);
    assertEquals(2, reader.reports());
  }

  static Stream<Arguments> malformed() {
    String second = FixLines.NEW_ORDER_BODY.replace("11=C1", "11=C2");
    String wrongLength = "8=FIX.4.4|9=17|" + FixLines.NEW_ORDER_HEADER + "|" + second + "|";
    String right = FixLines.newOrder(second);
    int sum = Integer.parseInt(right.substring(right.length() - 4, right.length() - 1));
    String wrongSum = right.substring(0, right.length() - 4) + "%03d|".formatted((sum + 1) % 256);
    return Stream.of(
        Arguments.of("checksum", wrongSum, "CheckSum=%d".formatted((sum + 1) % 256)),
        Arguments.of("length", FixLines.checksummed(wrongLength), "BodyLength"),
        Arguments.of("no FIX", "hello", "Equal sign not found"),
        Arguments.of("cut off", right.substring(0, 60), ""),
        Arguments.of(
            "version",
            FixLines.checksummed("8=FIX.4.2" + right.substring(9, right.length() - 7)),
            "version 'FIX.4.2'"),
        Arguments.of("no side", FixLines.newOrder(second.replace("54=1|", "")), "field=54"),
        Arguments.of("unknown side", FixLines.newOrder(second.replace("54=1", "54=Z")), "field=54"),
        Arguments.of(
            "unsupported side", FixLines.newOrder(second.replace("54=1", "54=8")), "Side(54) '8'"),
        Arguments.of(
            "no account", FixLines.newOrder(second.replace("1=A1|", "")), "field 1 is missing"),
        Arguments.of(
            "no limit", FixLines.newOrder(second.replace("|44=10.05", "")), "field 44 is missing"),
        Arguments.of(
            "price no number", FixLines.newOrder(second.replace("10.05", "ten")), "field=44"),
        Arguments.of(
            "price too fine", FixLines.newOrder(second.replace("10.05", "10.00001")), "4 decimals"),
        Arguments.of(
            "quantity no number", FixLines.newOrder(second.replace("38=300", "38=x")), "field=38"),
        Arguments.of(
            "quantity broken",
            FixLines.newOrder(second.replace("38=300", "38=0.5")),
            "whole shares"),
        Arguments.of(
            "quantity negative",
            FixLines.newOrder(second.replace("38=300", "38=-3")),
            "whole shares"),
        Arguments.of(
            "quantity zero", FixLines.newOrder(second.replace("38=300", "38=0")), "at least 1"),
        Arguments.of("time", FixLines.newOrder(second.replace("60=2026", "60=year")), "field=60"),
        Arguments.of(
            "empty field", FixLines.newOrder(second.replace("55=ABCD3", "55=")), "field=55"),
        Arguments.of("field twice", FixLines.newOrder(second + "|44=10.06"), "field=44"),
        Arguments.of("foreign field", FixLines.newOrder(second + "|31=10.06"), "field=31"),
        Arguments.of(
            "id used before",
            FixLines.newOrder(FixLines.NEW_ORDER_BODY),
            "ClOrdID(11) 'C1' was used"),
        Arguments.of(
            "type of message",
            FixLines.message(FixLines.NEW_ORDER_HEADER.replace("35=D", "35=0")),
            "MsgType(35) is '0'"),
        Arguments.of(
            "unknown order",
            FixLines.report(FixLines.REPORT_BODY.replace("11=C1", "11=C9")),
            "unknown order"),
        Arguments.of(
            "other symbol",
            FixLines.report(FixLines.REPORT_BODY.replace("ABCD3", "WXYZ4")),
            "expected 'ABCD3'"),
        Arguments.of(
            "no last price",
            FixLines.report(FixLines.REPORT_BODY.replace("31=10.04|", "")),
            "field 31 is missing"),
        Arguments.of(
            "no exec id", FixLines.report(FixLines.REPORT_BODY.replace("17=E1|", "")), "field=17"),
        Arguments.of(
            "exec type",
            FixLines.report(FixLines.REPORT_BODY.replace("150=F", "150=H")),
            "ExecType(150) 'H'"),
        Arguments.of(
            "too much executed",
            FixLines.report(FixLines.REPORT_BODY.replace("151=200", "151=201")),
            "exceed"));
  }

  /**
   * Whatever a line contains, reading it only ever gives a report or a problem; checksums are
   * right, so all of it is read.
   */
  @Test
  void noDamageStopsTheReader() {
    long seed = TestSeed.next("noDamageStopsTheReader");
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    List<String> bodies =
        List.of(
            FixLines.NEW_ORDER_HEADER + "|" + FixLines.NEW_ORDER_BODY,
            FixLines.REPORT_HEADER + "|" + FixLines.REPORT_BODY);
    FixReader reader = new FixReader();
    for (int i = 0; i < 20_000; i++) {
      StringBuilder damaged = new StringBuilder(bodies.get(random.nextInt(2)));
      for (int change = random.nextInt(4); change >= 0; change--) {
        int at = random.nextInt(damaged.length());
        char any = DAMAGE.charAt(random.nextInt(DAMAGE.length()));
        switch (random.nextInt(3)) {
          case 0 -> damaged.setCharAt(at, any);
          case 1 -> damaged.deleteCharAt(at);
          default -> damaged.insert(at, any);
        }
      }
      int before = reader.reports() + reader.problems().size();
      reader.read(FixLines.message(damaged.toString()));
      assertEquals(before + 1, reader.reports() + reader.problems().size());
    }
    assertTrue(reader.problems().size() > 10_000, () -> "problems: " + reader.problems().size());
  }

  @Test
  void aFileOfAFlowGivesTheSameFlow(@TempDir Path dir) throws IOException {
    Path file = dir.resolve("flow.fix");
    OrderFlow made = FlowSource.generate(new FlowSettings(200, 6, 7), file, count -> {});
    assertEquals(1_400, made.events().size());
    assertEquals(made, FlowSource.read(file, count -> {}));
  }

  @Test
  void aFileGoesOnAfterAMalformedLine(@TempDir Path dir) throws IOException {
    Path file = dir.resolve("flow.fix");
    Files.write(file, List.of(ORDER, "garbage", FixLines.report(FixLines.REPORT_BODY)));
    OrderFlow flow = FlowSource.read(file, count -> {});
    assertEquals(2, flow.events().size());
    assertEquals(2, flow.problems().getFirst().line());
  }
}
