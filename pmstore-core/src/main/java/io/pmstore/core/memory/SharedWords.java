package io.pmstore.core.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Some longs that many threads change, in cache lines of their own. A change takes its line away
 * from all other processors. If fields that are only read lay in it too, each reader would wait for
 * them again (false sharing).
 */
public final class SharedWords {
  // Processors fetch lines of 64 bytes in pairs.
  private static final int PADDING = 128 / Long.BYTES;
  private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);

  private final long[] words;

  /** Makes words that are 0. */
  public SharedWords(int count) {
    words = new long[PADDING + count + PADDING];
  }

  /** Returns a word, with volatile semantics. */
  public long get(int index) {
    return (long) WORD.getVolatile(words, PADDING + index);
  }

  /** Returns a word that the caller's lock guards. */
  public long getPlain(int index) {
    return words[PADDING + index];
  }

  /** Sets a word, with release semantics. */
  public void setRelease(int index, long value) {
    WORD.setRelease(words, PADDING + index, value);
  }

  /** Sets a word that the caller's lock guards. */
  public void setPlain(int index, long value) {
    words[PADDING + index] = value;
  }

  /** Sets a word if it has the expected value, and returns true then; with volatile semantics. */
  public boolean compareAndSet(int index, long expected, long value) {
    return WORD.compareAndSet(words, PADDING + index, expected, value);
  }
}
