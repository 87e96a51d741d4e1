package io.pmstore.proxy.identity;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The plain objects that were converted, with their twins, for as long as the program holds the
 * plain objects. Safe for use by any number of threads.
 */
public final class Twins {
  // One thread for all stores takes out the entries of plain objects that are gone. An entry holds
  // its persistent twin, so it
  // must not wait for the next conversion, which may never come.
  private static final ReferenceQueue<Object> GONE = new ReferenceQueue<>();

  static {
    Thread cleaner = new Thread(null, Twins::cleanUp, "pmstore-twins", 0, false);
    cleaner.setContextClassLoader(null);
    cleaner.setDaemon(true);
    cleaner.start();
  }

  private final Map<Object, Twin> twins = new ConcurrentHashMap<>();

  private static void cleanUp() {
    while (true) {
      try {
        if (GONE.remove() instanceof Key key) {
          key.owner.twins.remove(key);
        }
      } catch (InterruptedException e) {
        // Nobody has a reason to interrupt this thread, and it has none to end.
      }
    }
  }

  /** A plain object as a key, by identity. */
  private static final class Key extends WeakReference<Object> {
    private final Twins owner;
    private final int hash;

    Key(Twins owner, Object plain) {
      super(plain, GONE);
      this.owner = owner;
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

  /** What looks a plain object up. */
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

  /** Creates an empty map. */
  public Twins() {}

  /**
   * The twin of a plain object.
   *
   * @param plain the plain object
   * @return its twin, or null if it was not converted
   */
  public @Nullable Twin find(Object plain) {
    return twins.get(new Probe(plain));
  }

  /**
   * Remembers a twin, unless the plain object has one.
   *
   * @param plain the plain object
   * @param twin its twin, committed
   */
  public void remember(Object plain, Twin twin) {
    twins.putIfAbsent(new Key(this, plain), twin);
  }

  /** Forgets everything. */
  public void clear() {
    twins.clear();
  }
}
