package io.pmstore.enhance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.pmstore.Migration;
import io.pmstore.PmStore;
import io.pmstore.PmStoreOptions;
import java.net.URLClassLoader;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Constants of enhanced classes whose next version has other properties. */
class ChangedConstantsTest {
  private static final String SOURCE =
      """
      package acme;
      import io.pmstore.*;
      import java.util.*;
      import java.util.function.Supplier;
      @Persistent(root = "desk")
      public class Desk {
        private Status status;
        private Object any;
        private List<Status> all = new ArrayList<>();
        private Map<Status, String> names = new HashMap<>();
        public static void fill(PmStore store) {
          Desk desk = store.root(Desk.class);
          store.transaction(() -> {
            desk.status = Status.OPEN;
            desk.any = Measure.LENGTH;
            desk.all.addAll(List.of(Status.SHUT, new Status("open", 7), Status.OPEN));
            desk.names.put(Status.OPEN, "open");
          });
        }
        public static String look(PmStore store) {
          Desk desk = store.root(Desk.class);
          Supplier<String> look =
              () -> (desk.status == Status.OPEN) + " " + (desk.any == Measure.LENGTH) + " "
                  + (desk.all.get(0) == Status.SHUT) + " " + (desk.all.get(1) == Status.OPEN) + " "
                  + (desk.all.get(2) == Status.OPEN) + " " + desk.names.get(Status.OPEN) + " "
                  + (desk.names.keySet().iterator().next() == Status.OPEN) + " " + desk.all;
          return look.get();
        }
        public static void assign(PmStore store) {
          Desk desk = store.root(Desk.class);
          desk.status = Status.OPEN;
          desk.any = Measure.LENGTH;
          desk.names.put(Status.OPEN, "open");
        }
      }
      @Persistent
      final class Status {
        static final Status OPEN = new Status("open", 1);
        static final Status SHUT = new Status("shut", 2);
        private final String name;
        private final WEIGHT weight;MORE
        Status(String name, WEIGHT weight) {
          this.name = name;
          this.weight = weight;MADE
        }
        @Override public boolean equals(Object other) {
          return other instanceof Status status && status.name.equals(name);
        }
        @Override public int hashCode() { return name.hashCode(); }
        @Override public String toString() { return name + weight; }
      }
      @Persistent
      final class Unit {
        private final WEIGHT factor;
        Unit(WEIGHT factor) { this.factor = factor; }
      }
      @Persistent
      final class Measure {
        static final Measure LENGTH = new Measure("length", new Unit(3));
        private final String name;
        private final Unit unit;
        Measure(String name, Unit unit) {
          this.name = name;
          this.unit = unit;
        }
        @Override public boolean equals(Object other) {
          return other instanceof Measure measure && measure.name.equals(name);
        }
        @Override public int hashCode() { return name.hashCode(); }
      }
      """;

  private static final String SAME = "true true true false true open true [shut2, open7, open1]";

  @TempDir Path directory;
  private int versions;

  /** Runs a method of a version of the program on the store, and returns its result. */
  private Object run(String weight, String more, String made, String method, PmStoreOptions... with)
      throws Exception {
    Path of = directory.resolve("v" + versions++);
    String source = SOURCE.replace("WEIGHT", weight).replace("MORE", more).replace("MADE", made);
    Path enhanced =
        ClassDirectory.enhance(
            ClassDirectory.compile(of, "acme.Desk", source), of.resolve("enhanced"));
    try (URLClassLoader loader = ClassDirectory.loader(enhanced, "acme.");
        PmStore store =
            PmStore.open(
                directory.resolve("store"),
                with.length == 0 ? PmStoreOptions.defaults() : with[0])) {
      Class<?> desk = loader.loadClass("acme.Desk");
      return method.equals("upgrade")
          ? upgraded(store, desk)
          : desk.getMethod(method, PmStore.class).invoke(null, store);
    }
  }

  private static Object upgraded(PmStore store, Class<?> desk) throws Exception {
    Object before = store.root(desk);
    store.upgrade().await();
    return before == store.root(desk);
  }

  @Test
  void aConstantOfAnOlderShapeIsTheConstant() throws Exception {
    run("int", "", "", "fill");
    assertEquals(SAME, run("int", "", "", "look"));
    assertEquals(SAME, run("long", "", "", "look", PmStoreOptions.defaults().readOnly(true)));
    assertEquals(SAME, run("long", "", "", "look"));
    String more =
        " private final int level; private final String note; private final List<String> tags;";
    String made = " level = 0; note = null; tags = null;";
    assertEquals(SAME, run("long", more, made, "look"));
    assertEquals(true, run("long", more, made, "upgrade"));
    assertEquals(SAME, run("long", more, made, "look"));
    run("long", more, made, "assign");
    assertEquals(SAME, run("long", more, made, "look"));
  }

  @Test
  void oneWhosePropertyAFunctionMakesIsTheConstantOnceItIsUpgraded() throws Exception {
    run("int", "", "", "fill");
    PmStoreOptions options =
        PmStoreOptions.defaults().migrations(Migration.of("acme.Status", "level", (old, now) -> 4));
    String more = " private final int level;";
    String made = " level = 4;";
    String other = "false true false false false open false [shut2, open7, open1]";
    assertEquals(other, run("int", more, made, "look", options));
    assertEquals(true, run("int", more, made, "upgrade", options));
    assertEquals(SAME, run("int", more, made, "look", options));
  }
}
