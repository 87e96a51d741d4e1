package org.example.webshop;

import com.salesmanager.core.model.catalog.category.Category;
import com.salesmanager.core.model.catalog.product.Product;
import com.salesmanager.core.model.customer.Customer;
import com.salesmanager.core.model.order.Order;
import com.salesmanager.core.model.order.orderstatus.OrderStatus;
import com.salesmanager.core.model.shoppingcart.ShoppingCart;
import io.pmstore.PmStore;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;

/** A process of its own that opens the shop and takes its first orders. */
final class Opening {
  static final List<String> SKUS =
      List.of("vase", "clock", "lamp", "table", "chair", "bowl", "armoire");

  private Opening() {}

  public static void main(String[] args) {
    try (PmStore store = PmStore.open(Path.of(args[0]))) {
      WebShop shop = store.root(WebShop.class);
      store.transaction(() -> fill(shop));
      store.transaction(() -> firstOrders(shop));
    }
  }

  private static void fill(WebShop shop) {
    Category home = ShopKeeper.category(1, "home", null);
    Category light = ShopKeeper.category(2, "light", home);
    Category furniture = ShopKeeper.category(3, "furniture", home);
    shop.getMenu().addAll(List.of(home, furniture, light));
    long id = 0;
    for (String sku : SKUS) {
      Category category = sku.equals("lamp") ? light : furniture;
      shop.getCatalogue().put(sku, ShopKeeper.product(++id, sku, id + "9.90", category));
    }
    for (String name : List.of("ana", "bia", "caio")) {
      Customer customer = ShopKeeper.customer(shop.getCustomers().size() + 1L, name);
      shop.getCustomers().put(customer.getId(), customer);
    }
    shop.getModules().put(Locale.US, ShopKeeper.module("ups"));
    shop.getModules().put(Locale.CANADA_FRENCH, ShopKeeper.module("canadapost"));
  }

  private static void firstOrders(WebShop shop) {
    for (long id = 1; id <= 6; id++) {
      Customer customer = shop.getCustomers().get(1 + id % 3);
      Product first = shop.getCatalogue().get(SKUS.get((int) id));
      Product second = shop.getCatalogue().get("vase");
      ShoppingCart cart = ShopKeeper.cart(id, customer, first, second);
      if (id == 6) {
        shop.getAbandoned().add(cart);
      } else {
        Order order = ShopKeeper.order(id, customer, cart);
        shop.getOrders().put(order.getDatePurchased(), order);
        Order kept = shop.getOrders().get(order.getDatePurchased());
        shop.getByStatus().computeIfAbsent(OrderStatus.ORDERED, s -> new HashSet<>()).add(kept);
        shop.getPayments().add(ShopKeeper.payment(kept));
      }
    }
  }
}
