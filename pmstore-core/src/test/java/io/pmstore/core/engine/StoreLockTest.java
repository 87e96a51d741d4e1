package io.pmstore.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.PmStoreException;
import io.pmstore.StoreLockedException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
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
  void aFileThatCannotBeOpenedIsRefusedWithTheReasonAndNoClassName() throws IOException {
    Path file = Files.createDirectory(directory.resolve(StoreLock.FILE));
    PmStoreException e = assertThrows(PmStoreException.class, () -> StoreLock.acquire(directory));
    assertTrue(e.getMessage().contains("opening " + file + ": Is a directory"), e.getMessage());
    assertFalse(e.getMessage().contains("Exception"), e.getMessage());
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
  void readersShareAndExcludeAWriter() throws Exception {
    StoreLock.acquire(directory).release(); // makes the file
    StoreLock first = StoreLock.acquireShared(directory);
    StoreLock second = StoreLock.acquireShared(directory);
    for (StoreLock reader : List.of(first, second)) {
      StoreLockedException e =
          assertThrows(StoreLockedException.class, () -> StoreLock.acquire(directory));
      assertTrue(e.getMessage().contains("open for reading"), e.getMessage());
      assertEquals("refused", otherProcess().line());
      reader.release();
      reader.release();
    }
    StoreLock writer = StoreLock.acquire(directory);
    StoreLockedException e =
        assertThrows(StoreLockedException.class, () -> StoreLock.acquireShared(directory));
    assertTrue(e.getMessage().contains("this process"), e.getMessage());
    writer.release();
    OtherProcess holder = otherProcess();
    assertEquals("locked", holder.line());
    e = assertThrows(StoreLockedException.class, () -> StoreLock.acquireShared(directory));
    assertTrue(e.getMessage().contains("process id " + holder.process.pid()), e.getMessage());
    holder.process.destroyForcibly().waitFor();
    StoreLock.acquireShared(directory).release();
  }

  @Test
  void aDeletedLockFileAdmitsNoWriterBesideReaders() throws IOException {
    StoreLock.acquire(directory).release(); // makes the file
    StoreLock reader = StoreLock.acquireShared(directory);
    Files.delete(directory.resolve(StoreLock.FILE));
    StoreLockedException e =
        assertThrows(StoreLockedException.class, () -> StoreLock.acquire(directory));
    assertTrue(e.getMessage().contains("open for reading"), e.getMessage());
    StoreLock.acquireShared(directory).release();
    reader.release();
    StoreLock.acquire(directory).release();
  }

  /**
   * The same class once more, from another class loader, knows nothing of this one: as in a server
   * that runs two programs. What it does must not take the lock from here.
   */
  @Test
  void anotherClassLoaderIsAnotherHolder() throws Exception {
    try (URLClassLoader loader = new URLClassLoader(locations(), null)) {
      Class<?> twin = Class.forName(StoreLock.class.getName(), true, loader);
      assertNotSame(StoreLock.class, twin);
      Method acquire = twin.getMethod("acquire", Path.class);
      Method acquireShared = twin.getMethod("acquireShared", Path.class);
      Method release = twin.getMethod("release");

      StoreLock writer = StoreLock.acquire(directory);
      for (Method method : List.of(acquire, acquireShared)) {
        InvocationTargetException e =
            assertThrows(InvocationTargetException.class, () -> method.invoke(null, directory));
        assertEquals(StoreLockedException.class.getName(), e.getCause().getClass().getName());
        assertEquals("refused", otherProcess().line(), "the lock is still here");
      }
      writer.release();

      StoreLock reader = StoreLock.acquireShared(directory);
      Object other = acquireShared.invoke(null, directory);
      reader.release();
      assertThrows(StoreLockedException.class, () -> StoreLock.acquire(directory));
      assertEquals("refused", otherProcess().line(), "the lock is still there");
      release.invoke(other);

      other = acquire.invoke(null, directory);
      assertThrows(StoreLockedException.class, () -> StoreLock.acquire(directory));
      assertEquals("refused", otherProcess().line(), "the lock is still there");
      release.invoke(other);
      StoreLock.acquire(directory).release();
    }
  }

  private static URL[] locations() throws Exception {
    List<URL> locations = new ArrayList<>();
    for (Class<?> type : List.of(StoreLock.class, StoreLockedException.class)) {
      locations.add(type.getProtectionDomain().getCodeSource().getLocation());
    }
    return locations.toArray(URL[]::new);
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

  /** Locks a file the plain way, says how it went, and holds on until it is killed. */
  static final class Holder {
    private Holder() {}

    public static void main(String[] args) throws Exception {
      FileChannel channel = FileChannel.open(Path.of(args[0]), StandardOpenOption.WRITE);
      if (channel.tryLock() == null) {
        System.out.println("refused");
        return;
      }
      byte[] pid = (ProcessHandle.current().pid() + "\n").getBytes(StandardCharsets.US_ASCII);
      channel.write(ByteBuffer.wrap(pid), 0);
      System.out.println("locked");
      Thread.sleep(Long.MAX_VALUE);
    }
  }

  private OtherProcess otherProcess() throws IOException {
    return new OtherProcess(new ChildJvm(Holder.class, directory.resolve(StoreLock.FILE)).start());
  }
}
