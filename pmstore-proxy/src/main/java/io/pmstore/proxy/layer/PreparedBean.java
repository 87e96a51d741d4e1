package io.pmstore.proxy.layer;

import io.pmstore.Persistent;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A class like those of programs, from which {@link Preparation} makes a persistent one. */
@Persistent(root = "prepared")
class PreparedBean {
  private @Nullable String name;
  private boolean isNew;
  private int number;
  private long count;
  private double price;
  private Map<Long, PreparedBean> others = new HashMap<>();

  @Nullable String getName() {
    return name;
  }

  void setName(@Nullable String name) {
    this.name = name;
  }

  boolean isNew() {
    return isNew;
  }

  void setNew(boolean isNew) {
    this.isNew = isNew;
  }

  int getNumber() {
    return number;
  }

  void setNumber(int number) {
    this.number = number;
  }

  double getPrice() {
    return price;
  }

  void setPrice(double price) {
    this.price = price;
  }

  long getCount() {
    return count;
  }

  void setCount(long count) {
    this.count = count;
  }

  Map<Long, PreparedBean> getOthers() {
    return others;
  }

  void setOthers(Map<Long, PreparedBean> others) {
    this.others = others;
  }

  void removeEmpty() {
    others.values().removeIf(other -> other.count == 0);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof PreparedBean bean
        && count == bean.count
        && Objects.equals(name, bean.name);
  }

  @Override
  public int hashCode() {
    return Objects.hash(name, count);
  }

  @Override
  public String toString() {
    return name + ": " + count;
  }
}
