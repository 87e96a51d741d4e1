package io.pmstore.junit.example;

import io.pmstore.Persistent;
import io.pmstore.PmStore;
import java.util.HashMap;
import java.util.Map;

/** What is tested: stock that is sold, each piece once. */
@Persistent(root = "shop")
class Shop {
  private final Map<String, Long> stock = new HashMap<>();
  private long sold;

  public Map<String, Long> getStock() {
    return stock;
  }

  public long getSold() {
    return sold;
  }

  public void setSold(long sold) {
    this.sold = sold;
  }

  static void sell(PmStore store, String article) {
    Shop shop = store.root(Shop.class);
    store.transaction(
        () -> {
          long left = shop.getStock().getOrDefault(article, 0L);
          if (left == 0) {
            throw new IllegalStateException("sold out: " + article);
          }
          shop.getStock().put(article, left - 1);
          shop.setSold(shop.getSold() + 1);
        });
  }
}
