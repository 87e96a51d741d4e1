package io.pmstore.cli.market;

/** A key with a hash code of its own, the same for many. */
public record Isin(String code) implements Comparable<Isin> {
  @Override
  public int hashCode() {
    return code.charAt(0);
  }

  @Override
  public int compareTo(Isin other) {
    return code.compareTo(other.code);
  }
}
