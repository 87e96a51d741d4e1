package io.pmstore.proxy.identity;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Maps converted plain objects to their twins, as long as the program holds the plain objects. A
 * transaction adds its twins when its body has ended, before it commits. Thread-safe.
 */
public final class Twins {
  private final Map<Object, Twin> twins = new ConcurrentHashMap<>();
  private final ReferenceQueue<Object> gone = new ReferenceQueue<>();

  // Removes the entries of plain objects that were collected. An entry holds its persistent twin,
  // so removal must not wait for the next conversion, which may never come.
  private volatile @Nullable Thread cleaner;
  private boolean closed;

  private void cleanUp() {
    try {
      while (true) {
        twins.remove(gone.remove());
      }
    } catch (InterruptedException e) {
      // close() interrupts this thread.
      return;
    }
  }

  /** A plain object as a key, by identity. */
  private static final class Key extends WeakReference<Object> {
    private final int hash;

    Key(Object plain, ReferenceQueue<Object> gone) {
      super(plain, gone);
      hash = System.identityHashCode(plain);
    }

    @Override
    public int hashCode() {
      return hash;
    }

    @Override
    public boolean equals(Object other) {
      if (this == other) {
        return true;
      }
      Object plain = get();
      return plain != null && other instanceof Key key && key.refersTo(plain);
    }
  }

  /** The key of a look-up, which needs no weak reference. */
  private record Probe(Object plain) {
    @Override
    public int hashCode() {
      return System.identityHashCode(plain);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Key key && key.refersTo(plain);
    }
  }

  public Twins() {}

  /** Returns the twin of a plain object, committed or about to be; null if it has none. */
  public @Nullable Twin find(Object plain) {
    return twins.get(new Probe(plain));
  }

  /** Adds a twin. Returns false if the plain object has one, of another transaction. */
  public boolean add(Object plain, Twin twin) {
    if (cleaner == null) {
      startCleaner();
    }
    return twins.putIfAbsent(new Key(plain, gone), twin) == null;
  }

  /** Forgets a twin, because its transaction rolls back. Does nothing if it was not added. */
  public void remove(Object plain, Twin twin) {
    twins.remove(new Probe(plain), twin);
  }

  private synchronized void startCleaner() {
    if (cleaner == null && !closed) {
      Thread started = new Thread(null, this::cleanUp, "pmstore-twins", 0, false);
      started.setContextClassLoader(null);
      started.setDaemon(true);
      started.start();
      cleaner = started;
    }
  }

  /** Forgets everything for good. The store calls it when it closes. */
  public synchronized void close() {
    closed = true;
    if (cleaner != null) {
      cleaner.interrupt();
    }
    twins.clear();
  }
}
