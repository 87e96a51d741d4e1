package io.pmstore.oms.domain;

import java.math.BigDecimal;
import java.math.RoundingMode;

/** How many decimals prices have, everywhere. */
public final class Scales {
  /** Decimals of a price. */
  public static final int PRICE = 4;

  /** Decimals of an average price. */
  public static final int AVERAGE_PRICE = 6;

  /** How an average price is rounded. */
  public static final RoundingMode AVERAGE_ROUNDING = RoundingMode.HALF_EVEN;

  /** The average price of an order before its first trade. */
  public static final BigDecimal NO_AVERAGE_PRICE = BigDecimal.ZERO.setScale(AVERAGE_PRICE);

  private Scales() {}
}
