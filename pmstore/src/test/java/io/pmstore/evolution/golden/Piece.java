package io.pmstore.evolution.golden;

import io.pmstore.FormerNames;
import io.pmstore.Persistent;
import java.math.BigDecimal;

/** An object that was smaller when it was stored. */
@Persistent
@FormerNames("io.pmstore.evolution.golden.OldPiece")
public class Piece {
  private long number;

  @FormerNames("name")
  private String title;

  private BigDecimal price = BigDecimal.ONE;
  private int sold;

  public int getSold() {
    return sold;
  }

  public void setSold(int sold) {
    this.sold = sold;
  }

  @Override
  public String toString() {
    return "%s, number %d, price %s, sold %d".formatted(title, number, price, sold);
  }
}
