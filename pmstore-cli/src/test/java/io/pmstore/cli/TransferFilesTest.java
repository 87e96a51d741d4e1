package io.pmstore.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.pmstore.PmStore;
import io.pmstore.Storage;
import io.pmstore.cli.market.Market;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What an export and an import do to files and directories. */
class TransferFilesTest {
  @TempDir static Path shared;
  @TempDir Path temp;

  private static Path store;
  private static Path export;
  private Path target;

  @BeforeAll
  static void fill() throws Exception {
    store = shared.resolve("store");
    export = shared.resolve("export.json");
    try (PmStore opened = PmStore.open(store, Market.options())) {
      Market.fill(opened, 20);
    }
    Cli.ok("export", store, "-o", export);
  }

  @BeforeEach
  void make() throws Exception {
    target = Files.createDirectory(temp.resolve("target"));
  }

  private static void assertImported(Path directory) {
    assertTrue(Cli.ok("show", directory, "exchange.orders[7].symbol").contains("S7"));
    Cli.ok("verify", directory);
  }

  private static List<String> names(Path directory) throws Exception {
    try (Stream<Path> paths = Files.list(directory)) {
      return paths.map(path -> path.getFileName().toString()).sorted().toList();
    }
  }

  private static Object inode(Path path) throws Exception {
    return Files.getAttribute(path, "unix:ino");
  }

  @Test
  void anExportIsItsOwnersAsTheStoreIs() throws Exception {
    assertEquals(
        Files.getPosixFilePermissions(store.resolve("heap")),
        Files.getPosixFilePermissions(export));
    assertEquals(List.of("export.json", "store"), names(shared));
  }

  @Test
  void anExportIntoAnAbsentDirectoryNamesIt() {
    Path absent = temp.resolve("absent");
    Cli.Result result = Cli.run("export", store, "-o", absent.resolve("export.json"));
    result.expect(3);
    assertTrue(result.err().startsWith("pm: " + absent + ": no file can be made"), result.err());
  }

  @Test
  void anExportReplacesNoLink() throws Exception {
    Path link = Files.createSymbolicLink(temp.resolve("link.json"), temp.resolve("nothing"));
    Cli.Result result = Cli.run("export", store, "-o", link);
    result.expect(3);
    assertTrue(result.err().contains("exists already"), result.err());
    assertEquals(List.of("link.json", "target"), names(temp));
  }

  @ParameterizedTest
  @EnumSource(names = {"FILE", "TIERED", "LLPL"})
  void anExistingDirectoryIsKept(Storage storage) throws Exception {
    Set<PosixFilePermission> rights = PosixFilePermissions.fromString("rwxr-x---");
    Files.setPosixFilePermissions(target, rights);
    Object before = inode(target);
    Cli.ok("import", "--storage", storage, target, export);
    assertEquals(before, inode(target));
    assertEquals(rights, Files.getPosixFilePermissions(target));
    assertTrue(names(target).stream().noneMatch(name -> name.contains("import")));
    assertImported(target);
    assertEquals(List.of("target"), names(temp));
  }

  @Test
  void aLinkToADirectoryIsKept() throws Exception {
    Path link = Files.createSymbolicLink(temp.resolve("link"), target);
    Cli.ok("import", link, export);
    assertTrue(Files.isSymbolicLink(link));
    assertImported(target);
    assertEquals(List.of("link", "target"), names(temp));
  }

  @Test
  void aLinkToNothingIsRefusedFirst() throws Exception {
    Path link = Files.createSymbolicLink(temp.resolve("link"), temp.resolve("nothing"));
    Cli.Result result = Cli.run("import", link, export);
    result.expect(3);
    assertTrue(result.err().contains("is a link to "), result.err());
    assertEquals(List.of("link", "target"), names(temp));
  }

  /** The root directory of a file system of its own, as an ext file system has it. */
  @Test
  void lostAndFoundIsNoFileOfSomebodyElse() throws Exception {
    Files.createDirectory(target.resolve("lost+found"));
    Cli.ok("import", target, export);
    assertTrue(Files.isDirectory(target.resolve("lost+found")));
    assertImported(target);
  }

  @Test
  void theParentNeedNotBeWritable() throws Exception {
    Set<PosixFilePermission> all = Files.getPosixFilePermissions(temp);
    Files.setPosixFilePermissions(temp, PosixFilePermissions.fromString("r-x------"));
    try {
      assumeFalse(Files.isWritable(temp), "root may write everything");
      Cli.ok("import", target, export);
      assertImported(target);
    } finally {
      Files.setPosixFilePermissions(temp, all);
    }
  }

  @Test
  void whatAnInterruptedImportLeftIsNamed() throws Exception {
    Files.createDirectory(target.resolve("import-123"));
    Cli.Result result = Cli.run("import", target, export);
    result.expect(3);
    assertTrue(result.err().contains("import-123; an import that was interrupted"), result.err());
  }

  @Test
  void aFailedImportLeavesADirectoryAsItWas() throws Exception {
    Object before = inode(target);
    String text = Files.readString(export);
    Path cut = Files.writeString(temp.resolve("cut.json"), text.substring(0, text.length() / 2));
    Cli.run("import", target, cut).expect(3);
    assertEquals(before, inode(target));
    assertEquals(List.of(), names(target));
    Path absent = temp.resolve("absent");
    Cli.run("import", absent, cut).expect(3);
    assertFalse(Files.exists(absent));
    assertEquals(List.of("cut.json", "target"), names(temp));
    Files.writeString(target.resolve("notes.txt"), "of somebody else");
    Cli.run("import", target, export).expect(3);
    assertEquals(List.of("notes.txt"), names(target));
  }
}
