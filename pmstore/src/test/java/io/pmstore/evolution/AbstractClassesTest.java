package io.pmstore.evolution;

import static io.pmstore.evolution.Versions.bean;
import static io.pmstore.evolution.Versions.call;
import static io.pmstore.evolution.Versions.compile;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.ClassRefusedException;
import io.pmstore.ClassReport;
import io.pmstore.EvolutionReport;
import io.pmstore.EvolutionReport.ClassChange;
import io.pmstore.EvolutionReport.Verdict;
import io.pmstore.PmStore;
import io.pmstore.PmStoreException;
import io.pmstore.PmStoreOptions;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of stored objects when their class can have none any more. */
final class AbstractClassesTest {
  private static final String ROOT =
      bean("class Root", "List<Asset> all = new ArrayList<>()", "Object one");
  private static final String MACHINE = bean("class Machine extends Asset", "int power");
  private static final String CONCRETE = bean("class Asset", "String name") + MACHINE;
  private static final String ABSTRACT = bean("abstract class Asset", "String name") + MACHINE;
  private static final String PLAIN =
      "@FormerNames(\"shop.Asset\") " + bean("class PlainAsset extends Asset");

  @TempDir Path directory;
  private Path path;
  private Versions versions;

  @BeforeEach
  void start() {
    path = directory.resolve("store");
    versions = new Versions(path);
  }

  @AfterEach
  void end() {
    versions.close();
  }

  @SuppressWarnings("unchecked")
  private List<Object> all() {
    return (List<Object>) call(versions.root(), "getAll");
  }

  private void store(String name) {
    versions.open(compile(ROOT + CONCRETE));
    Object asset = versions.make(name);
    call(asset, "setName", name);
    all().add(asset);
    versions.close();
  }

  private EvolutionReport dryRun(ClassLoader version, String... names) {
    versions.close();
    Class<?>[] types = new Class<?>[names.length];
    for (int i = 0; i < names.length; i++) {
      types[i] = Versions.type(version, names[i]);
    }
    return PmStore.dryRun(path, types);
  }

  private static ClassChange change(EvolutionReport report, String name) {
    return report.classes().stream()
        .filter(change -> change.className().equals(name))
        .findFirst()
        .orElseThrow(() -> new AssertionError(report));
  }

  private static void assertContains(String message, String... parts) {
    for (String part : parts) {
      assertTrue(message.contains(part), () -> part + " is not in: " + message);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "@Persistent abstract class Asset { private String name; abstract int kind(); }",
        "@Persistent abstract class Asset { private String name; }",
        "interface Asset {}",
        "sealed interface Asset { record Card(int number) implements Asset {} }"
      })
  void objectsOfAClassThatHasBecomeAbstractAreRefused(String asset) {
    store("Asset");
    String kind =
        asset.contains("interface") ? "is an interface without @Persistent now" : "is abstract now";
    ClassLoader version = compile(ROOT + asset);
    EvolutionReport report = dryRun(version, "Root");
    assertEquals(Verdict.REFUSED, change(report, "shop.Asset").verdict());
    assertContains(change(report, "shop.Asset").message(), kind, "@FormerNames(\"shop.Asset\")");
    assertEquals(List.of(), report.unseen());
    versions.open(version);
    String message = assertThrows(ClassRefusedException.class, () -> all().get(0)).getMessage();
    assertContains(
        message, "objects of shop.Asset", kind, "concrete", "@FormerNames(\"shop.Asset\")");
    var upgrade = versions.store().upgrade();
    assertContains(
        String.valueOf(assertThrows(PmStoreException.class, upgrade::await).getMessage()), kind);
    versions.open(compile(ROOT + CONCRETE));
    assertEquals("Asset", call(all().get(0), "getName"));
    assertTrue(PmStore.verify(path()).faults().isEmpty());
  }

  /** Its subclasses have the objects, and a generated subclass is needed of these only. */
  @Test
  void aSealedAbstractClassIsKeptAsTheTypeOfAProperty() {
    ClassLoader version =
        compile(
            bean("class Root", "Asset one", "List<Asset> all = new ArrayList<>()")
                + bean("abstract sealed class Asset permits Machine", "String name")
                + bean("non-sealed class Machine extends Asset", "int power"));
    versions.open(version);
    Object machine = versions.make("Machine");
    call(machine, "setName", "drill");
    call(versions.root(), "setOne", machine);
    all().add(machine);
    assertContains(
        String.valueOf(
            assertThrows(
                    ClassRefusedException.class,
                    () -> versions.store().create(Versions.type(version, "Asset")))
                .getMessage()),
        "abstract");
    EvolutionReport report = dryRun(version, "Root");
    assertTrue(report.isCompatible(), report::toString);
    assertEquals(List.of(), report.unseen());
    assertTrue(PmStore.check(Versions.type(version, "Root")).isAccepted());
    versions.open(version);
    assertEquals("drill", call(call(versions.root(), "getOne"), "getName"));
  }

  private Path path() {
    versions.close();
    return path;
  }

  @Test
  void aRootWhoseClassHasBecomeAbstractIsRefusedAtItsFirstUse() {
    versions.open(compile(bean("class Root", "int a")));
    call(versions.root(), "setA", 3);
    ClassLoader version = compile(bean("abstract class Root", "int a"));
    versions.open(version);
    assertContains(
        String.valueOf(assertThrows(ClassRefusedException.class, versions::root).getMessage()),
        "objects of shop.Root",
        "is abstract now");
  }

  @Test
  void anObjectThatHasMovedCountsToo() {
    store("Asset");
    versions.open(
        compile(ROOT + bean("class Asset", "String name", "long a", "long b", "long c") + MACHINE));
    call(all().get(0), "setC", 5L);
    versions.close();
    ClassLoader version =
        compile(
            ROOT
                + bean("abstract class Asset", "String name", "long a", "long b", "long c")
                + MACHINE);
    assertEquals(Verdict.REFUSED, change(dryRun(version, "Root"), "shop.Asset").verdict());
  }

  /** That the store knew the class once is no reason: none of its objects is left. */
  @Test
  void aClassWithoutObjectsMayBecomeAbstract() throws Exception {
    store("Asset");
    store("Machine");
    versions.open(compile(ROOT + CONCRETE));
    all().remove(0);
    versions.reopen().gc();
    versions.close();
    ClassLoader version = compile(ROOT + ABSTRACT);
    EvolutionReport report = dryRun(version, "Root", "Machine", "Asset");
    report.assertCompatible();
    assertEquals(List.of(), report.unseen());
    for (String asset : List.of(ABSTRACT, "interface Asset {}\n" + machineWithout())) {
      versions.open(compile(ROOT + asset));
      assertEquals("Machine", call(all().get(0), "getName"));
      versions.store().upgrade().await();
    }
  }

  private static String machineWithout() {
    return bean("class Machine implements Asset", "String name", "int power");
  }

  @Test
  void aConcreteClassTakesTheObjectsOfOneThatHasBecomeAbstract() throws Exception {
    store("Asset");
    store("Machine");
    for (String asset : List.of(ABSTRACT, "interface Asset {}\n" + machineWithout())) {
      boolean isInterface = asset.startsWith("interface");
      String plain =
          isInterface
              ? "@FormerNames(\"shop.Asset\") "
                  + bean("class PlainAsset implements Asset", "String name")
              : PLAIN;
      ClassLoader version = compile(ROOT + asset + plain);
      EvolutionReport report = dryRun(version, "Root", "PlainAsset", "Machine");
      report.assertCompatible();
      versions.open(
          version, PmStoreOptions.defaults().classes(Versions.type(version, "PlainAsset")));
      assertInstanceOf(versions.type("PlainAsset"), all().get(0));
      assertEquals("Asset", call(all().get(0), "getName"));
      assertEquals("Machine", call(all().get(1), "getName"));
      call(all().get(0), "setName", "Asset");
      versions.store().upgrade().await();
      assertSame(all().get(0), all().get(0));
    }
    ClassLoader without = compile(ROOT + ABSTRACT + PLAIN.replaceFirst("@FormerNames\\S+ ", ""));
    dryRun(without, "Root", "PlainAsset", "Machine").assertCompatible();
    versions.open(without); // the store has recorded what became of the objects
    assertInstanceOf(versions.type("PlainAsset"), all().get(0));
    assertTrue(PmStore.verify(path()).faults().isEmpty());
  }

  @Test
  void anObjectOfAnAbstractClassThatOnlyTheOptionsLeadToNeedsItsNewClassThere() {
    store("Asset");
    ClassLoader version = compile(ROOT + ABSTRACT + PLAIN);
    assertEquals(Verdict.REFUSED, change(dryRun(version, "Root"), "shop.Asset").verdict());
    versions.open(version, PmStoreOptions.defaults().readOnly(true));
    assertThrows(ClassRefusedException.class, () -> all().get(0));
    versions.open(
        version,
        PmStoreOptions.defaults().readOnly(true).classes(Versions.type(version, "PlainAsset")));
    assertEquals("Asset", call(all().get(0), "getName"));
  }

  /** What an abstract class had as its name is the name of the objects' class, too. */
  @Test
  void aClassThatIsRenamedAndMadeAbstractLeavesItsObjectsToAConcreteOne() throws Exception {
    store("Asset");
    store("Machine");
    String withProperty =
        bean("class Root", "List<Asset> all = new ArrayList<>()", "Object one", "Asset first");
    versions.open(compile(withProperty + CONCRETE));
    call(versions.root(), "setFirst", all().get(0));
    versions.close();
    String former = "@FormerNames(\"shop.Asset\") ";
    String root = withProperty.replace("Asset", "Thing");
    String thing =
        former
            + bean("abstract class Thing", "String name")
            + MACHINE.replace("extends Asset", "extends Thing");
    ClassLoader without = compile(root + thing);
    EvolutionReport refused = dryRun(without, "Root", "Machine");
    assertEquals(
        1, refused.classes().stream().filter(c -> c.className().equals("shop.Thing")).count());
    ClassChange change = change(refused, "shop.Thing");
    assertEquals(Verdict.REFUSED, change.verdict());
    assertEquals("shop.Asset", change.storedName());
    assertContains(change.message(), "objects of shop.Thing", "is abstract now", "store.gc()");
    assertEquals(List.of(), refused.unseen());
    ClassLoader version = compile(root + thing + former + bean("class Plain extends Thing"));
    PmStoreOptions options = PmStoreOptions.defaults().classes(Versions.type(version, "Plain"));
    for (int round = 0; round < 2; round++) {
      EvolutionReport report = dryRun(version, "Root", "Machine", "Plain");
      report.assertCompatible();
      assertEquals(List.of(), report.unseen());
      versions.open(version, options);
      assertInstanceOf(versions.type("Plain"), call(versions.root(), "getFirst"));
      assertEquals("Asset", call(all().get(0), "getName"));
      assertEquals("Machine", call(all().get(1), "getName"));
      versions.store().upgrade().await();
    }
    assertTrue(PmStore.verify(path()).faults().isEmpty());
  }

  @Test
  void aClassWithoutObjectsMayBeRenamedAndMadeAbstract() throws Exception {
    store("Asset");
    store("Machine");
    versions.open(compile(ROOT + CONCRETE));
    all().remove(0);
    versions.reopen().gc();
    String thing = "@FormerNames(\"shop.Asset\") " + bean("abstract class Thing");
    String machine = bean("class Machine extends Thing", "String name", "int power");
    ClassLoader version = compile(ROOT.replace("Asset", "Thing") + thing + machine);
    EvolutionReport report = dryRun(version, "Root", "Machine");
    report.assertCompatible();
    assertEquals(List.of(), report.unseen());
    versions.open(version);
    assertEquals("Machine", call(all().get(0), "getName"));
    versions.store().upgrade().await();
  }

  @Test
  void aNameThatTwoClassesClaimIsNotPlannedFor() {
    store("Asset");
    String former = "@FormerNames(\"shop.Asset\") ";
    for (String kind : List.of("class", "abstract class", "interface")) {
      boolean isInterface = kind.equals("interface");
      String claims =
          former
              + (isInterface ? "interface One {}\n" : bean(kind + " One"))
              + former
              + (isInterface ? "interface Two {}\n" : bean(kind + " Two"));
      String root = bean("class Root", "List<Object> all", "One one", "Two two");
      EvolutionReport report = dryRun(compile(root + claims), "Root");
      assertEquals(List.of("shop.Asset"), report.unseen(), kind);
      if (!isInterface) {
        for (String name : List.of("shop.One", "shop.Two")) {
          assertEquals(Verdict.REFUSED, change(report, name).verdict());
          assertContains(change(report, name).message(), "shop.One", "shop.Two", "ambiguous");
        }
      }
    }
  }

  @Test
  void aStoredClassThatCannotBeLinkedIsNotPlannedFor() {
    store("Asset");
    ClassLoader version =
        compile(
                "class Gone {}\n"
                    + ROOT.replace("Asset", "Object")
                    + bean("class Asset extends Gone"))
            .without("shop.Gone");
    assertEquals(List.of("shop.Asset"), dryRun(version, "Root").unseen());
  }

  /** The JVM would not let the store use it. */
  @ParameterizedTest
  @ValueSource(strings = {"Gone gone", "List<Gone> gone"})
  void aGivenClassWithAMemberOfAMissingClassIsRefused(String member) {
    store("Asset");
    ClassLoader version =
        compile("class Gone {}\n" + ROOT + bean("class Asset", "String name", member))
            .without("shop.Gone");
    ClassChange change = change(dryRun(version, "Root", "Asset"), "shop.Asset");
    assertEquals(Verdict.REFUSED, change.verdict());
    assertContains(change.message(), "shop.Asset", "Gone", "class path");
    ClassReport check = PmStore.check(Versions.type(version, "Asset"));
    assertContains(String.join("\n", check.refusals()), "shop.Asset", "Gone", "class path");
  }

  @Test
  void objectsOfAnInterfaceThatIsNoLongerPersistentAreRefused() {
    String asset = "interface Asset { String getName(); void setName(String name); }\n";
    versions.open(compile(ROOT + "@Persistent " + asset));
    all().add(versions.store().create(versions.type("Asset")));
    versions.close();
    ClassLoader version = compile(ROOT + asset);
    assertContains(
        change(dryRun(version, "Root"), "shop.Asset").message(),
        "objects of shop.Asset",
        "is an interface without @Persistent now",
        "annotate it with @Persistent if it was a persistent interface",
        "or make it a concrete class if it was one",
        "@FormerNames(\"shop.Asset\")");
  }

  /** The first that the program uses must not get them all. */
  @Test
  void ofTwoConcreteClassesNeitherTakesTheObjectsOfAnAbstractOne() {
    store("Asset");
    ClassLoader version =
        compile(ROOT + ABSTRACT + PLAIN + PLAIN.replace("class PlainAsset", "class OtherAsset"));
    EvolutionReport report = dryRun(version, "Root", "PlainAsset", "OtherAsset");
    for (String name : List.of("PlainAsset", "OtherAsset")) {
      assertEquals(Verdict.REFUSED, change(report, "shop." + name).verdict());
      assertContains(
          change(report, "shop." + name).message(), "PlainAsset", "OtherAsset", "ambiguous");
    }
    versions.open(
        version,
        PmStoreOptions.defaults()
            .classes(Versions.type(version, "PlainAsset"), Versions.type(version, "OtherAsset")));
    assertContains(
        String.valueOf(
            assertThrows(
                    ClassRefusedException.class,
                    () -> versions.store().create(versions.type("PlainAsset")))
                .getMessage()),
        "ambiguous");
  }
}
