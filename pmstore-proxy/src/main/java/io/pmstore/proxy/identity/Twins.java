package io.pmstore.proxy.identity;

import java.lang.ref.Reference;
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
  private final Map<Object, Twin> twins = new ConcurrentHashMap<>();
  private final ReferenceQueue<Object> queue = new ReferenceQueue<>();

  /** A plain object as a key, by identity. */
  private static final class Key extends WeakReference<Object> {
    private final int hash;

    Key(Object plain, ReferenceQueue<Object> queue) {
      super(plain, queue);
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
    for (Reference<?> gone = queue.poll(); gone != null; gone = queue.poll()) {
      twins.remove(gone);
    }
    twins.putIfAbsent(new Key(plain, queue), twin);
  }

  /** Forgets everything. */
  public void clear() {
    twins.clear();
  }
}
