package io.pmstore.core.medium;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.PmStoreException;
import io.pmstore.core.memory.NativeCalls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
