package io.pmstore.proxy.layer;

import io.pmstore.Persistent;
import io.pmstore.PmStore;
import io.pmstore.PmStoreOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The program of {@link HashCodesOfJvmsTest}: sets and maps whose keys have other hash codes in
 * each JVM, used by one JVM after the other.
 */
final class HashCodesOfJvms {
  /** How many keys each JVM adds. */
  private static final int STEP = 12;

  private HashCodesOfJvms() {}

  /** Its constants have other hash codes in each JVM. */
  enum Color {
    RED,
    GREEN,
    BLUE
  }

  private static Color colorOf(int i) {
    return Color.values()[i % 3];
  }

  /** As IDEs write it. */
  @Persistent
  static class Tile {
    private final int number;
    private final Color color;

    Tile(int i) {
      number = i;
      color = colorOf(i);
    }

    @Override
    public boolean equals(@Nullable Object o) {
      return o instanceof Tile other && number() == other.number() && color() == other.color();
    }

    @Override
    public int hashCode() {
      return Objects.hash(color, number);
    }

    int number() {
      return number;
    }

    Color color() {
      return color;
    }
  }

  /** As JHipster writes it. */
  @Persistent
  static class Entity {
    private @Nullable Long id;

    @Nullable Long getId() {
      return id;
    }

    void setId(Long id) {
      this.id = id;
    }

    @Override
    public boolean equals(@Nullable Object o) {
      return o instanceof Entity other && id != null && id.equals(other.getId());
    }

    @Override
    public int hashCode() {
      return getClass().hashCode();
    }
  }

  /** Like the builders of libraries, whose code nobody copies. */
  static final class HashBuilder {
    private int total = 17;

    HashBuilder append(@Nullable Object part) {
      total = total * 37 + (part == null ? 0 : part.hashCode());
      return this;
    }

    int toHash() {
      return total;
    }
  }

  /** With a set of enums, an object without a hash code of its own, and a builder. */
  @Persistent
  static class Box {
    private String name = "";
    private Set<Color> colors = new HashSet<>();
    private @Nullable Owner owner;

    String getName() {
      return name;
    }

    void setName(String name) {
      this.name = name;
    }

    Set<Color> getColors() {
      return colors;
    }

    @Nullable Owner getOwner() {
      return owner;
    }

    void setOwner(Owner owner) {
      this.owner = owner;
    }

    @Override
    public boolean equals(@Nullable Object o) {
      return o instanceof Box other
          && name.equals(other.getName())
          && colors.equals(other.getColors())
          && owner == other.getOwner();
    }

    @Override
    public int hashCode() {
      return new HashBuilder().append(name).append(colors).append(owner).toHash();
    }
  }

  /** Has no hash code of its own. */
  @Persistent
  static class Owner {
    private String name = "";

    String getName() {
      return name;
    }

    void setName(String name) {
      this.name = name;
    }
  }

  /** Hashed by its components. */
  record Swatch(Color color, int number) {}

  /** Hashed by itself. */
  record Kind(Color color, int number) {
    @Override
    public int hashCode() {
      return Objects.hash(Kind.class, color, number);
    }
  }

  /** Hashed by its components, one of which is hashed by itself. */
  record Pair(Kind kind, @Nullable Tile tile) {}

  /** All of them. */
  @Persistent(root = "palette")
  static class Palette {
    private Set<Object> tiles = new HashSet<>();
    private Set<Object> entities = new HashSet<>();
    private Set<Object> kinds = new HashSet<>();
    private Set<Object> swatches = new HashSet<>();
    private Set<Object> pairs = new HashSet<>();
    private Map<Object, Integer> map = new HashMap<>();
    private ConcurrentMap<Object, Integer> concurrent = new ConcurrentHashMap<>();
    private Map<Color, Integer> colors = new HashMap<>();
    private Set<Box> boxes = new HashSet<>();
    private Map<Box, String> boxNames = new HashMap<>();
    private List<Owner> owners = new ArrayList<>();

    List<Set<Object>> sets() {
      return List.of(tiles, entities, kinds, swatches, pairs);
    }

    Map<Object, Integer> getMap() {
      return map;
    }

    ConcurrentMap<Object, Integer> getConcurrent() {
      return concurrent;
    }

    Map<Color, Integer> getColors() {
      return colors;
    }

    Set<Box> getBoxes() {
      return boxes;
    }

    Map<Box, String> getBoxNames() {
      return boxNames;
    }

    List<Owner> getOwners() {
      return owners;
    }
  }

  private static Entity entity(int i) {
    Entity entity = new Entity();
    entity.setId((long) i);
    return entity;
  }

  private static final List<IntFunction<Object>> KEYS =
      List.of(
          Tile::new,
          HashCodesOfJvms::entity,
          i -> new Kind(colorOf(i), i),
          i -> new Swatch(colorOf(i), i),
          i -> new Pair(new Kind(colorOf(i), i), i % 2 == 0 ? null : new Tile(i)));

  private static Object mixed(int i) {
    return KEYS.get(i % KEYS.size()).apply(i);
  }

  /**
   * Runs one JVM's part.
   *
   * @param arguments the directory, the number of the JVM from 0, whether it may only read
   */
  public static void main(String... arguments) {
    int before = STEP * Integer.parseInt(arguments[1]);
    boolean readOnly = Boolean.parseBoolean(arguments[2]);
    try (PmStore store =
        PmStore.open(
            Path.of(arguments[0]),
            PmStoreOptions.defaults().logSegmentSize(1 << 20).readOnly(readOnly))) {
      Palette palette = store.root(Palette.class);
      if (before > 0) {
        store.snapshot(
            () -> {
              find(palette, before);
              return true;
            });
      }
      find(palette, before);
      if (!readOnly) {
        store.transaction(() -> find(palette, before));
        store.transaction(() -> change(palette, before));
        store.transaction(() -> add(palette, before));
        find(palette, before + STEP);
      }
    }
  }

  private static void find(Palette palette, int count) {
    for (int s = 0; s < KEYS.size(); s++) {
      Set<Object> set = palette.sets().get(s);
      check(set.size() == count, set.size() + " elements, not " + count);
      Set<Object> plain = new HashSet<>();
      for (int i = 0; i < count; i++) {
        Object key = KEYS.get(s).apply(i);
        check(set.contains(key), "not found: " + key);
        plain.add(key);
      }
      check(!set.contains(KEYS.get(s).apply(count)), "found what is not there");
      check(set.equals(plain) && set.containsAll(plain), "another set than " + plain);
      set.forEach(element -> check(set.contains(element), "does not contain " + element));
    }
    for (int i = 0; i < count; i++) {
      check(Objects.equals(palette.getMap().get(mixed(i)), i), "no value of " + mixed(i));
      check(Objects.equals(palette.getConcurrent().get(mixed(i)), i), "no value of " + mixed(i));
    }
    palette.getMap().keySet().forEach(key -> check(palette.getMap().containsKey(key), "no " + key));
    check(palette.getMap().size() == count, "a map of " + palette.getMap().size());
    check(palette.getColors().equals(colors(count)), "colors: " + palette.getColors());
    for (Box box : palette.getBoxes()) {
      check(palette.getBoxes().contains(box), "no box " + box.getName());
      check(box.getName().equals(palette.getBoxNames().get(box)), "no name of " + box.getName());
    }
  }

  private static Map<Color, Integer> colors(int count) {
    Map<Color, Integer> colors = new HashMap<>();
    for (int i = 0; i < count; i++) {
      colors.merge(colorOf(i), 1, Integer::sum);
    }
    return colors;
  }

  /** Adds what is there, takes it out and puts it back. */
  private static void change(Palette palette, int count) {
    for (int s = 0; s < KEYS.size(); s++) {
      Set<Object> set = palette.sets().get(s);
      for (int i = 0; i < count; i++) {
        check(!set.add(KEYS.get(s).apply(i)), "added a second time: " + i);
      }
      for (int i = 0; i < count; i += 7) {
        check(set.remove(KEYS.get(s).apply(i)), "not removed: " + i);
        check(!set.contains(KEYS.get(s).apply(i)), "still there: " + i);
        check(set.add(KEYS.get(s).apply(i)), "not added again: " + i);
      }
      check(set.size() == count, set.size() + " elements, not " + count);
    }
    for (int i = 0; i < count; i += 3) {
      check(Objects.equals(palette.getMap().put(mixed(i), -1), i), "no old value of " + i);
      check(Objects.equals(palette.getMap().remove(mixed(i)), -1), "not removed: " + i);
      palette.getMap().put(mixed(i), i);
      check(palette.getConcurrent().replace(mixed(i), i, i), "not replaced: " + i);
    }
    for (Box box : Arrays.asList(palette.getBoxes().toArray(new Box[0]))) {
      check(!palette.getBoxes().add(box), "added a second time: " + box.getName());
    }
    if (count % (2 * STEP) == STEP) { // as a collection that is filled anew
      List<Object> all = new ArrayList<>(palette.sets().get(0));
      palette.sets().get(0).clear();
      palette.sets().get(0).addAll(all);
    }
  }

  private static void add(Palette palette, int count) {
    for (int i = count; i < count + STEP; i++) {
      for (int s = 0; s < KEYS.size(); s++) {
        check(palette.sets().get(s).add(KEYS.get(s).apply(i)), "not added: " + i);
      }
      palette.getMap().put(mixed(i), i);
      palette.getConcurrent().put(mixed(i), i);
      palette.getColors().merge(colorOf(i), 1, Integer::sum);
      Owner owner = new Owner();
      owner.setName("owner " + i);
      palette.getOwners().add(owner);
      Box box = new Box();
      box.setName("box " + i);
      box.setOwner(owner);
      box.getColors().add(colorOf(i));
      palette.getBoxes().add(box);
      Box stored =
          palette.getBoxes().stream()
              .filter(b -> b.getName().equals(box.getName()))
              .findFirst()
              .orElseThrow();
      palette.getBoxNames().put(stored, stored.getName());
    }
  }

  private static void check(boolean condition, String message) {
    if (!condition) {
      throw new AssertionError(message);
    }
  }
}
