package io.pmstore.enhance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.PmStore;
import java.lang.reflect.InvocationTargetException;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Classes whose superclasses and interfaces are not annotated, enhanced at build time. */
public class SuperclassesTest {
  /** Of a library, which was not enhanced. */
  public abstract static class Prototype implements Cloneable {
    @Override
    public Prototype clone() {
      try {
        return (Prototype) super.clone();
      } catch (CloneNotSupportedException e) {
        throw new AssertionError(e);
      }
    }
  }

  /** Clones by a method of another name. */
  public abstract static class Copied implements Cloneable {
    public final Object copy() throws CloneNotSupportedException {
      return super.clone();
    }
  }

  private static final String PROGRAM =
      """
      package acme;
      import io.pmstore.Persistent;
      import io.pmstore.PmStore;
      import java.util.Arrays;
      public class Program {
        static class Base {
          int[] counts = new int[2];
          int[] getCounts() { return counts; }
        }
        interface Weighted {
          double[] getWeights();
          default void weighMore() { getWeights()[0] += 4; }
        }
        @Persistent(root = "item")
        static class Item extends Base implements Weighted {
          double[] weights = new double[1];
          public double[] getWeights() { return weights; }
        }
        static class OfBase {
          static void count(Base base) {
            base.getCounts()[0]++;
            base.counts[1]++;
          }
        }
        static class OfBaseByMethod {
          static void count(Base base) { base.getCounts()[0]++; }
        }
        static class OfWeighted {
          static void weigh(Weighted weighted) { weighted.getWeights()[0]++; }
        }
        static String text(Item item) {
          return Arrays.toString(item.counts) + Arrays.toString(item.weights);
        }
        static void change(Item item) {
          OfBase.count(item);
          OfBaseByMethod.count(item);
          OfWeighted.weigh(item);
          item.weighMore();
        }
        public static String plain() {
          Item item = new Item();
          change(item);
          return text(item);
        }
        public static String persistent(PmStore store) {
          change(store.root(Item.class));
          return stored(store);
        }
        public static String stored(PmStore store) {
          return text(store.root(Item.class));
        }
      }
      """;

  private static final String LISTS =
      """
      package acme;
      import io.pmstore.Persistent;
      import io.pmstore.PmStore;
      import java.util.ArrayList;
      import java.util.List;
      public class Program {
        static class Base {
          List<String> notes;
          void setNotes(List<String> notes) { this.notes = notes; }
        }
        @Persistent(root = "item")
        static class Item extends Base {}
        static class OfBase {
          static void note(Base base) {
            List<String> mine = new ArrayList<>();
            base.setNotes(mine);
            mine.add("lost");
          }
        }
        public static String note(PmStore store) {
          OfBase.note(store.root(Item.class));
          return store.root(Item.class).notes.toString();
        }
      }
      """;

  private static final String CLONES =
      """
      package acme;
      import io.pmstore.Persistent;
      import io.pmstore.PmStore;
      public class Program {
        @Persistent(root = "item")
        static class Item extends io.pmstore.enhance.SuperclassesTest.Prototype {
          int number = 1;
        }
        @Persistent(root = "other")
        static class Other extends io.pmstore.enhance.SuperclassesTest.Prototype {
          int number = 1;
          public Other clone() { return (Other) super.clone(); }
        }
        public static String numbers(PmStore store) {
          Item item = store.root(Item.class);
          Item clone = (Item) item.clone();
          Other other = store.root(Other.class);
          Other otherClone = other.clone();
          io.pmstore.enhance.SuperclassesTest.Prototype known = item;
          ((Item) known.clone()).number = 3;
          clone.number++;
          otherClone.number++;
          Item plain = new Item();
          Item plainClone = (Item) plain.clone();
          plainClone.number++;
          return item.number + " " + clone.number + " " + other.number + " " + otherClone.number
              + " " + plain.number + " " + plainClone.number;
        }
      }
      """;

  @TempDir Path directory;

  private interface Body {
    void run(Class<?> program, PmStore store) throws Exception;
  }

  private void run(String source, Body body) throws Exception {
    Path classes = ClassDirectory.compile(directory, "acme.Program", source);
    try (URLClassLoader loader =
            ClassDirectory.loader(
                ClassDirectory.enhance(classes, directory.resolve("enhanced")), "acme.");
        PmStore store = PmStore.open(directory.resolve("store"))) {
      body.run(loader.loadClass("acme.Program"), store);
    }
  }

  private static Object call(Class<?> program, String method, PmStore store)
      throws ReflectiveOperationException {
    return program.getMethod(method, PmStore.class).invoke(null, store);
  }

  @Test
  void elementsAreStoredByCodeThatKnowsASuperclassOrAnInterfaceOnly() throws Exception {
    run(
        PROGRAM,
        (program, store) -> {
          Object plain = program.getMethod("plain").invoke(null);
          assertEquals("[2, 1][5.0]", plain);
          assertEquals(plain, call(program, "persistent", store));
        });
    run(PROGRAM, (program, store) -> assertEquals("[2, 1][5.0]", call(program, "stored", store)));
  }

  @Test
  void aLateChangeOfAListByCodeThatKnowsASuperclassOnlyIsRefused() throws Exception {
    run(
        LISTS,
        (program, store) -> {
          InvocationTargetException e =
              assertThrows(InvocationTargetException.class, () -> call(program, "note", store));
          assertTrue(e.getCause() instanceof IllegalStateException, e.getCause()::toString);
        });
  }

  @Test
  void theCloneOfASuperclassThatIsNotEnhancedMakesAnotherPersistentObject() throws Exception {
    run(CLONES, (program, store) -> assertEquals("1 2 1 2 1 2", call(program, "numbers", store)));
  }

  @Test
  void aSuperclassThatIsNotEnhancedAndClonesByAnotherMethodIsRefused() throws Exception {
    String source =
        """
        package acme;
        @io.pmstore.Persistent
        public class Item extends io.pmstore.enhance.SuperclassesTest.Copied {
          int number;
        }
        """;
    Path classes = ClassDirectory.compile(directory, "acme.Item", source);
    Exception e =
        assertThrows(
            Exception.class, () -> ClassDirectory.enhance(classes, directory.resolve("enhanced")));
    String message = Arrays.toString(e.getSuppressed()) + e + e.getCause();
    assertTrue(message.contains("method copy of"), message);
    assertTrue(message.contains("two Java objects of one persistent object"), message);
  }
}
