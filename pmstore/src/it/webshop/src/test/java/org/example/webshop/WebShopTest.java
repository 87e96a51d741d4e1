package org.example.webshop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.salesmanager.core.model.catalog.category.Category;
import com.salesmanager.core.model.catalog.product.Product;
import com.salesmanager.core.model.order.Order;
import com.salesmanager.core.model.order.OrderTotal;
import com.salesmanager.core.model.order.orderproduct.OrderProduct;
import com.salesmanager.core.model.order.orderstatus.OrderStatus;
import com.salesmanager.core.model.payments.CreditCardPayment;
import com.salesmanager.core.model.payments.CreditCardType;
import com.salesmanager.core.model.shoppingcart.ShoppingCart;
import com.salesmanager.core.model.shoppingcart.ShoppingCartItem;
import io.pmstore.PmStore;
import io.pmstore.VerificationReport;
import java.io.File;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The domain model of a web shop as its authors wrote it, with hash codes that IDEs generate,
 * generic superclasses and references in both directions: one process fills the store, another
 * finds all of it and goes on.
 */
class WebShopTest {
  @TempDir private Path temporary;
  private Path directory;

  /** Opens the shop in another JVM, whose identity hash codes differ from this one's. */
  @BeforeEach
  void open() throws IOException, InterruptedException {
    directory = temporary.resolve("store");
    Path output = temporary.resolve("output");
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UnlockExperimentalVMOptions",
                "-XX:hashCode=2",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path"))));
    command.addAll(List.of(Opening.class.getName(), directory.toString()));
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(new File(output.toString()))
            .start();
    assertEquals(0, process.waitFor(), () -> read(output));
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return e.toString();
    }
  }

  @Test
  void anotherProcessFindsTheCatalogueInItsOrder() {
    try (PmStore store = PmStore.open(directory)) {
      WebShop shop = store.root(WebShop.class);
      assertEquals(Opening.SKUS, List.copyOf(shop.getCatalogue().keySet()));
      assertEquals(
          List.of("home", "furniture", "light"),
          shop.getMenu().stream().map(Category::getCode).toList());
      Product clock = shop.getCatalogue().get("clock");
      assertEquals(new BigDecimal("29.90"), ShopKeeper.price(clock));
      assertEquals("The clock", clock.getProductDescription().getName());
      assertEquals(new Date(ShopKeeper.OPENED), clock.getDateAvailable());
      assertSame(clock, clock.getDescriptions().iterator().next().getProduct());
      Category furniture = clock.getCategories().iterator().next();
      assertTrue(shop.getMenu().contains(furniture));
      assertSame(furniture, furniture.getParent().getCategories().get(1));
      assertTrue(clock.getCategories().contains(furniture));
    }
  }

  @Test
  void anotherProcessFindsOrdersWithTheirLinesAndPayments() {
    try (PmStore store = PmStore.open(directory)) {
      WebShop shop = store.root(WebShop.class);
      assertEquals(5, shop.getOrders().size());
      Order second = shop.getOrders().higherEntry(new Date(ShopKeeper.OPENED + 1)).getValue();
      assertEquals(2L, second.getId());
      assertEquals(Locale.CANADA_FRENCH, second.getLocale());
      assertEquals(2, second.getOrderProducts().size());
      for (OrderProduct line : second.getOrderProducts()) {
        assertSame(second, line.getOrder());
        assertTrue(second.getOrderProducts().contains(line));
        assertTrue(shop.getCatalogue().containsKey(line.getSku()));
      }
      OrderTotal total = second.getOrderTotal().iterator().next();
      assertEquals(second.getTotal(), total.getValue());
      assertSame(second, total.getOrder());
      assertEquals("thank you", second.getOrderHistory().iterator().next().getComments());
      assertSame(shop.getCustomers().get(3L).getBilling(), second.getBilling());
      assertTrue(
          shop.getByStatus().get(OrderStatus.ORDERED).containsAll(shop.getOrders().values()));
      CreditCardPayment payment = (CreditCardPayment) shop.getPayments().get(1);
      assertEquals(CreditCardType.VISA, payment.getCreditCard());
      assertEquals(second.getTotal(), payment.getAmount());
      assertEquals(
          List.of("requested", "authorised", "captured", "settled"),
          List.copyOf(payment.getPaymentMetaData().keySet()));
      assertEquals(100 - 2 * 5, stock(shop.getCatalogue().get("vase")));
      assertEquals(
          List.of("express", "parcel"),
          shop.getModules().get(Locale.US).getIntegrationOptions().get("services"));
    }
  }

  @Test
  void theShopGoesOn() {
    try (PmStore store = PmStore.open(directory)) {
      WebShop shop = store.root(WebShop.class);
      store.transaction(
          () -> {
            ShoppingCart cart = shop.getAbandoned().poll();
            Order order = ShopKeeper.order(6, shop.getCustomers().get(cart.getCustomerId()), cart);
            shop.getOrders().put(order.getDatePurchased(), order);
            ShopKeeper.note(
                order, OrderStatus.PROCESSED, "packed"); // the plain object, after it was put
          });
    }
    try (PmStore store = PmStore.open(directory)) {
      WebShop shop = store.root(WebShop.class);
      Order order = shop.getOrders().lastEntry().getValue();
      assertEquals(OrderStatus.PROCESSED, order.getStatus());
      assertEquals(2, order.getOrderHistory().size());
      assertTrue(shop.getAbandoned().isEmpty());
      assertEquals(100 - 2 * 6, stock(shop.getCatalogue().get("vase")));
    }
    VerificationReport report = PmStore.verify(directory);
    assertTrue(report.isSound(), report::toString);
  }

  @Test
  void aFailedOrderLeavesNoTrace() {
    try (PmStore store = PmStore.open(directory)) {
      WebShop shop = store.root(WebShop.class);
      assertThrows(
          IllegalStateException.class,
          () ->
              store.transaction(
                  () -> {
                    ShoppingCart cart = shop.getAbandoned().poll();
                    Order order =
                        ShopKeeper.order(7, shop.getCustomers().get(cart.getCustomerId()), cart);
                    shop.getOrders().put(order.getDatePurchased(), order);
                    throw new IllegalStateException("the card was refused");
                  }));
      assertEquals(5, shop.getOrders().size());
      assertEquals(90, stock(shop.getCatalogue().get("vase")));
      ShoppingCartItem item = shop.getAbandoned().getFirst().getLineItems().iterator().next();
      assertTrue(shop.getAbandoned().getFirst().getLineItems().contains(item));
    }
  }

  private static int stock(Product product) {
    return product.getAvailabilities().iterator().next().getProductQuantity();
  }
}
