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
 * Warns of changes that a program makes in a plain object after the transaction that converted it:
 * such changes are not stored. Once, some time after the commit or when the store closes, it
 * compares each original that the program still holds with what was converted. It logs one warning
 * for each property of a class. Of the originals that were committed within a second it compares
 * {@value #MAX}, because a program that makes this mistake makes it often. Thread-safe.
 */
final class LostChanges {
  private static final int MAX = 1000;

  private static final long WAIT_NANOS = 1_000_000_000;

  private record Original(WeakReference<Object> plain, Twin twin, long committed) {}

  private final ChangeCheck check;
  private final Queue<Original> recent = new ConcurrentLinkedQueue<>();
  private final AtomicInteger size = new AtomicInteger();
  private final Set<String> warnings = ConcurrentHashMap.newKeySet();

  // What one look after the other has found, so that the time does not grow with the square of the
  // depth of nested collections. Used while synchronized.
  private final Set<Object> unchanged = ChangeCheck.newSet();

  LostChanges(ChangeCheck check) {
    this.check = check;
  }

  /** Adds an object whose conversion was committed. */
  void add(Object plain, Twin twin) {
    if (size.get() >= MAX) { // or a few more, if several threads come here at once
      return;
    }
    recent.add(new Original(new WeakReference<>(plain), twin, System.nanoTime()));
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
      for (Original next = recent.peek(); next != null; next = recent.peek()) {
        long wait = next.committed() + WAIT_NANOS - System.nanoTime();
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
    Original next = recent.poll();
    if (next == null) {
      return false;
    }
    size.getAndDecrement();
    Object plain = next.plain().get();
    String what = plain == null ? null : changed(plain, next.twin());
    if (plain != null && what != null) {
      warn(
          plain.getClass().getName()
              + " was changed after the transaction that stored it: "
              + what);
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

  private @Nullable String changed(Object plain, Twin twin) {
    try {
      return check.changed(plain, twin, unchanged);
    } catch (ConcurrentModificationException e) {
      return "its elements"; // the program changes them just now
    } catch (RuntimeException e) { // of the program's own equals, say
      System.getLogger(LostChanges.class.getName())
          .log(System.Logger.Level.DEBUG, "a plain object could not be looked at", e);
      return null;
    }
  }

  private void warn(String found) {
    if (warnings.add(found)) {
      System.getLogger(LostChanges.class.getName())
          .log(
              System.Logger.Level.WARNING,
              "a plain "
                  + found
                  + " changed. The change is not stored. Change the persistent object, which"
                  + " reading the store returns; or let the transaction end after the change");
    }
  }
}
