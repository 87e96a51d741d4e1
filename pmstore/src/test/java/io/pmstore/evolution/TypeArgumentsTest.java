package io.pmstore.evolution;

import static io.pmstore.evolution.Versions.bean;
import static io.pmstore.evolution.Versions.call;
import static io.pmstore.evolution.Versions.compile;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.ClassRefusedException;
import io.pmstore.EvolutionReport;
import io.pmstore.Migration;
import io.pmstore.PmStore;
import io.pmstore.PmStoreOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What becomes of a collection whose declared elements are of another type. */
final class TypeArgumentsTest extends EvolutionCase {
  private static final String TYPES =
      "interface Party {}\n"
          + bean("class Bank implements Party", "int id")
          + bean("class Payer", "int id")
          + "enum Side { BUY }\n"
          + "record Pair<A, B>(A first, B second) {}\n";

  private static String holder(String type) {
    return TYPES + bean("class Holder", type + " items");
  }

  private void store(String type) {
    open(holder(type));
    setOne(versions.store().create(versions.type("Holder")));
    versions.close();
  }

  private EvolutionReport dryRun(String source) {
    return PmStore.dryRun(
        directory.resolve("store"), Versions.type(compile(ROOT + source), "Holder"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          List<Integer>              | List<String>
          List<Integer>              | List<Long>
          List<Object>               | List<String>
          List<?>                    | List<String>
          List<Party>                | List<Bank>
          List<Bank>                 | List<Payer>
          Map<Long, Bank>            | Map<Long, Payer>
          Map<String, Bank>          | Map<Long, Bank>
          Map<String, List<Integer>> | Map<String, List<String>>
          List<Integer>              | Collection<String>
          Set<int[]>                 | Set<long[]>
          List<Bank[]>               | List<Payer[]>
          Optional<Side>             | Optional<String>
          Pair<Long, Bank>           | Pair<Long, Payer>
          List<Pair<Long, Bank>>     | List<Pair<Long, Payer>>
          """)
  void elementsThatMayNotFitAreRefusedBeforeAnythingIsWritten(String before, String after) {
    store(before);
    EvolutionReport report = dryRun(holder(after));
    assertFalse(report.isCompatible(), report::toString);
    open(holder(after));
    assertRefused(
        ClassRefusedException.class,
        this::one,
        "class shop.Holder does not fit",
        "property items was of type " + full(before) + " in the store",
        "is of type " + full(after) + " in the class",
        "Migration.of(Holder.class, \"items\", ...)");
    open(holder(before));
    assertInstanceOf(versions.type("Holder"), one());
    verify();
  }

  private static String full(String type) {
    String text =
        type.replace(", ", ",")
            .replace("?", "Object")
            .replaceAll("\\b(Party|Bank|Payer|Side|Pair)\\b", "shop.$1");
    return text.replaceAll("\\b(List|Map|Set|Collection|Optional)\\b", "java.util.$1")
        .replaceAll("\\b(Integer|Long|String|Object)\\b", "java.lang.$1");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          List<Integer>              | List<Number>
          List<Integer>              | List<?>
          List<Bank>                 | List<Party>
          List<Bank>                 | List<? extends Party>
          List<Integer>              | List
          List                       | List<Integer>
          Map<Long, List<Bank>>      | Map<Long, Collection<Party>>
          List<List<Bank>>           | List<ArrayList<Bank>>
          List<Bank[]>               | List<Party[]>
          List<Integer>              | Object
          """)
  void elementsThatFitAreKept(String before, String after) {
    store(before);
    EvolutionReport report = dryRun(holder(after));
    assertTrue(report.isCompatible(), report::toString);
    open(holder(after));
    assertInstanceOf(versions.type("Holder"), one());
    verify();
  }

  @Test
  void aProgramFromBeforeAWiderTypeIsRefused() {
    store("List<Integer>");
    open(holder("List<Number>"));
    call(one(), "setItems", new ArrayList<>(List.of(1.5)));
    open(holder("List<Integer>"));
    assertRefused(
        ClassRefusedException.class, this::one, "the store has a newer shape of the class");
  }

  @Test
  void aRenamedElementTypeIsNoOtherType() {
    open(holder("List<Bank>"));
    Object holder = versions.make("Holder");
    call(holder, "setItems", new ArrayList<>(List.of(versions.make("Bank"))));
    setOne(holder);
    String renamed =
        holder("List<House>")
            .replace(
                "@Persistent class Bank", "@Persistent @FormerNames(\"shop.Bank\") class House");
    versions.close();
    EvolutionReport report = dryRun(renamed);
    assertTrue(report.isCompatible(), report::toString);
    open(renamed);
    List<?> items = (List<?>) call(one(), "getItems");
    assertInstanceOf(versions.type("House"), items.get(0));
    verify();
  }

  @Test
  void aFunctionMakesTheNewCollection() throws Exception {
    open(holder("Map<String, Integer>"));
    Object holder = versions.make("Holder");
    call(holder, "setItems", new java.util.HashMap<>(Map.of("7", 8)));
    setOne(holder);
    ClassLoader version = compile(ROOT + holder("Map<Long, Integer>"));
    Migration function =
        Migration.of(
            "shop.Holder",
            "items",
            (old, o) -> {
              Map<Long, Object> items = new java.util.HashMap<>();
              ((Map<?, ?>) old.get("items"))
                  .forEach((key, value) -> items.put(Long.valueOf((String) key), value));
              return items;
            });
    versions.open(version, PmStoreOptions.defaults().migrations(function));
    assertEquals(8, ((Map<?, ?>) call(one(), "getItems")).get(7L));
    versions.store().upgrade().await();
    verify();
    versions.open(version);
    assertEquals(8, ((Map<?, ?>) call(one(), "getItems")).get(7L));
  }

  @Test
  void aFunctionMayReturnTheOldCollection() throws Exception {
    open(holder("List<Object>"));
    Object holder = versions.make("Holder");
    call(holder, "setItems", new ArrayList<>(List.of("a", "b")));
    setOne(holder);
    ClassLoader version = compile(ROOT + holder("List<String>"));
    Migration function = Migration.of("shop.Holder", "items", (old, o) -> old.get("items"));
    versions.open(version, PmStoreOptions.defaults().migrations(function));
    assertEquals(List.of("a", "b"), call(one(), "getItems"));
    versions.store().upgrade().await();
    verify();
    versions.open(version);
    assertEquals(List.of("a", "b"), call(one(), "getItems"));
    verify();
  }

  @Test
  void componentsOfRecordsAreCompared() {
    String before = "record Box(List<Integer> items) {}\n";
    open(before);
    setOne(versions.make("Box", List.of(1)));
    open("record Box(List<String> items) {}\n");
    assertRefused(
        ClassRefusedException.class,
        this::one,
        "List<java.lang.Integer>",
        "List<java.lang.String>");
    open(before);
    assertEquals(List.of(1), call(one(), "items"));
  }
}
