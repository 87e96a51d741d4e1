package io.pmstore.core.tx;

import io.pmstore.core.space.Allocator;
import io.pmstore.core.space.ReferenceMaps;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongConsumer;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The shared state with which the transactions of one store count references and free objects that
 * have none: the reference maps, the allocator, the lookup of Java objects, the listener, and the
 * freed space that must not be used yet. Safe for use by any number of threads.
 */
public final class LinkRules {
  private record Space(long object, int bytes) {}

  private final ReferenceMaps maps;
  private final Allocator allocator;
  private final LongAdder freedObjects = new LongAdder();
  private final LongAdder freedBytes = new LongAdder();
  private final ConcurrentLinkedQueue<Space> keptBack = new ConcurrentLinkedQueue<>();
  private volatile boolean keepsBack;
  private volatile LinkListener listener = LinkListener.NONE;
  private volatile LongFunction<@Nullable Object> javaObjects = object -> null;
  private volatile LongConsumer forget = object -> {};

  /**
   * Creates the rules of a store.
   *
   * @param maps of the references in objects
   * @param allocator gets freed space
   */
  public LinkRules(ReferenceMaps maps, Allocator allocator) {
    this.maps = maps;
    this.allocator = allocator;
  }

  /** Returns where objects have references. */
  public ReferenceMaps maps() {
    return maps;
  }

  /** Returns what allocates space. */
  public Allocator allocator() {
    return allocator;
  }

  /**
   * Sets the lookup of Java objects.
   *
   * @param find returns the Java object that pins the object at an address, or null
   * @param forgetFreed forgets the Java object, if there is one, of an object that a record from
   *     outside has freed
   */
  public void javaObjects(LongFunction<@Nullable Object> find, LongConsumer forgetFreed) {
    javaObjects = find;
    forget = forgetFreed;
  }

  /** Forgets the Java object of an object that a record from outside has freed. */
  void forget(long object) {
    forget.accept(object);
  }

  /** Returns true if a Java object pins an object. */
  boolean isPinned(long object) {
    return javaObjects.apply(object) != null;
  }

  /** Sets the listener that commits inform. */
  public void listener(LinkListener told) {
    listener = told;
  }

  /** Returns the listener that commits inform. */
  public LinkListener listener() {
    return listener;
  }

  /**
   * Takes the space of an object that a commit under way has freed: gives it to the allocator, or
   * keeps it back.
   */
  void freed(long object, int bytes) {
    freedObjects.increment();
    freedBytes.add(bytes);
    if (keepsBack) {
      keptBack.add(new Space(object, bytes));
    } else {
      allocator.freed(object, bytes);
    }
  }

  /**
   * Sets whether freed space is kept back instead of given to the allocator.
   *
   * @param keep true to keep it back; a commit that is under way may not see the change
   */
  public void keepBack(boolean keep) {
    keepsBack = keep;
  }

  /**
   * Gives the space that was kept back to the allocator. Called after {@link #keepBack} with false,
   * when no commit is under way that may still keep space back.
   */
  public void giveOut() {
    for (Space space = keptBack.poll(); space != null; space = keptBack.poll()) {
      allocator.freed(space.object(), space.bytes());
    }
  }

  /** Returns how many objects commits have freed since the store was opened. */
  public long freedObjects() {
    return freedObjects.sum();
  }

  /** Returns how many bytes commits have freed since the store was opened. */
  public long freedBytes() {
    return freedBytes.sum();
  }
}
