package io.pmstore.evolution;

import static io.pmstore.evolution.Versions.bean;
import static io.pmstore.evolution.Versions.call;
import static io.pmstore.evolution.Versions.compile;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.PmStore;
import io.pmstore.PmStoreOptions;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Keys whose classes gain, lose or change their own {@code hashCode}. */
final class KeysOfChangedClassesTest {
  private static final int KEYS = 40;

  private static final String ROOT =
      bean(
          "class Root",
          "Map<Object, Integer> map = new HashMap<>()",
          "SequencedSet<Object> set = new LinkedHashSet<>()",
          "List<Object> all = new ArrayList<>()");

  @TempDir Path directory;
  private Versions versions;

  @BeforeEach
  void start() {
    versions = new Versions(directory.resolve("store"));
  }

  @AfterEach
  void end() {
    versions.close();
  }

  private void open(String source) {
    versions.open(compile(ROOT + source));
  }

  /**
   * A class of objects.
   *
   * @param hash the expression that its own hashCode returns; NONE if it has none
   */
  private static String tag(String hash) {
    return tag("class Tag", hash);
  }

  private static String tag(String head, String hash) {
    String bean = bean(head, "String name = \"\"");
    return hash.equals("NONE")
        ? bean
        : bean.replaceFirst(
            "\\{\n",
            """
            {
              public boolean equals(Object o) { return o instanceof Tag t && name.equals(t.getName()); }
              public int hashCode() { return %s; }
            """
                .formatted(hash));
  }

  /** A record with the same names. */
  private static String label(String hash) {
    return hash.equals("NONE")
        ? "record Label(String name) {}\n"
        : "record Label(String name) { public int hashCode() { return %s; } }%n".formatted(hash);
  }

  /** Names of which always eight have one hash code. */
  private static String name(int i) {
    StringBuilder name = new StringBuilder("n" + i / 8);
    for (int bit = 1; bit < 8; bit *= 2) {
      name.append((i & bit) == 0 ? "Aa" : "BB");
    }
    return name.toString();
  }

  @SuppressWarnings("unchecked")
  private Map<Object, Integer> map() {
    return (Map<Object, Integer>) call(versions.root(), "getMap");
  }

  @SuppressWarnings("unchecked")
  private Set<Object> set() {
    return (Set<Object>) call(versions.root(), "getSet");
  }

  @SuppressWarnings("unchecked")
  private List<Object> all() {
    return (List<Object>) call(versions.root(), "getAll");
  }

  private Object newTag(int i) {
    Object tag = versions.store().create(versions.type("Tag"));
    call(tag, "setName", name(i));
    return tag;
  }

  private void put(IntFunction<Object> key) {
    for (int i = 0; i < KEYS; i++) {
      Object each = key.apply(i);
      all().add(each);
      map().put(each, i);
      set().add(each);
    }
  }

  private void verify() {
    versions.close();
    assertEquals(List.of(), PmStore.verify(directory.resolve("store")).faults());
  }

  /** Checks that all keys are found, that none can be added twice, and that others are new. */
  private void assertFound(IntFunction<Object> key, Object other) {
    for (int i = 0; i < KEYS; i++) {
      Object each = key.apply(i);
      assertEquals(i, map().get(each), "key " + i);
      assertTrue(set().contains(each), "key " + i);
      assertEquals(i, map().put(each, i), "key " + i);
      assertFalse(set().add(each), "key " + i);
    }
    assertEquals(KEYS, map().size());
    assertEquals(KEYS, set().size());
    for (Collection<Object> keys : List.of(map().keySet(), set())) {
      assertFalse(keys.contains(other));
      for (int i = 0; i < KEYS; i += 7) {
        assertTrue(keys.remove(key.apply(i)));
        assertFalse(keys.contains(key.apply(i)));
      }
    }
    for (int i = 0; i < KEYS; i += 7) {
      map().put(key.apply(i), i);
      set().add(key.apply(i));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "name.hashCode(),NONE,name.hashCode()",
    "1,NONE,2",
    "NONE,name.hashCode(),NONE",
    "NONE,1,NONE",
    "1,2,NONE",
  })
  void objectsAreFound(String first, String second, String third) {
    open(tag(first));
    put(this::newTag);
    for (String hash : List.of(second, third, first)) {
      open(tag(hash));
      assertFound(i -> all().get(i), newTag(KEYS));
      versions.reopen();
      assertFound(i -> all().get(i), newTag(KEYS));
      verify();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "name.length(),NONE,31 * name.hashCode()",
    "1,NONE,2",
    "NONE,name.hashCode(),NONE",
    "NONE,1,NONE",
    "1,2,NONE",
  })
  void recordsAreFound(String first, String second, String third) {
    open(label(first));
    put(i -> versions.make("Label", name(i)));
    for (String hash : List.of(second, third, first)) {
      open(label(hash));
      assertFound(i -> versions.make("Label", name(i)), versions.make("Label", name(KEYS)));
      versions.reopen();
      assertFound(i -> versions.make("Label", name(i)), versions.make("Label", name(KEYS)));
      verify();
    }
  }

  /** An upgrade writes what the constructor makes of a key, which stays where it was. */
  @Test
  void recordsThatAConstructorHasChangedAreFoundWithoutIt() throws InterruptedException {
    open("record Label(String name) {}\n");
    put(i -> versions.make("Label", name(i)));
    open(
        "record Label(String name, int more) { Label { name = name.toLowerCase(Locale.ROOT); }"
            + " }\n");
    IntFunction<Object> key = i -> versions.make("Label", name(i).toLowerCase(Locale.ROOT), 0);
    assertFound(key, versions.make("Label", name(KEYS), 0));
    versions.store().upgrade().await();
    assertFound(key, versions.make("Label", name(KEYS), 0));
    for (int i = 0; i < 2; i++) {
      open("record Label(String name, int more) {}\n");
      assertFound(key, versions.make("Label", name(KEYS), 0));
      verify();
    }
  }

  @ParameterizedTest
  @CsvSource({"1,NONE", "NONE,1", "NONE,name.hashCode()"})
  void objectsAndRecordsInRecordsAreFound(String first, String second) {
    String page = "record Page(Tag tag, Label label, int number) {}\n";
    open(tag(first) + label(first) + page);
    put(i -> versions.make("Page", newTag(i), versions.make("Label", name(i)), i % 3));
    List<String> hashes = List.of(second, first, second);
    for (String hash : hashes) {
      open(tag(hash) + label(hash) + page);
      assertFound(
          i ->
              versions.make(
                  "Page", call(all().get(i), "tag"), versions.make("Label", name(i)), i % 3),
          versions.make("Page", call(all().get(0), "tag"), versions.make("Label", name(0)), 1));
    }
  }

  @Test
  void anObjectWhoseClassIsRenamedAtTheSameTimeIsFound() {
    open(tag("1"));
    put(this::newTag);
    String renamed =
        tag("class Sticker", "NONE")
            .replace("@Persistent", "@Persistent @FormerNames(\"shop.Tag\")");
    versions.open(
        compile(ROOT + renamed.replace("String name", "int length; private String name")));
    versions.store().create(versions.type("Sticker"));
    assertFound(i -> all().get(i), versions.store().create(versions.type("Sticker")));
  }

  @Test
  void theyAreFoundInAStoreThatIsOpenForReadingOnly() {
    open(tag("1") + label("1"));
    put(i -> i % 2 == 0 ? newTag(i) : versions.make("Label", name(i)));
    versions.open(
        compile(ROOT + tag("NONE") + label("NONE")), PmStoreOptions.defaults().readOnly(true));
    for (int i = 0; i < KEYS; i++) {
      Object key = i % 2 == 0 ? all().get(i) : versions.make("Label", name(i));
      assertEquals(i, map().get(key));
      assertTrue(set().contains(key));
    }
  }
}
