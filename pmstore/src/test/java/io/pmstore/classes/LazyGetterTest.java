package io.pmstore.classes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.pmstore.Persistent;
import io.pmstore.PmStore;
import io.pmstore.PmStoreOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Getters that assign what they find missing, wherever they are called. */
class LazyGetterTest {
  @TempDir Path directory;

  /** As generators of code for XML and for persistence write it. */
  @Persistent(root = "cart")
  static class Cart {
    private List<String> lines;
    private Map<String, Cart> parts;
    private Set<String> notes;
    private Cart gift;
    private Boolean taken;
    private long weight;
    private Integer size;
    private String label;

    public List<String> getLines() {
      if (lines == null) {
        lines = new ArrayList<>();
      }
      return lines;
    }

    public Map<String, Cart> getParts() {
      return parts == null ? (parts = new HashMap<>()) : parts;
    }

    /** Returns what it assigned, not what it keeps. */
    public Set<String> getNotes() {
      Set<String> found = notes;
      if (found == null) {
        found = new HashSet<>();
        notes = found;
      }
      return found;
    }

    public Cart getGift() {
      return gift != null ? gift : (gift = new Cart());
    }

    public Cart gift() {
      return gift;
    }

    /** Says whether it was free, so it is no getter that assigns what is missing. */
    public Boolean take() {
      if (taken == null) {
        taken = Boolean.FALSE;
      }
      taken = Boolean.TRUE;
      return taken;
    }

    public long weight() {
      long known = weight;
      if (known == 0) {
        weight = known = 7L + size();
      }
      return known;
    }

    public int size() {
      if (size == null) {
        size = getLines().size();
      }
      return size;
    }

    public String getLabel() {
      if (label == null) {
        label = "cart of " + size();
      }
      return label;
    }

    String label() {
      return label;
    }

    @Override
    public boolean equals(Object o) {
      return o instanceof Cart other
          && getLines().equals(other.getLines())
          && getParts().equals(other.getParts());
    }

    @Override
    public int hashCode() {
      return Objects.hash(getLines(), getParts(), size());
    }

    @Override
    public String toString() {
      return getLabel() + getLines() + getParts();
    }
  }

  @BeforeEach
  void store() {
    try (PmStore store = PmStore.open(directory.resolve("store"))) {
      store.root(Cart.class);
    }
  }

  private PmStore open(PmStoreOptions options) {
    return PmStore.open(directory.resolve("store"), options);
  }

  private PmStore open() {
    return open(PmStoreOptions.defaults());
  }

  private static final List<Function<Cart, Object>> READS =
      List.of(
          c -> c.getLines().isEmpty(),
          c -> c.getLines().size(),
          c -> c.getParts().get("x") == null,
          c -> c.getNotes().contains("x"),
          c -> c.getNotes().size(),
          Cart::weight,
          Cart::size,
          Cart::getLabel,
          Cart::hashCode,
          Cart::toString,
          c -> c.equals(List.of(c).getFirst()),
          c -> c.equals(new Cart()));

  @Test
  void outsideOfTransactionsItIsAWriteOfItsOwn() {
    for (Function<Cart, Object> read : READS) {
      try (PmStore store = open()) {
        store.transaction(() -> store.root(Cart.class).getParts().put("new", new Cart()));
        Cart kept = Objects.requireNonNull(store.root(Cart.class).getParts().get("new"));
        assertEquals(read.apply(new Cart()), read.apply(kept));
        assertSame(kept.getLines(), kept.getLines());
      }
    }
    try (PmStore store = open()) {
      store.root(Cart.class).getLines().add("soap");
    }
    try (PmStore store = open()) {
      Cart cart = store.root(Cart.class);
      assertEquals(List.of("soap"), cart.getLines());
      assertEquals("cart of 1", cart.getLabel());
    }
    try (PmStore store = open()) {
      assertEquals("cart of 1", store.root(Cart.class).label());
    }
  }

  @Test
  void whatItReturnsTheFirstTimeIsWhatIsKept() {
    try (PmStore store = open()) {
      Cart cart = store.root(Cart.class);
      cart.getLines().add("soap");
      cart.getParts().put("part", new Cart());
      cart.getNotes().add("fragile");
      Objects.requireNonNull(cart.getGift()).getLines().add("bow");
      assertSame(cart.getParts(), cart.getParts());
      assertSame(cart.getNotes(), cart.getNotes());
      assertSame(cart.getGift(), cart.getGift());
    }
    try (PmStore store = open()) {
      Cart cart = store.root(Cart.class);
      assertEquals(List.of("soap"), cart.getLines());
      assertEquals(Set.of("part"), cart.getParts().keySet());
      assertEquals(Set.of("fragile"), cart.getNotes());
      assertEquals(List.of("bow"), Objects.requireNonNull(cart.getGift()).getLines());
    }
  }

  @Test
  void whatWouldBeLostIsRefused() {
    try (PmStore store = open()) {
      Cart cart = store.root(Cart.class);
      store.snapshot(
          () -> {
            List<String> lines = cart.getLines();
            assertThrows(UnsupportedOperationException.class, () -> lines.add("soap"));
            Map<String, Cart> parts = cart.getParts();
            assertThrows(UnsupportedOperationException.class, () -> parts.put("x", new Cart()));
            Set<String> notes = cart.getNotes();
            assertThrows(UnsupportedOperationException.class, () -> notes.add("x"));
            assertThrows(IllegalStateException.class, cart::getGift);
            assertThrows(IllegalStateException.class, cart::take);
          });
      assertNull(cart.gift());
    }
  }

  @Test
  void inATransactionItIsPartOfIt() {
    try (PmStore store = open()) {
      Cart cart = store.root(Cart.class);
      assertThrows(
          IllegalStateException.class,
          () ->
              store.transaction(
                  () -> {
                    for (Function<Cart, Object> read : READS) {
                      assertEquals(read.apply(new Cart()), read.apply(cart));
                    }
                    assertEquals("cart of 0", cart.label());
                    throw new IllegalStateException("back");
                  }));
      assertNull(cart.label());
    }
  }

  @Test
  void aSnapshotAndAStoreThatIsReadShowWhatItReturns() {
    try (PmStore store = open()) {
      Cart cart = store.root(Cart.class);
      for (Function<Cart, Object> read : READS) {
        assertEquals(read.apply(new Cart()), store.snapshot(() -> read.apply(cart)));
      }
      assertNull(cart.label());
    }
    try (PmStore store = open(PmStoreOptions.defaults().readOnly(true))) {
      Cart cart = store.root(Cart.class);
      for (Function<Cart, Object> read : READS) {
        assertEquals(read.apply(new Cart()), read.apply(cart));
        assertEquals(read.apply(new Cart()), store.snapshot(() -> read.apply(cart)));
        assertEquals(read.apply(new Cart()), store.transaction(() -> read.apply(cart)));
      }
      assertThrows(RuntimeException.class, () -> cart.getLines().add("soap"));
      assertNull(cart.label());
    }
  }
}
