package io.pmstore.proxy.slot;

import io.pmstore.Persistent;
import io.pmstore.proxy.fixture.Order;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A bean with records and arrays. */
@Persistent(root = "shipment")
public interface Shipment {

  /** A record of values. */
  record Money(BigDecimal amount, String currency) {}

  /** A record with a component of each kind. */
  record Mixed(
      boolean flag,
      byte tiny,
      short small,
      char letter,
      int number,
      long big,
      float fraction,
      double real,
      Order.@Nullable Side side,
      @Nullable Order order,
      @Nullable List<Object> list,
      @Nullable Money money,
      @Nullable Object anything) {}

  /** A record that is generic and contains itself. */
  record Chain<T>(T head, @Nullable Chain<T> tail) {}

  /** A record that says itself what is equal. */
  record Caseless(String text) {
    @Override
    public boolean equals(Object other) {
      return other instanceof Caseless that && text.equalsIgnoreCase(that.text);
    }

    @Override
    public int hashCode() {
      return text.length();
    }
  }

  /** A record whose constructor copies. */
  record Copied(List<String> list) {
    public Copied {
      list = List.copyOf(list);
    }
  }

  @Nullable Money getPrice();

  void setPrice(@Nullable Money price);

  @Nullable Mixed getMixed();

  void setMixed(@Nullable Mixed mixed);

  @Nullable Object getNote();

  void setNote(@Nullable Object note);

  int @Nullable [] getNumbers();

  void setNumbers(int @Nullable [] numbers);

  String @Nullable [] getNames();

  void setNames(String @Nullable [] names);

  Order @Nullable [] getOrders();

  void setOrders(Order @Nullable [] orders);

  int @Nullable [][] getMatrix();

  void setMatrix(int @Nullable [][] matrix);
}
