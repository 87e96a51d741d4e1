package io.pmstore.gc.damage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.ClassRefusedException;
import io.pmstore.Durability;
import io.pmstore.PmStoreException;
import io.pmstore.PmStoreOptions;
import io.pmstore.StoreDamagedException;
import io.pmstore.core.engine.MemoryEngine;
import io.pmstore.core.engine.MemoryEngine.Image;
import io.pmstore.core.engine.WriteSet;
import io.pmstore.core.heap.Heap;
import io.pmstore.core.space.ExtentLayout;
import io.pmstore.core.space.ObjectLayout;
import io.pmstore.gc.HeapCollector;
import io.pmstore.gc.Seed;
import io.pmstore.proxy.layer.ProxyLayerProvider;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Whatever bytes the nodes of a collection hold, each operation on it returns, with a value or with
 * a {@link StoreDamagedException} that names the collection.
 */
class DamagedCollectionsTest {
  private static final int ROUNDS = Integer.getInteger("pmstore.damage.rounds", 40);
  private static final int SIZES_MAX = 9;

  /** Of a collection, or of an object that is in it. */
  private static final Pattern NAMED =
      Pattern.compile(
          "^(the ((linked |sorted |concurrent )?(map|set)|list|deque) at heap address \\d+: "
              + "|property \\w+ of )");

  /** Of what is committed: which collection wrote it is not known then. */
  private static final Pattern ANYWHERE =
      Pattern.compile("heap address |type catalogue|PmStore.verify says which");

  private static final long ROUND_MAX_MS = 60_000;

  /** What is allocated, by the kind of object. */
  private final Map<Integer, List<Long>> places = new TreeMap<>();

  /** The size of each of them, whatever its header becomes. */
  private final Map<Long, Integer> sizes = new HashMap<>();

  private final Random random = Seed.random("DamagedCollectionsTest");
  private final Image sound = new Image();

  /** What a round does, for messages. */
  private final List<String> done = new ArrayList<>();

  private int damaged;

  private static Heap open(MemoryEngine engine) {
    return new Heap(
        engine, Durability.SYNC, h -> new ProxyLayerProvider().open(h, PmStoreOptions.defaults()));
  }

  private void fill() {
    MemoryEngine engine = new MemoryEngine(sound, Long.MAX_VALUE);
    try (AutoHeap store = new AutoHeap(open(engine))) {
      Heap heap = store.heap;
      heap.transaction(
          () -> {
            Museum.fill(heap.layer().root(Museum.class));
            return null;
          });
      for (long chunk = 0; chunk < heap.memory().size(); chunk += ExtentLayout.CHUNK_SIZE) {
        heap.reclamation()
            .forEachAllocated(
                chunk,
                (address, header, bytes) -> {
                  places.computeIfAbsent(kind(header), k -> new ArrayList<>()).add(address);
                  sizes.put(address, ObjectLayout.size(header));
                });
      }
      assertTrue(new HeapCollector.Provider().open(heap).verify().isSound());
    }
  }

  private record AutoHeap(Heap heap) implements AutoCloseable {
    @Override
    public void close() {
      heap.close();
    }
  }

  private static int kind(long header) {
    int shape = ObjectLayout.shapeId(header);
    return shape == ObjectLayout.SHAPE_CORE ? -ObjectLayout.kind(header) : shape;
  }

  @Test
  void whoUsesDamagedCollectionsGetsValuesOrHearsOfTheDamage() throws InterruptedException {
    fill();
    for (int round = 0; round < ROUNDS; round++) {
      done.clear();
      done.add("round " + round);
      MemoryEngine engine = new MemoryEngine(sound.copy(), Long.MAX_VALUE);
      int faults = 1 + random.nextInt(3);
      for (int i = 0; i < faults; i++) {
        damage(engine);
      }
      long seed = random.nextLong();
      AtomicReference<Throwable> failure = new AtomicReference<>();
      Thread user =
          Thread.ofPlatform()
              .daemon()
              .start(
                  () -> {
                    try {
                      use(engine, new Random(seed));
                    } catch (Throwable t) {
                      failure.set(t);
                    }
                  });
      user.join(ROUND_MAX_MS);
      if (user.isAlive()) {
        Throwable where = new Throwable("where it is");
        where.setStackTrace(user.getStackTrace());
        throw new AssertionError("no end: " + done, where);
      }
      if (failure.get() != null) {
        throw new AssertionError(done + ": " + failure.get(), failure.get());
      }
    }
    assertTrue(damaged > ROUNDS, "only " + damaged + " uses met damage");
  }

  /** One that ended with an exception would not look at the rest of the heap. */
  @Test
  void verificationReturnsAReportWhateverTheTagsOfReferencesBecome() {
    fill();
    MemoryEngine engine = new MemoryEngine(sound.copy(), Long.MAX_VALUE);
    try (AutoHeap store = new AutoHeap(open(engine))) {
      HeapCollector collector = (HeapCollector) new HeapCollector.Provider().open(store.heap);
      places.forEach(
          (kind, kin) -> {
            long object = kin.getFirst();
            for (long place = object + 8; place < object + sizes.get(object); place += 8) {
              long word = engine.memory().getLong(place);
              for (int tag = 1; tag < 8; tag++) {
                put(engine, place, word ^ tag);
                boolean isSound = collector.verify().isSound();
                assertFalse(isSound && sizes.containsKey(word & -8), place + " with tag " + tag);
              }
              put(engine, place, word);
            }
          });
      assertTrue(collector.verify().isSound());
    }
  }

  private static void put(MemoryEngine engine, long place, long word) {
    WriteSet writes = new WriteSet();
    writes.putLong(place, word);
    engine.commit(writes);
  }

  private <T> T any(List<T> all) {
    return all.get(random.nextInt(all.size()));
  }

  private void damage(MemoryEngine engine) {
    List<List<Long>> kinds = new ArrayList<>(places.values());
    List<Long> kin = any(kinds);
    long object = any(kin);
    long header = engine.memory().getLong(object);
    long place = object + 8 * random.nextInt(Math.max(1, sizes.get(object) / 8));
    long old = engine.memory().getLong(place);
    long word =
        switch (random.nextInt(14)) {
          case 0 -> old ^ 1L << random.nextInt(64);
          case 1 -> old ^ 1L << random.nextInt(8);
          case 2 -> random.nextLong();
          case 3 -> 0;
          case 4 -> -1;
          case 5 -> object | random.nextInt(3);
          case 6 -> any(kin) | random.nextInt(3);
          case 7 -> any(any(kinds)) | random.nextInt(8);
          case 8 -> engine.memory().size() + 8L * random.nextInt(3);
          case 9 -> engine.memory().getLong(any(kin) + place - object);
          case 10 -> old + 1 - 2 * random.nextInt(2);
          case 11 -> random.nextInt(64);
          case 12 -> old & 0xFFFF_FFFFL | (long) random.nextInt() << 32;
          default -> old & ~0xFFFF_FFFFL | Integer.toUnsignedLong(random.nextInt());
        };
    put(engine, place, word);
    done.add(
        "kind %d at %d + %d: %x became %x"
            .formatted(kind(header), object, place - object, old, word));
  }

  private void use(MemoryEngine engine, Random uses) {
    Heap heap;
    try {
      heap = open(engine);
    } catch (StoreDamagedException e) {
      damaged++;
      return;
    }
    try (AutoHeap _ = new AutoHeap(heap)) {
      HeapCollector collector = (HeapCollector) new HeapCollector.Provider().open(heap);
      attempt("verify", collector::verify);
      List<Object> all = collections(heap);
      for (Object each : all) {
        Uses.reads(each, uses.nextInt(30))
            .forEach((name, use) -> read(heap, each, name, use, uses));
      }
      for (Object each : all) {
        Uses.writes(each, uses.nextInt(30))
            .forEach((name, use) -> write(heap, each, name, use, uses));
      }
      collector.start(PmStoreOptions.defaults(), Path.of("memory"));
      try {
        attempt("collect", collector::collect);
        attempt("statistics", collector::statistics);
      } finally {
        collector.close();
      }
      attempt("verify", collector::verify);
    }
  }

  /** The collections that can still be found. */
  private List<Object> collections(Heap heap) {
    List<Object> all = new ArrayList<>();
    if (attempt("root", () -> heap.layer().root(Museum.class)) instanceof Museum museum) {
      List<Supplier<List<? extends Object>>> getters =
          List.of(
              museum::getLists,
              museum::getDeques,
              museum::getSets,
              museum::getMaps,
              museum::getConcurrentMaps,
              museum::getSortedMaps,
              museum::getSortedSets);
      for (Supplier<List<? extends Object>> getter : getters) {
        if (attempt("a getter", getter::get) instanceof List<?> list) {
          for (int i = 0; i < SIZES_MAX; i++) {
            int index = i;
            Object each =
                attempt("a list of all", () -> index < list.size() ? list.get(index) : null);
            if (each instanceof Collection || each instanceof Map) {
              all.add(each);
            }
          }
        }
      }
    }
    return all;
  }

  private void read(Heap heap, Object collection, String name, Uses.Use use, Random uses) {
    String what = name + " of " + collection.getClass().getSimpleName();
    switch (uses.nextInt(4)) {
      case 0 -> attempt(what + " in a transaction", () -> heap.transaction(use::run), NAMED);
      case 1 -> attempt(what + " in a snapshot", () -> heap.snapshot(use::run), NAMED);
      default -> attempt(what, use, NAMED);
    }
  }

  /** Mostly in transactions: single writes in numbers are warned of. */
  private void write(Heap heap, Object collection, String name, Uses.Use use, Random uses) {
    String what = name + " of " + collection.getClass().getSimpleName();
    if (uses.nextInt(8) == 0) {
      attempt(what, use);
    } else {
      attempt(what + " in a transaction", () -> heap.transaction(use::run));
    }
  }

  private Object attempt(String name, Uses.Use use) {
    return attempt(name, use, ANYWHERE);
  }

  private Object attempt(String name, Uses.Use use, Pattern message) {
    done.add(name);
    Object result = null;
    try {
      result = use.run();
    } catch (StoreDamagedException e) {
      damaged++;
      if (!message.matcher(e.getMessage()).find()) {
        throw new AssertionError(name + ": " + e.getMessage(), e);
      }
    } catch (ClassRefusedException | NoSuchElementException e) {
      // A name may have become that of another class, and a collection may have become empty.
      assertFalse(e.getMessage().isEmpty());
    } catch (PmStoreException e) {
      assertEquals("root", name, e::toString); // which may have become one of another class
    } catch (IllegalArgumentException e) {
      // The order of a sorted collection may have become its reverse.
      assertTrue(name.startsWith("subMap") || name.startsWith("subSet"), e::toString);
    } catch (IllegalStateException e) {
      assertTrue(name.startsWith("setValue"), e::toString); // no key finds what the iteration found
    } catch (Throwable e) {
      throw new AssertionError(name + ": " + e, e);
    }
    done.removeLast();
    return result;
  }
}
