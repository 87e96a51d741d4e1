package org.example.webshop;

import com.salesmanager.core.model.catalog.category.Category;
import com.salesmanager.core.model.catalog.product.Product;
import com.salesmanager.core.model.customer.Customer;
import com.salesmanager.core.model.order.Order;
import com.salesmanager.core.model.order.orderstatus.OrderStatus;
import com.salesmanager.core.model.payments.Payment;
import com.salesmanager.core.model.shoppingcart.ShoppingCart;
import com.salesmanager.core.model.system.IntegrationConfiguration;
import io.pmstore.Persistent;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Date;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * The root: the one class that is written for the store. Everything below it is the model as its
 * authors wrote it.
 */
@Persistent(root = "web shop")
public class WebShop {
  private final Map<String, Product> catalogue = new LinkedHashMap<>();
  private final Set<Category> menu = new LinkedHashSet<>();
  private final Map<Long, Customer> customers = new HashMap<>();
  private final NavigableMap<Date, Order> orders = new TreeMap<>();
  private final Map<OrderStatus, Set<Order>> byStatus = new EnumMap<>(OrderStatus.class);
  private final Deque<ShoppingCart> abandoned = new ArrayDeque<>();
  private final List<Payment> payments = new ArrayList<>();
  private final ConcurrentMap<Locale, IntegrationConfiguration> modules = new ConcurrentHashMap<>();

  public Map<String, Product> getCatalogue() {
    return catalogue;
  }

  public Set<Category> getMenu() {
    return menu;
  }

  public Map<Long, Customer> getCustomers() {
    return customers;
  }

  public NavigableMap<Date, Order> getOrders() {
    return orders;
  }

  public Map<OrderStatus, Set<Order>> getByStatus() {
    return byStatus;
  }

  public Deque<ShoppingCart> getAbandoned() {
    return abandoned;
  }

  public List<Payment> getPayments() {
    return payments;
  }

  public ConcurrentMap<Locale, IntegrationConfiguration> getModules() {
    return modules;
  }
}
