package io.pmstore.core.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.GroupAccess;
import io.pmstore.PmStoreException;
import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import io.pmstore.StoreFormatException;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.EngineProvider;
import io.pmstore.core.engine.EngineRepair;
import io.pmstore.core.engine.MemoryEngine;
import io.pmstore.core.engine.mapped.MappedProvider;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Which engine a directory and the options lead to, and what is said where none does. */
class EnginesTest {
  @TempDir Path directory;

  /** Stores that are one file. */
  private record Provider(String name, Set<Storage> storages, String file)
      implements EngineProvider {
    @Override
    public boolean recognizes(Path directory) {
      return Files.exists(directory.resolve(file));
    }

    @Override
    public GroupAccess groupAccess(Path directory) {
      return GroupAccess.READ;
    }

    @Override
    public Engine open(Path directory, PmStoreOptions options) {
      return new MemoryEngine();
    }

    @Override
    public EngineRepair repair(Path directory) {
      throw new StoreFormatException(name + " repairs nothing");
    }
  }

  private static final EngineProvider MAPPED = new MappedProvider();
  private static final EngineProvider LLPL = new Provider("llpl", Set.of(Storage.LLPL), "pool");
  private static final EngineProvider HONEY = new Provider("honey", Set.of(), "honey");

  private static Engines engines(EngineProvider... providers) {
    return new Engines(List.of(providers));
  }

  private static PmStoreOptions options(Storage storage) {
    return PmStoreOptions.defaults().storage(storage);
  }

  private static PmStoreOptions named(String engine) {
    return PmStoreOptions.defaults().engine(engine);
  }

  private String refusal(Engines engines, Storage storage) {
    return refusal(engines, options(storage));
  }

  private String refusal(Engines engines, PmStoreOptions options) {
    return String.valueOf(
        assertThrows(PmStoreException.class, () -> engines.open(directory, options)).getMessage());
  }

  private static void assertSays(String message, String... parts) {
    for (String part : parts) {
      assertTrue(message.contains(part), () -> "no \"" + part + "\" in: " + message);
    }
  }

  @Test
  void theEngineOfAStorageOpensIt() {
    Engines engines = engines(HONEY, LLPL, MAPPED);
    try (Engine engine = engines.open(directory, options(Storage.LLPL))) {
      assertInstanceOf(MemoryEngine.class, engine);
    }
    assertFalse(engines.holdsStore(directory, PmStoreOptions.defaults()));
    try (Engine engine = engines.open(directory, options(Storage.AUTO))) {
      assertEquals(32 << 20, engine.logSegmentSize().orElseThrow());
    }
    assertTrue(engines.holdsStore(directory, PmStoreOptions.defaults()));
    assertEquals(GroupAccess.NONE, engines.groupAccess(directory));
  }

  @Test
  void theEngineThatRecognizesADirectoryOpensIt() throws Exception {
    Engines engines = engines(LLPL, HONEY, MAPPED);
    Files.createFile(directory.resolve("honey"));
    try (Engine engine = engines.open(directory, options(Storage.AUTO));
        Engine verified = engines.openToVerify(directory, options(Storage.AUTO))) {
      assertInstanceOf(MemoryEngine.class, engine);
      assertInstanceOf(MemoryEngine.class, verified);
    }
    assertTrue(engines.holdsStore(directory, PmStoreOptions.defaults()));
    assertEquals(GroupAccess.READ, engines.groupAccess(directory));
    assertSays(
        String.valueOf(
            assertThrows(StoreFormatException.class, () -> engines.repair(directory)).getMessage()),
        "honey repairs nothing");
  }

  @Test
  void theEngineThatTheOptionsNameOpensIt() throws Exception {
    Engines engines = engines(MAPPED, LLPL, HONEY);
    try (Engine engine = engines.open(directory, named("honey"))) {
      assertInstanceOf(MemoryEngine.class, engine);
    }
    assertFalse(engines.holdsStore(directory, named("honey")));
    Files.createFile(directory.resolve("honey"));
    assertTrue(engines.holdsStore(directory, named("honey")));
    engines.open(directory, named("honey")).close();
    engines.open(directory, named("honey").storage(Storage.AUTO)).close();
  }

  @Test
  void anEngineAndAStorageThatItServesGoTogether() {
    Engines engines = engines(MAPPED, LLPL, HONEY);
    engines.open(directory, named("mapped").storage(Storage.FILE)).close();
    engines.open(directory, named("mapped").storage(Storage.FILE)).close();
  }

  @Test
  void anEngineAndAStorageThatItDoesNotServeAreRefused() {
    Engines engines = engines(MAPPED, LLPL, HONEY);
    for (Storage storage : List.of(Storage.FILE, Storage.LLPL)) {
      IllegalArgumentException refusal =
          assertThrows(
              IllegalArgumentException.class,
              () -> engines.open(directory, named("honey").storage(storage)));
      assertSays(String.valueOf(refusal.getMessage()), "the engine honey", "Storage." + storage);
    }
    assertEquals(0, directory.toFile().list().length, "nothing is created");
  }

  @Test
  void aStoreOfAnotherEngineThanTheNamedOneIsRefused() throws Exception {
    Files.createFile(directory.resolve("honey"));
    assertEquals(
        directory
            + " has a store of the engine honey, and the engine mapped was asked for; open it with"
            + " PmStoreOptions.engine(\"honey\"), or without naming an engine",
        refusal(engines(MAPPED, LLPL, HONEY), named("mapped")));
    assertEquals(
        directory
            + " has a store of the engine honey, and the engine absent was asked for; open it with"
            + " PmStoreOptions.engine(\"honey\"), or without naming an engine",
        refusal(engines(MAPPED, LLPL, HONEY), named("absent")));
  }

  @Test
  void twoEnginesOfOneNameAreRefused() {
    assertSays(
        refusal(engines(MAPPED, HONEY, HONEY), named("honey")),
        "several engines are named honey: honey (" + Provider.class.getName() + "), honey (",
        "leave one of them on the class path or module path");
  }

  private static String found(EngineProvider... providers) {
    return List.of(providers).stream()
        .map(provider -> provider.name() + " (" + provider.getClass().getName() + ")")
        .collect(Collectors.joining(", "));
  }

  @Test
  void aMissingEngineIsNamedWithTheArtifactThatHasIt() {
    String missing = "no engine %s was found on the class path or module path; found were %s. %s";
    assertEquals(
        missing.formatted("for Storage.LLPL", found(MAPPED), "Depend on io.pmstore:pmstore-llpl"),
        refusal(engines(MAPPED), Storage.LLPL));
    assertEquals(
        missing.formatted(
            "for Storage.TIERED", found(MAPPED), "Depend on io.pmstore:pmstore-tiered"),
        refusal(engines(MAPPED), Storage.TIERED));
    assertEquals(
        missing.formatted("for Storage.FILE", found(LLPL), "Depend on io.pmstore:pmstore"),
        refusal(engines(LLPL), Storage.FILE));
    assertEquals(
        missing.formatted("for Storage.AUTO", "none", "Depend on io.pmstore:pmstore"),
        refusal(engines(), Storage.AUTO));
    assertEquals(
        missing.formatted("named llpl", found(MAPPED), "Depend on io.pmstore:pmstore-llpl"),
        refusal(engines(MAPPED), named("llpl")));
    assertEquals(
        missing.formatted(
            "named honye",
            found(HONEY, LLPL, MAPPED),
            "Depend on the artifact that has it, or give PmStoreOptions.engine the name of one of"
                + " these"),
        refusal(engines(MAPPED, HONEY, LLPL), named("honye")));
    assertEquals(0, directory.toFile().list().length, "nothing is created");
  }

  @Test
  void twoEnginesOfOneStorageAreRefused() {
    assertSays(
        refusal(engines(MAPPED, new Provider("second", Set.of(Storage.FILE), "x")), Storage.FILE),
        "Storage.FILE",
        "second",
        MappedProvider.class.getName());
    assertEquals(0, directory.toFile().list().length, "nothing is created");
  }

  @Test
  void aDirectoryOfTwoStoresIsRefused() throws Exception {
    Files.createFile(directory.resolve("honey"));
    Files.createFile(directory.resolve("pool"));
    assertSays(
        refusal(engines(MAPPED, LLPL, HONEY), Storage.AUTO),
        directory.toString(),
        "honey (" + Provider.class.getName() + "), llpl (" + Provider.class.getName() + ")");
  }

  @ParameterizedTest
  @EnumSource(names = "AUTO", mode = EnumSource.Mode.EXCLUDE)
  void aStoreIsOpenedWithItsOwnStorage(Storage storage) throws Exception {
    Files.createFile(directory.resolve("honey"));
    assertSays(
        refusal(engines(MAPPED, LLPL, HONEY), storage),
        "has a store of the engine honey, and Storage." + storage + " was asked for",
        "open it with Storage.AUTO");
  }

  @Test
  void anInterruptedCreationIsNoStoreOfTheMappedEngine() throws Exception {
    for (String file : List.of("lock", "heap.new", "log-0", "sums")) {
      Files.createFile(directory.resolve(file));
    }
    assertFalse(MAPPED.recognizes(directory));
    Files.delete(directory.resolve("heap.new"));
    assertTrue(MAPPED.recognizes(directory), "a store that lost its heap");
  }
}
