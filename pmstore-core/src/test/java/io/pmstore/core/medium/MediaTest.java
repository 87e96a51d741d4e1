package io.pmstore.core.medium;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.PmStoreException;
import io.pmstore.core.memory.NativeCalls;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MediaTest {
  @TempDir Path directory;

  @Test
  void aDaxMountIsRecognised() {
    List<String> mounts =
        List.of(
            "1 0 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw,discard",
            "36 1 259:0 / /mnt/pmem0 rw,noatime shared:2 - ext4 /dev/pmem0 rw,dax=always",
            "37 1 259:1 / /mnt/old\\040dax rw - xfs /dev/pmem1 rw,attr2,dax,noquota",
            "38 1 259:2 / /mnt/pmem0/disk rw - ext4 /dev/sdb rw",
            "39 1 259:3 / /mnt/inode rw - ext4 /dev/pmem2 rw,dax=inode",
            "nonsense");
    assertTrue(Media.isDax(mounts, Path.of("/mnt/pmem0/stores/a")));
    assertTrue(Media.isDax(mounts, Path.of("/mnt/pmem0")));
    assertTrue(Media.isDax(mounts, Path.of("/mnt/old dax/b")));
    assertFalse(Media.isDax(mounts, Path.of("/mnt/pmem01")));
    assertFalse(Media.isDax(mounts, Path.of("/mnt/pmem0/disk/a")));
    assertFalse(Media.isDax(mounts, Path.of("/mnt/inode/a")));
    assertFalse(Media.isDax(mounts, Path.of("/home")));
  }

  @Test
  void theMountsOfThisMachineAreRead() throws IOException {
    assertFalse(Media.isDax(Path.of("/proc")));
  }

  @Test
  void aMissingLibraryIsNamedWithItsPackage() {
    PmStoreException e =
        assertThrows(PmStoreException.class, () -> PmemLibrary.require("libabsent.so.9"));
    assertTrue(e.getMessage().contains("libabsent.so.9"), e.getMessage());
    assertTrue(e.getMessage().contains("apt-get install libpmem1"), e.getMessage());
  }

  @Test
  void filesOfEitherMediumDoWhatFilesDo() throws IOException {
    for (Medium medium : List.of(new FileMedium(directory), new PmemMedium(directory))) {
      String name = medium.getClass().getSimpleName();
      try (MediumFile file = medium.create(name)) {
        assertEquals(name, file.name());
        file.allocate(0, 10_000, true);
        byte[] bytes = {1, 2, 3, 4};
        file.write(9_997, bytes, 1, 3);
        file.sync();
        byte[] read = new byte[6];
        file.read(9_996, read, 1, 4);
        assertEquals(List.of(0, 0, 2, 3, 4, 0), List.of(toInts(read)));
        assertThrows(EOFException.class, () -> file.read(9_997, read, 0, 4));
        file.allocate(5_000, 6_000, false);
        assertEquals(6_000, file.size());
        file.writeRelaxed(4_998, bytes, 0, 4);
        file.write(5_000, bytes, 0, 1); // both ways meet in one page
        file.read(4_997, read, 0, 6);
        assertEquals(List.of(0, 1, 2, 1, 4, 0), List.of(toInts(read)));
        file.allocate(6_000, 20_000, true);
        file.writeRelaxed(19_996, bytes, 0, 4); // behind what was mapped
        file.read(19_994, read, 0, 6);
        assertEquals(List.of(0, 0, 1, 2, 3, 4), List.of(toInts(read)));
        file.sync();
        assertThrows(
            IOException.class, () -> file.map(16_384, 4096, java.lang.foreign.Arena.ofAuto()));
      }
      medium.rename(name, name + "2");
      medium.syncDirectory();
      assertTrue(medium.list().contains(name + "2"));
      assertThrows(IOException.class, () -> medium.open(name));
      assertThrows(IOException.class, () -> medium.create(name + "2"));
      medium.delete(name + "2");
      assertEquals(new TreeSet<>(), medium.list());
    }
  }

  private static Integer[] toInts(byte[] bytes) {
    Integer[] result = new Integer[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      result[i] = (int) bytes[i];
    }
    return result;
  }

  @Test
  void errorsSayWhatWasTriedAndWhy() throws IOException {
    FileMedium medium = new FileMedium(directory);
    MediumException missing = assertThrows(MediumException.class, () -> medium.open("absent"));
    assertEquals(2, missing.errno());
    assertFalse(missing.noRoom());
    assertTrue(
        missing.getMessage().contains("opening " + directory.resolve("absent")),
        missing.getMessage());
    assertTrue(missing.getMessage().contains("No such file"), missing.getMessage());
    assertTrue(new MediumException("growing", NativeCalls.ENOSPC).noRoom());
    // A device that is always full.
    try (PosixFile full = PosixFile.open(Path.of("/dev/full"))) {
      MediumException e =
          assertThrows(MediumException.class, () -> full.write(0, new byte[10], 0, 10));
      assertTrue(e.noRoom(), e.getMessage());
    }
    Path umlaut = directory.resolve("gr\u00fc\u00dfe");
    Files.createFile(umlaut);
    medium.open(umlaut.getFileName().toString()).close();
  }
}
