package io.pmstore.oms.flow;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/**
 * Makes the order flow of a broker's day as FIX 4.4 messages. At any moment up to {@value
 * #LIVE_ORDERS} orders are live, and each message is about any of them, so that the messages of one
 * order lie among those of many others.
 */
public final class FlowGenerator {
  /** How many orders are live at once, at most. */
  public static final int LIVE_ORDERS = 512;

  /** 2026-01-05T13:00:00Z, a Monday. */
  private static final long OPENING_MILLIS = 1_767_618_000_000L;

  private static final int MICROS_BETWEEN_MESSAGES_MAX = 4_000;

  private final FlowSettings settings;

  /**
   * Creates a generator.
   *
   * @param settings what it makes
   */
  public FlowGenerator(FlowSettings settings) {
    this.settings = settings;
  }

  /**
   * Makes the flow; each call makes the same.
   *
   * @param messages is given each message, its fields separated by SOH, in order
   */
  public void generate(Consumer<String> messages) {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(settings.seed());
    Market market = new Market(random);
    FixWriter writer = new FixWriter();
    List<Live> live = new ArrayList<>(LIVE_ORDERS);
    long micros = OPENING_MILLIS * 1_000L;
    int inserted = 0;
    while (inserted < settings.orders() || !live.isEmpty()) {
      micros += random.nextInt(MICROS_BETWEEN_MESSAGES_MAX);
      boolean canInsert = inserted < settings.orders() && live.size() < LIVE_ORDERS;
      if (canInsert && (live.isEmpty() || random.nextInt(3) == 0)) {
        int security = market.draw();
        GeneratedOrder order =
            new GeneratedOrder(
                ++inserted,
                market.symbol(security),
                market.walk(security),
                settings.ratio(),
                random);
        messages.accept(writer.newOrder(order, micros / 1_000L));
        if (!order.ended()) {
          live.add(new Live(order, security));
        }
      } else {
        int index = random.nextInt(live.size());
        Live chosen = live.get(index);
        GeneratedOrder order = chosen.order();
        messages.accept(
            writer.report(
                order, order.advance(market.walk(chosen.security()), random), micros / 1_000L));
        if (order.ended()) {
          Live moved = live.removeLast();
          if (index < live.size()) {
            live.set(index, moved);
          }
        }
      }
    }
  }

  private record Live(GeneratedOrder order, int security) {}
}
