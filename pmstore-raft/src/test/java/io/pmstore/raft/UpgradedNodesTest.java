package io.pmstore.raft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.PmStore;
import io.pmstore.compiled.Compiled;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * All nodes are stopped and started again with changed classes. A follower then reads old objects
 * before the store has the new shapes: it reads and writes with the store's own shapes as soon as
 * there are some.
 */
class UpgradedNodesTest {
  private static final String SOURCE =
      """
      package shop;
      import io.pmstore.*;
      @Persistent class Root implements java.util.function.IntFunction<String> {
        public enum Color { %s }
        public record Point(%s) {}
        @Persistent public static class Item {
          %s
        }
        %s
        private Color color = Color.RED;
        private Point point;
        private Item item;
        private Object any = Color.RED;
        Color getColor() { return color; }
        void setColor(Color v) { color = v; }
        Point getPoint() { return point; }
        void setPoint(Point v) { point = v; }
        Item getItem() { return item; }
        void setItem(Item v) { item = v; }
        Object getAny() { return any; }
        void setAny(Object v) { any = v; }
        public String apply(int n) {
          if (n == 0) {
            return getColor() + " " + getAny() + " " + getPoint() + " " + %s;
          }
          Color[] colors = Color.values();
          setColor(colors[colors.length - 1]);
          setAny(colors[colors.length - 1]);
          %s
          return "written";
        }
      }
      """;

  private static final String N = property("int", "n");
  private static final String EXTRA = property("long", "extra");
  private static final Compiled V1 =
      Compiled.of(
          SOURCE.formatted(
              "RED, BLUE",
              "int x",
              N,
              N,
              "getN() + \" \" + getItem().getN()",
              "setN(n); setPoint(new Point(n)); setItem(new Item()); getItem().setN(n);"));
  private static final Compiled V2 =
      Compiled.of(
          SOURCE.formatted(
              "GREEN, RED, BLUE, GOLD",
              "int x, int y",
              N + EXTRA,
              N + EXTRA,
              "getN() + \" \" + getExtra() + \" \" + getItem().getN() + \" \" +"
                  + " getItem().getExtra()",
              "setExtra(n); setPoint(new Point(n, n)); if (n > 10) { setItem(new Item()); }"
                  + " getItem().setExtra(n);"));

  private static final String OLD = "BLUE BLUE Point[x=1, y=0] 1 0 1 0";

  @TempDir Path root;
  private Cluster cluster;

  private static String property(String type, String name) {
    String suffix = name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
    return "private %1$s %2$s; %1$s get%3$s() { return %2$s; } void set%3$s(%1$s v) { %2$s = v; }\n"
        .formatted(type, name, suffix);
  }

  /** Returns the root object: a function that changes it, or shows it if its argument is 0. */
  @SuppressWarnings("unchecked")
  private static IntFunction<String> root(PmStore store, Compiled version) {
    try {
      return (IntFunction<String>) store.root("root", version.loadClass("shop.Root"));
    } catch (ClassNotFoundException e) {
      throw new AssertionError(e);
    }
  }

  private String read(String id) {
    PmStore store = cluster.store(id);
    return store.<String, RuntimeException>snapshot(() -> root(store, V2).apply(0));
  }

  private static void write(IntFunction<String> root, int n) {
    assertEquals("written", root.apply(n));
  }

  private void write(int n) throws InterruptedException {
    cluster.onLeader(store -> write(root(store, V2), n));
  }

  @BeforeEach
  void writeOldObjectsAndUpgrade() throws Exception {
    cluster = new Cluster(root, "a", "b", "c").openAll();
    cluster.onLeader(store -> write(root(store, V1), 1));
    cluster.close();
    cluster.openAll();
    String leader = cluster.leader();
    for (String id : List.copyOf(cluster.ids())) {
      if (!id.equals(leader)) {
        assertEquals(OLD, read(id));
      }
    }
  }

  @AfterEach
  void close() {
    cluster.close();
  }

  private void assertAllHave(String expected) throws Exception {
    for (String id : cluster.ids()) {
      assertEquals(expected, read(id), id);
    }
    cluster.assertAllEqual();
    Path backup = root.resolve("backup of " + expected.hashCode());
    cluster.store(cluster.follower()).backup(backup);
    assertTrue(PmStore.verify(backup).isSound(), () -> PmStore.verify(backup).toString());
  }

  @Test
  void aFollowerReadsWhatTheLeaderUpgrades() throws Exception {
    write(7);
    assertAllHave("GOLD GOLD Point[x=7, y=7] 1 7 1 7");
  }

  @Test
  void aFollowerThatLeadsUpgradesAsAnyLeader() throws Exception {
    String next = cluster.follower();
    PmStore store = cluster.store(next);
    IntFunction<String> seen = store.snapshot(() -> root(store, V2));
    cluster.replication(cluster.leader()).transferLeadership(next);
    cluster.replication(next).awaitReady(Duration.ofSeconds(30));
    store.transaction(() -> write(seen, 7));
    assertAllHave("GOLD GOLD Point[x=7, y=7] 1 7 1 7");
    store.transaction(() -> write(seen, 11));
    assertAllHave("GOLD GOLD Point[x=11, y=11] 1 11 0 11");
  }
}
