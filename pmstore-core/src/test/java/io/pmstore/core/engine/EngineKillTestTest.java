package io.pmstore.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.core.memory.HeapMemory;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Checks that the checker of the kill tests finds lost and half-applied commits. */
class EngineKillTestTest {
  private final MemoryEngine engine = new MemoryEngine();
  private final KillWorkload workload = new KillWorkload(engine);
  private final long[] acknowledged = new long[KillWorkload.THREADS];

  private static final class Enough extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  @BeforeEach
  void run() {
    workload.prepare();
    for (int t = 0; t < KillWorkload.THREADS; t++) {
      int thread = t;
      AtomicInteger lines = new AtomicInteger();
      try {
        workload.run(
            t,
            new OutputStream() {
              @Override
              public void write(int b) {
                throw new AssertionError("an acknowledgement is one write");
              }

              @Override
              public void write(byte[] bytes) {
                String line = new String(bytes, StandardCharsets.US_ASCII);
                assertTrue(line.startsWith(thread + " " + lines.incrementAndGet() + " "), line);
                if (lines.get() == 30 + thread) {
                  throw new Enough();
                }
              }
            });
      } catch (Enough expected) {
        acknowledged[t] = lines.get();
      }
    }
  }

  @Test
  void aWholeStorePasses() {
    assertEquals(new KillWorkload.Finding(30 * 6 + 15, 0, ""), workload.check(acknowledged));
  }

  @Test
  void aLostCommitIsFound() {
    acknowledged[3] += 2;
    assertEquals(2, workload.check(acknowledged).lost());
    assertEquals(
        195, new KillWorkload(new MemoryEngine()).check(new long[] {195, 0, 0, 0, 0, 0}).lost());
  }

  @Test
  void everyWordThatIsNotThereIsFound() {
    HeapMemory memory = engine.memory();
    int found = 0;
    for (long address = Engine.RESERVED; address < memory.size(); address += 8) {
      long word = memory.getLong(address);
      if (word != 0) {
        memory.putLong(address, word - 1);
        assertFalse(workload.check(acknowledged).partial().isEmpty(), "at " + address);
        memory.putLong(address, word);
        // The large areas only in part: each check reads them all.
        address += address > 2 * HeapMemory.EXTENT_SIZE ? 8 * 97 : 0;
        found++;
      }
    }
    assertTrue(found > KillWorkload.THREADS * 100, "only " + found + " words");
  }
}
