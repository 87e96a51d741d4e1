package io.pmstore.jmh.oms;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a device says that it has written. */
final class BlockDeviceTest {
  @TempDir Path directory;

  @Test
  void countsWhatIsWritten() throws IOException {
    Optional<BlockDevice> device = BlockDevice.of(directory);
    Assumptions.assumeTrue(device.isPresent(), directory + " is on no block device");
    long before = device.orElseThrow().bytesWritten();
    int size = 3 << 20;
    byte[] bytes = new byte[size];
    new SplittableRandom(1).nextBytes(bytes);
    Files.write(directory.resolve("file"), bytes);
    long written = device.orElseThrow().bytesWritten() - before;
    assertTrue(written >= size, "only " + written + " bytes of " + size);
  }

  @Test
  void decodesDeviceNumbers() {
    assertEquals("254:0", BlockDevice.name(65024));
    assertEquals("0:27", BlockDevice.name(27));
    assertEquals("259:300", BlockDevice.name(259L << 8 | 300 & 0xff | (300L & ~0xffL) << 12));
    assertEquals("5000:1", BlockDevice.name(1 | (5000L & 0xfff) << 8 | (5000L & ~0xfffL) << 32));
  }

  @Test
  void memoryHasNoDevice() throws IOException {
    Path shm = Path.of("/dev/shm");
    Assumptions.assumeTrue(
        Files.isDirectory(shm) && Files.getFileStore(shm).type().equals("tmpfs"));
    assertTrue(BlockDevice.of(shm).isEmpty());
  }
}
