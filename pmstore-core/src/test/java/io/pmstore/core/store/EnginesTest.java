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
  private static final EngineProvider LLPL =
      new Provider("storage LLPL", Set.of(Storage.LLPL), "pool");
  private static final EngineProvider NAMELESS = new Provider("jars of honey", Set.of(), "honey");

  private static Engines engines(EngineProvider... providers) {
    return new Engines(List.of(providers));
  }

  private static PmStoreOptions options(Storage storage) {
    return PmStoreOptions.defaults().storage(storage);
  }

  private String refusal(Engines engines, Storage storage) {
    return String.valueOf(
        assertThrows(PmStoreException.class, () -> engines.open(directory, options(storage)))
            .getMessage());
  }

  private static void assertSays(String message, String... parts) {
    for (String part : parts) {
      assertTrue(message.contains(part), () -> "no \"" + part + "\" in: " + message);
    }
  }

  @Test
  void theEngineOfAStorageOpensIt() {
    Engines engines = engines(NAMELESS, LLPL, MAPPED);
    try (Engine engine = engines.open(directory, options(Storage.LLPL))) {
      assertInstanceOf(MemoryEngine.class, engine);
    }
    assertFalse(engines.holdsStore(directory));
    try (Engine engine = engines.open(directory, options(Storage.AUTO))) {
      assertEquals(32 << 20, engine.logSegmentSize().orElseThrow());
    }
    assertTrue(engines.holdsStore(directory));
    assertEquals(GroupAccess.NONE, engines.groupAccess(directory));
  }

  @Test
  void theEngineThatRecognizesADirectoryOpensIt() throws Exception {
    Engines engines = engines(LLPL, NAMELESS, MAPPED);
    Files.createFile(directory.resolve("honey"));
    try (Engine engine = engines.open(directory, options(Storage.AUTO));
        Engine verified = engines.openToVerify(directory, options(Storage.AUTO))) {
      assertInstanceOf(MemoryEngine.class, engine);
      assertInstanceOf(MemoryEngine.class, verified);
    }
    assertTrue(engines.holdsStore(directory));
    assertEquals(GroupAccess.READ, engines.groupAccess(directory));
    assertSays(
        String.valueOf(
            assertThrows(StoreFormatException.class, () -> engines.repair(directory)).getMessage()),
        "jars of honey repairs nothing");
  }

  @Test
  void aMissingEngineIsNamedWithTheArtifactThatHasIt() {
    assertSays(refusal(engines(MAPPED), Storage.LLPL), "Storage.LLPL", "io.pmstore:pmstore");
    assertSays(
        refusal(engines(MAPPED), Storage.TIERED), "Storage.TIERED", "io.pmstore:pmstore-tiered");
    assertSays(refusal(engines(LLPL), Storage.FILE), "Storage.FILE", "io.pmstore:pmstore");
    assertEquals(0, directory.toFile().list().length, "nothing is made");
  }

  @Test
  void twoEnginesOfOneStorageAreRefused() {
    assertSays(
        refusal(engines(MAPPED, new Provider("second", Set.of(Storage.FILE), "x")), Storage.FILE),
        "Storage.FILE",
        "second",
        MappedProvider.class.getName());
    assertEquals(0, directory.toFile().list().length, "nothing is made");
  }

  @Test
  void aDirectoryOfTwoStoresIsRefused() throws Exception {
    Files.createFile(directory.resolve("honey"));
    Files.createFile(directory.resolve("pool"));
    assertSays(
        refusal(engines(MAPPED, LLPL, NAMELESS), Storage.AUTO),
        directory.toString(),
        "jars of honey",
        "storage LLPL");
  }

  @ParameterizedTest
  @EnumSource(names = "AUTO", mode = EnumSource.Mode.EXCLUDE)
  void aStoreIsOpenedWithItsOwnStorage(Storage storage) throws Exception {
    Files.createFile(directory.resolve("honey"));
    assertSays(
        refusal(engines(MAPPED, LLPL, NAMELESS), storage),
        "has a store of jars of honey, and storage " + storage + " was asked for",
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
