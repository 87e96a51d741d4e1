package io.pmstore.proxy.convert;

import io.pmstore.proxy.identity.Twin;
import java.lang.ref.WeakReference;
import java.util.ConcurrentModificationException;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Warns of changes that a program makes where the store does not see them: in a plain object after
 * the transaction that converted it, and in {@linkplain ReturnedValues what properties return}.
 * Such changes are not stored. Once, some time later or when the store closes, it looks at each
 * original that the program still holds, and compares it with what was converted. It logs one
 * warning for each property of a class. It checks at most {@value #MAX} originals of each second,
 * because a program that makes such a mistake makes it often. Thread-safe.
 */
final class LostChanges {
  private static final int MAX = 1000;

  private static final long WAIT_NANOS = 1_000_000_000;

  /** Something that the program may have changed. */
  interface Suspect {
    /** Returns what to warn of, or null. */
    @Nullable String lost();
  }

  private record Recent(Suspect suspect, long since) {}

  /** A plain object whose conversion was committed. */
  private final class Original implements Suspect {
    private final WeakReference<Object> plain;
    private final Twin twin;

    Original(Object plain, Twin twin) {
      this.plain = new WeakReference<>(plain);
      this.twin = twin;
    }

    @Override
    public @Nullable String lost() {
      Object now = plain.get();
      String what = now == null ? null : changed(now, twin);
      return now == null || what == null
          ? null
          : "a plain %s was changed after the transaction that stored it: %s changed. The change is not stored. Change the persistent object, which reading the store returns; or let the transaction end after the change"
              .formatted(now.getClass().getName(), what);
    }
  }

  private final ChangeCheck check;
  private final Queue<Recent> recent = new ConcurrentLinkedQueue<>();
  private final AtomicInteger size = new AtomicInteger();
  private final Set<String> warnings = ConcurrentHashMap.newKeySet();

  // What one look after the other has found, so that the time does not grow with the square of the
  // depth of nested collections. Used while synchronized.
  private final Set<Object> unchanged = ChangeCheck.newSet();

  LostChanges(ChangeCheck check) {
    this.check = check;
  }

  /** Adds an object whose conversion was committed, if there is room. */
  void add(Object plain, Twin twin) {
    if (hasRoom()) {
      add(new Original(plain, twin));
    }
  }

  /** Returns true if it can look at one more. Several threads may come here at once. */
  boolean hasRoom() {
    return size.get() < MAX;
  }

  /** Adds a suspect. The caller has asked whether there is room. */
  void add(Suspect suspect) {
    recent.add(new Recent(suspect, System.nanoTime()));
    if (size.getAndIncrement() == 0) {
      // Not a timer of the JVM's: it would wait for equals methods of the program, and its thread
      // would keep the context class loader of whoever used it first.
      Thread.ofVirtual()
          .name("pmstore-lost-changes")
          .inheritInheritableThreadLocals(false)
          .start(this::lookAtOld);
    }
  }

  private void lookAtOld() {
    try {
      for (Recent next = recent.peek(); next != null; next = recent.peek()) {
        long wait = next.since() + WAIT_NANOS - System.nanoTime();
        if (wait > 0) {
          TimeUnit.NANOSECONDS.sleep(wait);
          forgetUnchanged();
        }
        lookAtNext();
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts this thread", e);
    }
  }

  /** Looks at all that were added. */
  void lookAtAll() {
    while (lookAtNext()) {}
  }

  // Whoever closes the store waits here for a look that is under way: without the twins, which the
  // store forgets then, it would take each reference for one that was changed.
  private synchronized boolean lookAtNext() {
    Recent next = recent.poll();
    if (next == null) {
      return false;
    }
    size.getAndDecrement();
    String lost = lost(next.suspect());
    if (lost != null && warnings.add(lost)) {
      System.getLogger(LostChanges.class.getName()).log(System.Logger.Level.WARNING, lost);
    }
    if (recent.isEmpty()) {
      forgetUnchanged();
    }
    return true;
  }

  /** The program may change them from now on, and they may be garbage. */
  private synchronized void forgetUnchanged() {
    unchanged.clear();
  }

  private static @Nullable String lost(Suspect suspect) {
    try {
      return suspect.lost();
    } catch (RuntimeException e) { // of the program's own equals, say
      System.getLogger(LostChanges.class.getName())
          .log(System.Logger.Level.DEBUG, "an object of the program could not be looked at", e);
      return null;
    }
  }

  private @Nullable String changed(Object plain, Twin twin) {
    try {
      return check.changed(plain, twin, unchanged);
    } catch (ConcurrentModificationException e) {
      return "its elements"; // the program changes them just now
    }
  }
}
