package io.pmstore.proxy.layer;

import io.pmstore.Persistent;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A persistent object whose {@code equals} reads the other's field, not its getter. */
@Persistent
public class Isin {
  private String isin = "";

  public Isin() {}

  Isin(String isin) {
    this.isin = isin;
  }

  public String getIsin() {
    return isin;
  }

  public void setIsin(String isin) {
    this.isin = isin;
  }

  @Override
  public boolean equals(@Nullable Object o) {
    return o instanceof Isin other && Objects.equals(isin, other.isin);
  }

  @Override
  public int hashCode() {
    return Objects.hashCode(isin);
  }
}
