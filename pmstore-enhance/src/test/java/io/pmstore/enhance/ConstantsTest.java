package io.pmstore.enhance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.ClassRefusedException;
import io.pmstore.Persistent;
import io.pmstore.PmStore;
import io.pmstore.spi.PersistentObject;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Constants of enhanced classes: objects that {@code static final} fields hold. */
class ConstantsTest {
  /** A class whose constants are values. */
  @Persistent
  static final class Status {
    static final Status OPEN = new Status("open", 1);
    static final Status SHUT = new Status("shut", 2);

    private final String name;
    private final int weight;
    private final transient String text;

    Status(String name, int weight) {
      this.name = name;
      this.weight = weight;
      this.text = name + weight;
    }

    int weight() {
      return weight;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Status status && status.name.equals(name);
    }

    @Override
    public int hashCode() {
      return name.hashCode();
    }

    @Override
    public String toString() {
      return text;
    }
  }

  /** A class whose constants have an identity. */
  @Persistent
  static final class Zone {
    static final Zone EAST = new Zone("east");
    static final Zone WEST = new Zone("west");

    private final String name;

    Zone(String name) {
      this.name = name;
    }

    String name() {
      return name;
    }
  }

  /** A class whose constant changes. */
  @Persistent
  static final class Counter {
    static final Counter TOTAL = new Counter();

    int count;
  }

  /** A class whose constant no store can keep. */
  @Persistent
  abstract static class Label {
    static final Label GONE = new Label("gone") {};

    private final String name;

    Label(String name) {
      this.name = name;
    }

    String name() {
      return name;
    }
  }

  interface Maker {
    String made();
  }

  /** A class whose constants have parts that do not change. */
  @Persistent
  static final class Measure {
    /** A part, of which each constant has its own. */
    @Persistent
    static final class Grams implements Maker {
      @Override
      public String made() {
        return "g";
      }
    }

    /** Another. */
    @Persistent
    static final class Metres implements Maker {
      private final List<String> names;

      Metres(String... names) {
        this.names = Arrays.asList(names);
      }

      @Override
      public String made() {
        return names.getFirst();
      }
    }

    static final Measure MASS = new Measure("measure", new Grams());
    static final Measure LENGTH = new Measure("measure", new Metres("m"));
    static final Measure WIDTH = new Measure("measure", new Metres("w", "m"));
    static final Measure NONE = new Measure("measure", null);

    private final String name;
    private final Maker maker;

    Measure(String name, Maker maker) {
      this.name = name;
      this.maker = maker;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Measure measure && measure.name.equals(name);
    }

    @Override
    public int hashCode() {
      return name.hashCode();
    }
  }

  /** A class whose constant has a part with state. */
  @Persistent
  static final class Meter {
    static final Meter MAIN = new Meter(new Counter());

    final Counter counter;

    Meter(Counter counter) {
      this.counter = counter;
    }
  }

  record Key(Zone zone, int number) {}

  /** The root. */
  @Persistent
  static class Desk {
    Status status = Status.SHUT;
    Zone zone;
    Counter counter;
    Measure measure;
    Meter meter;
    Object any;
    List<Zone> zones = new ArrayList<>();
    Set<Status> statuses = new HashSet<>();
    Map<Zone, String> byZone = new HashMap<>();
    Map<Status, String> byStatus = new HashMap<>();
    Map<Key, String> byKey = new HashMap<>();
    List<Object> list = new ArrayList<>();
    Map<Object, String> byAny = new HashMap<>();
  }

  private static final class RollBack extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  @TempDir Path directory;

  private PmStore store;
  private Desk desk;

  @BeforeEach
  void open() {
    store = PmStore.open(directory.resolve("store"));
    desk = store.root("desk", Desk.class);
  }

  @AfterEach
  void close() {
    store.close();
  }

  private void reopen() {
    store.close();
    open();
  }

  @Test
  void aConstantIsTheSameObjectBeforeAndAfterItIsStored() {
    assertSame(Status.SHUT, desk.status);
    desk.status = Status.OPEN;
    desk.zone = Zone.EAST;
    desk.any = Zone.EAST;
    desk.zones.add(Zone.EAST);
    assertSame(Status.OPEN, desk.status);
    assertSame(Zone.EAST, desk.zone);
    assertSame(Zone.EAST, desk.any);
    assertSame(Zone.EAST, desk.zones.getFirst());
    assertFalse(PersistentObject.isPersistent(Zone.EAST));
  }

  @Test
  void aConstantThatIsAValueIsTheSameObjectInTheNextRun() {
    desk.status = Status.OPEN;
    desk.statuses.add(Status.OPEN);
    desk.byStatus.put(Status.SHUT, "shut");
    reopen();
    assertSame(Status.OPEN, desk.status);
    assertEquals("open1", desk.status.toString());
    assertSame(Status.OPEN, desk.statuses.iterator().next());
    assertTrue(desk.statuses.contains(Status.OPEN));
    assertFalse(desk.statuses.contains(Status.SHUT));
    assertEquals("shut", desk.byStatus.get(Status.SHUT));
    desk.status = desk.byStatus.keySet().iterator().next();
    assertSame(Status.SHUT, desk.status);
  }

  @Test
  void anObjectWithOtherContentsStaysItself() {
    desk.status = new Status("open", 7); // equal to the constant, as its class sees it
    reopen();
    assertEquals(Status.OPEN, desk.status);
    assertNotSame(Status.OPEN, desk.status);
    assertEquals(7, desk.status.weight());
  }

  @Test
  void aConstantGoesIntoOneStoreAfterTheOtherAndIntoSeveralAtOnce() {
    desk.zone = Zone.WEST;
    desk.status = Status.OPEN;
    reopen();
    assertEquals("west", desk.zone.name());
    assertEquals("west", Zone.WEST.name());
    desk.zone = Zone.WEST;
    desk.status = Status.OPEN;
    try (PmStore other = PmStore.open(directory.resolve("other"))) {
      Desk its = other.root("desk", Desk.class);
      its.zone = Zone.WEST;
      its.status = Status.OPEN;
      its.byZone.put(Zone.WEST, "other");
      desk.byZone.put(Zone.WEST, "first");
      assertSame(Zone.WEST, its.zone);
      assertSame(Zone.WEST, desk.zone);
      assertEquals("other", its.byZone.get(Zone.WEST));
      assertEquals("first", desk.byZone.get(Zone.WEST));
    }
    assertEquals("first", desk.byZone.get(Zone.WEST));
  }

  @Test
  void thePartsOfAConstantAreConstantsToo() {
    desk.any = Measure.MASS;
    desk.list.addAll(List.of(Measure.LENGTH, Measure.NONE, Measure.MASS.maker, Measure.WIDTH));
    assertSame(Measure.MASS.maker, desk.list.get(2));
    assertFalse(PersistentObject.isPersistent(Measure.MASS));
    assertFalse(PersistentObject.isPersistent(Measure.MASS.maker));
    reopen();
    assertSame(Measure.MASS, desk.any);
    assertSame(Measure.LENGTH, desk.list.get(0));
    assertSame(Measure.NONE, desk.list.get(1));
    assertSame(Measure.WIDTH, desk.list.get(3));
    Maker part = (Maker) desk.list.get(2);
    assertEquals("g", part.made());
    try (PmStore other = PmStore.open(directory.resolve("other"))) {
      Desk its = other.root("desk", Desk.class);
      its.measure = Measure.LENGTH;
      desk.measure = Measure.LENGTH;
      assertEquals("m", its.measure.maker.made());
      assertEquals("m", desk.measure.maker.made());
    }
    Measure made = new Measure("other", Measure.LENGTH.maker);
    desk.measure = made;
    reopen();
    assertEquals("m", desk.measure.maker.made());
    assertSame(Measure.MASS, desk.any);
  }

  @Test
  void aConstantWhosePartCanChangeBecomesPersistentItself() {
    desk.meter = Meter.MAIN;
    Meter.MAIN.counter.count++;
    assertTrue(PersistentObject.isPersistent(Meter.MAIN));
    reopen();
    assertEquals(1, desk.meter.counter.count);
  }

  @Test
  void collectionsAndRecordsFindAConstant() {
    desk.zones.addAll(List.of(Zone.WEST, Zone.EAST, Zone.WEST));
    desk.byZone.put(Zone.EAST, "east");
    desk.byKey.put(new Key(Zone.EAST, 1), "first");
    assertEquals(1, desk.zones.indexOf(Zone.EAST));
    assertEquals(2, desk.zones.lastIndexOf(Zone.WEST));
    assertEquals("east", desk.byZone.get(Zone.EAST));
    assertFalse(desk.byZone.containsKey(Zone.WEST));
    assertEquals("first", desk.byKey.get(new Key(Zone.EAST, 1)));
    assertSame(Zone.EAST, desk.byKey.keySet().iterator().next().zone());
    assertTrue(desk.zones.remove(Zone.WEST));
    assertEquals(List.of(Zone.EAST, Zone.WEST), desk.zones);
  }

  @Test
  void whatCannotBeKeptIsNotFound() {
    assertThrows(ClassRefusedException.class, () -> desk.any = Label.GONE);
    desk.list.add(Zone.EAST);
    desk.byAny.put(Zone.EAST, "east");
    Runnable looksUp =
        () -> {
          assertNull(desk.byAny.get(Label.GONE));
          assertFalse(desk.byAny.containsKey(Label.GONE));
          assertEquals(-1, desk.list.indexOf(Label.GONE));
          assertFalse(desk.list.contains(Label.GONE));
        };
    looksUp.run();
    store.transaction(looksUp::run);
    store.snapshot(looksUp::run);
    assertNull(desk.byAny.remove(Label.GONE));
    assertFalse(desk.list.remove(Label.GONE));
    assertEquals(List.of(Zone.EAST), desk.list);
  }

  @Test
  void aRollBackForgetsWhatWasStoredForAConstant() {
    for (int i = 0; i < 2; i++) {
      assertThrows(
          RollBack.class,
          () ->
              store.transaction(
                  () -> {
                    desk.zone = Zone.EAST;
                    desk.byZone.put(Zone.EAST, "lost");
                    throw new RollBack();
                  }));
      assertSame(null, desk.zone);
      assertEquals("east", Zone.EAST.name());
      assertFalse(desk.byZone.containsKey(Zone.EAST));
    }
    desk.byZone.put(Zone.EAST, "kept");
    assertEquals("kept", desk.byZone.get(Zone.EAST));
  }

  @Test
  void anotherThreadReadsAConstantThatATransactionIsStoring() {
    store.transaction(
        () -> {
          desk.zone = Zone.EAST;
          assertEquals("east", CompletableFuture.supplyAsync(Zone.EAST::name).join());
        });
  }

  @Test
  void twoTransactionsThatStoreAConstantForTheFirstTimeAgreeOnIt() {
    int[] runs = new int[1];
    store.transaction(
        () -> {
          desk.byZone.put(Zone.WEST, "west");
          if (runs[0]++ == 0) { // meanwhile, another thread stores the constant
            CompletableFuture.runAsync(() -> desk.any = Zone.WEST).join();
          }
        });
    assertEquals(2, runs[0]);
    assertSame(Zone.WEST, desk.any);
    assertEquals("west", desk.byZone.get(Zone.WEST));
    reopen();
    assertEquals("west", desk.byZone.get((Zone) desk.any)); // one object of the store
  }

  @Test
  void aCopyHasTheConstant() {
    desk.status = Status.OPEN;
    Desk copy = store.copy(desk);
    assertSame(Status.OPEN, copy.status);
    assertSame(Status.OPEN, store.copy(desk.status));
    assertSame(Zone.EAST, store.transaction(() -> store.persist(Zone.EAST)));
  }

  @Test
  void aConstantThatCanChangeBecomesPersistentItself() {
    desk.counter = Counter.TOTAL;
    Counter.TOTAL.count++;
    assertSame(Counter.TOTAL, desk.counter);
    assertTrue(PersistentObject.isPersistent(Counter.TOTAL));
    reopen();
    assertEquals(1, Objects.requireNonNull(desk.counter).count);
  }
}
