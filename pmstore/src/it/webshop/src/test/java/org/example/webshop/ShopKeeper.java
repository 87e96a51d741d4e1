package org.example.webshop;

import com.salesmanager.core.model.catalog.category.Category;
import com.salesmanager.core.model.catalog.category.CategoryDescription;
import com.salesmanager.core.model.catalog.product.Product;
import com.salesmanager.core.model.catalog.product.ProductCondition;
import com.salesmanager.core.model.catalog.product.availability.ProductAvailability;
import com.salesmanager.core.model.catalog.product.description.ProductDescription;
import com.salesmanager.core.model.catalog.product.price.ProductPrice;
import com.salesmanager.core.model.common.Billing;
import com.salesmanager.core.model.customer.Customer;
import com.salesmanager.core.model.customer.CustomerGender;
import com.salesmanager.core.model.order.Order;
import com.salesmanager.core.model.order.OrderTotal;
import com.salesmanager.core.model.order.OrderType;
import com.salesmanager.core.model.order.orderproduct.OrderProduct;
import com.salesmanager.core.model.order.orderstatus.OrderStatus;
import com.salesmanager.core.model.order.orderstatus.OrderStatusHistory;
import com.salesmanager.core.model.payments.CreditCardPayment;
import com.salesmanager.core.model.payments.CreditCardType;
import com.salesmanager.core.model.payments.PaymentType;
import com.salesmanager.core.model.reference.language.Language;
import com.salesmanager.core.model.shoppingcart.ShoppingCart;
import com.salesmanager.core.model.shoppingcart.ShoppingCartItem;
import com.salesmanager.core.model.system.IntegrationConfiguration;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Date;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * The work of a shop, as a program without a store would write it: plain objects, and no word of
 * persistence.
 */
final class ShopKeeper {
  static final long OPENED = 1_700_000_000_000L;

  private ShopKeeper() {}

  static Category category(long id, String code, Category parent) {
    Category category = new Category();
    category.setId(id);
    category.setCode(code);
    category.setVisible(true);
    CategoryDescription description = new CategoryDescription();
    description.setId(1000 + id);
    description.setName("All about " + code);
    description.setLanguage(new Language("en"));
    description.setCategory(category);
    category.getDescriptions().add(description);
    if (parent != null) {
      category.setParent(parent);
      parent.getCategories().add(category);
    }
    return category;
  }

  static Product product(long id, String sku, String price, Category category) {
    Product product = new Product();
    product.setId(id);
    product.setSku(sku);
    product.setAvailable(true);
    product.setCondition(ProductCondition.NEW);
    product.setDateAvailable(new Date(OPENED));
    product.setProductWeight(new BigDecimal("0.750"));
    product.getCategories().add(category);
    ProductDescription description = new ProductDescription();
    description.setId(2000 + id);
    description.setName("The " + sku);
    description.setProduct(product);
    product.getDescriptions().add(description);
    ProductAvailability availability = new ProductAvailability(product, null);
    availability.setId(3000 + id);
    availability.setProductQuantity(100);
    ProductPrice amount = new ProductPrice();
    amount.setId(4000 + id);
    amount.setDefaultPrice(true);
    amount.setProductPriceAmount(new BigDecimal(price));
    amount.setProductAvailability(availability);
    availability.getPrices().add(amount);
    product.getAvailabilities().add(availability);
    return product;
  }

  static Customer customer(long id, String name) {
    Customer customer = new Customer();
    customer.setId(id);
    customer.setNick(name);
    customer.setEmailAddress(name + "@example.org");
    customer.setGender(CustomerGender.F);
    Billing billing = new Billing();
    billing.setFirstName(name);
    billing.setCity("Recife");
    customer.setBilling(billing);
    return customer;
  }

  static ShoppingCart cart(long id, Customer customer, Product... products) {
    ShoppingCart cart = new ShoppingCart();
    cart.setId(id);
    cart.setShoppingCartCode("cart-" + id);
    cart.setCustomerId(customer.getId());
    for (Product product : products) {
      ShoppingCartItem item = new ShoppingCartItem(cart, product);
      item.setId(10 * id + cart.getLineItems().size());
      item.setQuantity(2);
      item.setItemPrice(price(product));
      cart.getLineItems().add(item);
    }
    return cart;
  }

  /**
   * Makes an order of a cart: lines, totals and history refer to the order, and the order to them.
   */
  static Order order(long id, Customer customer, ShoppingCart cart) {
    Order order = new Order();
    order.setId(id);
    order.setStatus(OrderStatus.ORDERED);
    order.setOrderType(OrderType.ORDER);
    order.setDatePurchased(new Date(OPENED + id));
    order.setLocale(Locale.CANADA_FRENCH);
    order.setCustomerId(customer.getId());
    order.setBilling(customer.getBilling());
    BigDecimal total = BigDecimal.ZERO;
    Set<OrderProduct> lines = new HashSet<>();
    for (ShoppingCartItem item : cart.getLineItems()) {
      OrderProduct line = new OrderProduct();
      line.setId(10 * id + lines.size());
      line.setSku(item.getProduct().getSku());
      line.setProductQuantity(item.getQuantity());
      line.setOneTimeCharge(item.getItemPrice());
      line.setOrder(order);
      lines.add(line);
      total = total.add(item.getItemPrice().multiply(BigDecimal.valueOf(item.getQuantity())));
      ProductAvailability stock = item.getProduct().getAvailabilities().iterator().next();
      stock.setProductQuantity(stock.getProductQuantity() - item.getQuantity());
    }
    order.setOrderProducts(lines);
    order.setTotal(total);
    OrderTotal sum = new OrderTotal();
    sum.setId(id);
    sum.setTitle("total");
    sum.setValue(total);
    sum.setOrder(order);
    order.getOrderTotal().add(sum);
    note(order, OrderStatus.ORDERED, "thank you");
    return order;
  }

  static void note(Order order, OrderStatus status, String comment) {
    OrderStatusHistory entry = new OrderStatusHistory();
    entry.setId((long) order.getOrderHistory().size());
    entry.setStatus(status);
    entry.setComments(comment);
    entry.setDateAdded(new Date(OPENED));
    entry.setOrder(order);
    order.setStatus(status);
    order.getOrderHistory().add(entry);
  }

  static CreditCardPayment payment(Order order) {
    CreditCardPayment payment = new CreditCardPayment();
    payment.setPaymentType(PaymentType.CREDITCARD);
    payment.setCreditCard(CreditCardType.VISA);
    payment.setAmount(order.getTotal());
    Map<String, String> steps = new LinkedHashMap<>();
    for (String step : List.of("requested", "authorised", "captured", "settled")) {
      steps.put(step, "order " + order.getId());
    }
    payment.setPaymentMetaData(steps);
    return payment;
  }

  static IntegrationConfiguration module(String code) {
    IntegrationConfiguration module = new IntegrationConfiguration();
    module.setModuleCode(code);
    module.setActive(true);
    module.getIntegrationKeys().put("account", "42");
    module.getIntegrationOptions().put("services", new ArrayList<>(List.of("express", "parcel")));
    return module;
  }

  static BigDecimal price(Product product) {
    return product.getAvailabilities().iterator().next().defaultPrice().getProductPriceAmount();
  }
}
