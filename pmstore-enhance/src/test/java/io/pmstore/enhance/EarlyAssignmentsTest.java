package io.pmstore.enhance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.pmstore.PmStore;
import java.net.URLClassLoader;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Constructors that assign fields of other objects before they call another constructor. */
class EarlyAssignmentsTest {
  private static final String SOURCE =
      """
      package acme;
      import io.pmstore.*;
      @Persistent(root = "order")
      public class Order {
        private int number;
        private int next;
        private long total;
        private Order last;
        private int early;
        private final int fixed;
        Order() { fixed = 1; }
        Order(int number) { this.number = number; fixed = 2; }
        Order(Order other) { this(other.next = 5); }
        Order(Order other, int by) { this(other.next++ + (int) (other.total += by)); }
        Order(Order other, String kind) {
          this(switch (kind) {
            case "a" -> { other.next = 7; yield 1; }
            default -> { other.total = 8; yield by(other.last = null); }
          });
        }
        Order(Order other, boolean isNew) {
          int made;
          if (isNew) {
            other.next = 20;
            made = other.next++;
          } else {
            try {
              made = Integer.parseInt("" + (other.next = 30));
            } catch (NumberFormatException e) {
              made = 0;
            }
          }
          early = other.number = made;
          fixed = made + (other.next += 2);
          this.total = isNew ? (other.total = 40) : other.total++;
          super();
        }
        Order(Order other, long times) {
          int sum = 0;
          for (int i = 1; i <= times; i++) {
            early = other.next = i;
            sum += other.next++;
          }
          this.fixed = sum;
          super();
        }
        static int by(Object any) { return any == null ? 3 : 4; }
        private String text() {
          return number + " " + next + " " + total + " " + early + " " + fixed;
        }
        public static String run(PmStore store) {
          Order order = store == null ? new Order() : store.root(Order.class);
          StringBuilder text = new StringBuilder();
          for (int step = 0; step < 7; step++) {
            Order made = switch (step) {
              case 0 -> new Order(order);
              case 1 -> new Order(order, 9);
              case 2 -> new Order(order, "a");
              case 3 -> new Order(order, "b");
              case 4 -> new Order(order, true);
              case 5 -> new Order(order, false);
              default -> new Order(order, 3L);
            };
            text.append(order.text()).append(" / ").append(made.text()).append('\\n');
          }
          return text.toString();
        }
      }
      """;

  @TempDir Path directory;

  private String run(Path classes, PmStore store) throws Exception {
    try (URLClassLoader loader = ClassDirectory.loader(classes, "acme.")) {
      return (String)
          loader.loadClass("acme.Order").getMethod("run", PmStore.class).invoke(null, store);
    }
  }

  @Test
  void theyDoWhatPlainOnesDo() throws Exception {
    String unannotated = SOURCE.replace("@Persistent(root = \"order\")", "");
    String plain =
        run(ClassDirectory.compile(directory.resolve("plain"), "acme.Order", unannotated), null);
    Path classes = ClassDirectory.compile(directory, "acme.Order", SOURCE);
    Path enhanced = ClassDirectory.enhance(classes, directory.resolve("enhanced"));
    assertEquals(plain, run(enhanced, null));
    try (PmStore store = PmStore.open(directory.resolve("store"))) {
      assertEquals(plain, run(enhanced, store));
    }
  }
}
