package io.pmstore.proxy.layer;

import io.pmstore.Persistent;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A bean whose {@code equals} uses its accessors. */
@Persistent
public class Ticker {
  private @Nullable String symbol;

  public Ticker() {}

  public Ticker(String symbol) {
    this.symbol = symbol;
  }

  public @Nullable String getSymbol() {
    return symbol;
  }

  public void setSymbol(@Nullable String symbol) {
    this.symbol = symbol;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Ticker that && Objects.equals(getSymbol(), that.getSymbol());
  }

  @Override
  public int hashCode() {
    return Objects.hashCode(getSymbol());
  }
}
