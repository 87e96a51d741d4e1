package io.pmstore.core.engine.mapped;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.Storage;
import io.pmstore.StoreDamagedException;
import io.pmstore.core.engine.mapped.header.StoreLayout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Puts the heap of a closed store back beside a log in which later openings have written. The store
 * is refused as long as the log has anything that the heap lacks.
 */
class OlderHeapTest extends StoreTest {
  private static final long SEGMENT_SIZE = 1 << 20;

  /** Makes a store with one word, which is closed; returns its heap file. */
  private static byte[] closed(Path store) throws IOException {
    try (MappedEngine engine = MappedEngine.open(store, small(Storage.FILE))) {
      commit(engine, START, 1);
    }
    return Files.readAllBytes(store.resolve(StoreLayout.HEAP));
  }

  private void kill(Path store, Path killed) throws IOException {
    copyAsAfterKill(store, killed);
  }

  private static void checkRefused(Path store, byte[] old) throws IOException {
    Path heap = store.resolve(StoreLayout.HEAP);
    Files.write(heap, old);
    assertSays(() -> MappedEngine.open(store, small(Storage.FILE)).close());
    assertSays(() -> ReadOnlyEngine.open(store).close());
    assertSays(() -> new MappedProvider().storedCommits(store).orElseThrow().close());
    assertArrayEquals(old, Files.readAllBytes(heap), "nothing is changed");
  }

  private static void assertSays(Executable opening) {
    String message = assertThrows(StoreDamagedException.class, opening).getMessage();
    assertTrue(message.contains(StoreLayout.log(0).substring(0, 4)), message);
    assertTrue(message.contains("the store is in epoch 2"), message);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 40, 4000}) // 4000 go round the log, more than once
  void besideTheLogOfAKilledStore(int commits) throws IOException {
    Path store = directory("store");
    byte[] old = closed(store);
    Path killed = directory("killed");
    try (MappedEngine engine = MappedEngine.open(store, small(Storage.FILE))) {
      for (int i = 0; i < commits; i++) {
        commit(engine, START + 8, new long[200]);
      }
      kill(store, killed);
    }
    checkRefused(killed, old);
  }

  @Test
  void besideTheLogOfAStoreThatWasClosedAgain() throws IOException {
    Path store = directory("store");
    byte[] old = closed(store);
    try (MappedEngine engine = MappedEngine.open(store, small(Storage.FILE))) {
      commit(engine, START, 2);
    }
    checkRefused(store, old);
  }

  /** Each opening starts a new epoch, whether something is committed in it or not. */
  @Test
  void besideALogInWhichSeveralKilledOpeningsHaveWritten() throws IOException {
    Path store = directory("store");
    byte[] old = closed(store);
    for (int i = 0; i < 6; i++) {
      Path killed = directory("killed" + i);
      try (MappedEngine engine = MappedEngine.open(store, small(Storage.FILE))) {
        if (i % 2 == 0) {
          commit(engine, START, i);
        }
        kill(store, killed);
      }
      Path both = directory("both" + i);
      kill(killed, both);
      checkRefused(both, old);
      store = killed;
    }
  }

  /** The log has larger segments than before; the old ones are gone. */
  @Test
  void besideALogThatHasGrown() throws IOException {
    Path store = directory("store");
    byte[] old;
    long size = 4 * SEGMENT_SIZE;
    try (MappedEngine engine = MappedEngine.open(store, small(Storage.FILE).logSegmentSize(size))) {
      commit(engine, START, 1);
    }
    old = Files.readAllBytes(store.resolve(StoreLayout.HEAP));
    Path killed = directory("killed");
    try (MappedEngine engine = MappedEngine.open(store, small(Storage.FILE))) {
      growLog(engine, store, size);
      kill(store, killed);
    }
    checkRefused(killed, old);
  }

  /** A heap to which nothing was added is no older one, whatever its epoch is. */
  @Test
  void besideALogInWhichNothingWasWrittenItIsOpened() throws IOException {
    Path store = directory("store");
    byte[] old = closed(store);
    Path killed = directory("killed");
    try (MappedEngine engine = MappedEngine.open(store, small(Storage.FILE))) {
      assertEquals(1, engine.memory().getLong(START));
      kill(store, killed);
    }
    Files.write(killed.resolve(StoreLayout.HEAP), old);
    try (ReadOnlyEngine engine = ReadOnlyEngine.open(killed)) {
      assertEquals(1, engine.memory().getLong(START));
    }
    try (MappedEngine engine = MappedEngine.open(killed, small(Storage.FILE))) {
      assertEquals(1, engine.memory().getLong(START));
    }
  }

  /** A closed store's own log is full of records, none of which is later. */
  @Test
  void besideItsOwnLogItIsOpened() throws IOException {
    Path store = directory("store");
    for (int i = 0; i < 5; i++) {
      try (MappedEngine engine = MappedEngine.open(store, small(Storage.FILE))) {
        for (int n = 0; n < 1000; n++) {
          commit(engine, START, new long[200]);
        }
        commit(engine, START, i);
      }
      try (ReadOnlyEngine engine = ReadOnlyEngine.open(store)) {
        assertEquals(i, engine.memory().getLong(START));
      }
    }
  }
}
