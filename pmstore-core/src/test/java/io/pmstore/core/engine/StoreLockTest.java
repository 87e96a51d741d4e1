package io.pmstore.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.PmStoreException;
import io.pmstore.StoreLockedException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoreLockTest {
  @TempDir Path directory;

  @Test
  void theLockFileNamesTheHolder() throws IOException {
    StoreLock lock = StoreLock.acquire(directory);
    lock.release();
    assertEquals(
        ProcessHandle.current().pid() + "\n", Files.readString(directory.resolve(StoreLock.FILE)));
  }

  @Test
  void oneHolderInThisProcess() {
    StoreLock lock = StoreLock.acquire(directory);
    StoreLockedException e =
        assertThrows(StoreLockedException.class, () -> StoreLock.acquire(directory));
    assertTrue(e.getMessage().contains(directory.toString()), e.getMessage());
    assertTrue(e.getMessage().contains("this process"), e.getMessage());
    lock.release();
    lock.release();
    StoreLock.acquire(directory).release();
  }

  @Test
  void releasingTwiceDoesNotReleaseTheNextHolder() {
    StoreLock first = StoreLock.acquire(directory);
    first.release();
    StoreLock second = StoreLock.acquire(directory);
    first.release();
    assertThrows(StoreLockedException.class, () -> StoreLock.acquire(directory));
    second.release();
  }

  @Test
  void aSymbolicLinkIsSeenThrough() throws IOException {
    Path store = Files.createDirectory(directory.resolve("store"));
    Path link = Files.createSymbolicLink(directory.resolve("link"), store);
    StoreLock lock = StoreLock.acquire(link);
    assertThrows(StoreLockedException.class, () -> StoreLock.acquire(store));
    assertThrows(
        StoreLockedException.class,
        () -> StoreLock.acquire(directory.resolve("store").resolve("..").resolve("link")));
    lock.release();
    StoreLock.acquire(store).release();
  }

  @Test
  void aDeletedLockFileDoesNotAdmitASecondHolder() throws IOException {
    StoreLock lock = StoreLock.acquire(directory);
    Files.delete(directory.resolve(StoreLock.FILE));
    assertThrows(StoreLockedException.class, () -> StoreLock.acquire(directory));
    lock.release();
  }

  @Test
  void oneOfManyThreadsGetsIt() throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
      for (int round = 0; round < 50; round++) {
        Callable<StoreLock> acquire = () -> StoreLock.acquire(directory);
        List<Future<StoreLock>> results =
            threads.invokeAll(IntStream.range(0, 8).mapToObj(i -> acquire).toList());
        List<Future<StoreLock>> holders =
            results.stream().filter(f -> f.state() == Future.State.SUCCESS).toList();
        assertEquals(1, holders.size());
        holders.getFirst().resultNow().release();
      }
    }
  }

  @Test
  void anotherProcessIsKeptOutAndNamed() throws Exception {
    StoreLock lock = StoreLock.acquire(directory);
    // In this process a refused attempt must not have dropped the lock either.
    assertThrows(StoreLockedException.class, () -> StoreLock.acquire(directory));
    assertEquals("refused", otherProcess().line());
    lock.release();
    OtherProcess holder = otherProcess();
    assertEquals("locked", holder.line());
    StoreLockedException e =
        assertThrows(StoreLockedException.class, () -> StoreLock.acquire(directory));
    assertTrue(e.getMessage().contains("process id " + holder.process.pid()), e.getMessage());
    holder.process.destroyForcibly().waitFor();
    StoreLock.acquire(directory).release();
  }

  @Test
  void aMissingDirectoryIsExplained() {
    Path missing = directory.resolve("missing");
    PmStoreException e = assertThrows(PmStoreException.class, () -> StoreLock.acquire(missing));
    assertTrue(e.getMessage().contains(missing.toString()), e.getMessage());
  }

  private record OtherProcess(Process process) {
    String line() throws IOException {
      return new BufferedReader(
              new InputStreamReader(process.getInputStream(), StandardCharsets.US_ASCII))
          .readLine();
    }
  }

  /**
   * A process that locks the file the plain way, says how it went, and holds on until it is killed.
   */
  private OtherProcess otherProcess() throws IOException {
    String source =
        """
        import java.nio.ByteBuffer;
        import java.nio.channels.*;
        import java.nio.file.*;
        class Holder {
          public static void main(String[] args) throws Exception {
            FileChannel c = FileChannel.open(Path.of(args[0]), StandardOpenOption.WRITE);
            if (c.tryLock() == null) { System.out.println("refused"); return; }
            c.write(ByteBuffer.wrap((ProcessHandle.current().pid() + "\\n").getBytes()), 0);
            System.out.println("locked");
            Thread.sleep(Long.MAX_VALUE);
          }
        }
        """;
    Path file = Files.writeString(directory.resolve("Holder.java"), source);
    return new OtherProcess(
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                file.toString(),
                directory.resolve(StoreLock.FILE).toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start());
  }
}
