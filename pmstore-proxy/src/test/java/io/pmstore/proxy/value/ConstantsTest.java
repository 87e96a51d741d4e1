package io.pmstore.proxy.value;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.NotPersistableException;
import io.pmstore.Persistent;
import io.pmstore.PmStoreOptions;
import io.pmstore.ValueCodec;
import io.pmstore.proxy.fixture.StoreTest;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Objects without state that constants hold, as older libraries have for strategies. */
class ConstantsTest extends StoreTest {
  interface Rounding {
    long round(double price);
  }

  abstract static class Named implements Rounding {
    static final Rounding DOWN =
        new Rounding() {
          @Override
          public long round(double price) {
            return (long) price;
          }
        };

    static final Rounding UP =
        new Named() {
          @Override
          public long round(double price) {
            return (long) Math.ceil(price);
          }
        };
  }

  static final class Half implements Rounding {
    static final Half INSTANCE = new Half();

    @Override
    public long round(double price) {
      return Math.round(price);
    }
  }

  static final class To implements Rounding {
    static final To TENS = new To(10);
    private final int digits;

    To(int digits) {
      this.digits = digits;
    }

    @Override
    public long round(double price) {
      return Math.round(price / digits) * digits;
    }
  }

  @Persistent(root = "tariff")
  interface Tariff {
    @Nullable Rounding getRounding();

    void setRounding(@Nullable Rounding rounding);

    Object getAnything();

    void setAnything(Object value);

    Rounding[] getArray();

    void setArray(Rounding[] array);
  }

  @Test
  void aReaderGetsTheConstant() {
    Tariff tariff = store().root(Tariff.class);
    tariff.setRounding(Named.DOWN);
    tariff.setAnything(List.of(Named.UP, Map.of("half", Half.INSTANCE), Named.DOWN));
    tariff.setArray(new Rounding[] {Half.INSTANCE, Named.UP});
    assertSame(Named.DOWN, tariff.getRounding());
    reopen();
    tariff = store().root(Tariff.class);
    assertSame(Named.DOWN, tariff.getRounding());
    List<?> list = (List<?>) tariff.getAnything();
    assertSame(Named.UP, list.get(0));
    assertSame(Half.INSTANCE, ((Map<?, ?>) list.get(1)).get("half"));
    assertSame(Named.DOWN, list.get(2));
    assertEquals(List.of(Half.INSTANCE, Named.UP), List.of(tariff.getArray()));
  }

  @Test
  void anotherObjectOfItsClassIsRefused() {
    Tariff tariff = store().root(Tariff.class);
    String message =
        assertThrows(NotPersistableException.class, () -> tariff.setRounding(new Half()))
            .getMessage();
    assertTrue(message.contains("constant INSTANCE of " + Half.class.getName()), message);
  }

  @Test
  void anObjectWithStateIsRefusedAsWithoutAConstant() {
    Tariff tariff = store().root(Tariff.class);
    assertThrows(NotPersistableException.class, () -> tariff.setRounding(To.TENS));
    Rounding nameless =
        new Rounding() {
          @Override
          public long round(double price) {
            return 0;
          }
        };
    assertThrows(NotPersistableException.class, () -> tariff.setRounding(nameless));
    assertThrows(NotPersistableException.class, () -> tariff.setRounding(price -> 1));
  }

  @Test
  void noCodecCanHaveTheName() {
    ValueCodec<To> codec =
        ValueCodec.ofText(
            Constants.NAME, to -> "" + to.digits, text -> new To(Integer.parseInt(text)));
    PmStoreOptions options = PmStoreOptions.defaults().valueType(To.class, codec);
    assertThrows(IllegalArgumentException.class, () -> reopen(options));
  }
}
