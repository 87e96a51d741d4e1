package io.pmstore.core.tx;

import io.pmstore.core.space.Allocator;
import io.pmstore.core.space.ReferenceMaps;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * What the transactions of one store share in order to count references and to free what has none:
 * where references are, who holds Java objects, who listens, and what becomes of freed space. Safe
 * for use by any number of threads.
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

  /**
   * Creates the rules of a store.
   *
   * @param maps where objects have references
   * @param allocator what gives freed space out again
   */
  public LinkRules(ReferenceMaps maps, Allocator allocator) {
    this.maps = maps;
    this.allocator = allocator;
  }

  /**
   * Where objects have references.
   *
   * @return the maps of the store
   */
  public ReferenceMaps maps() {
    return maps;
  }

  /**
   * What gives space out.
   *
   * @return the allocator of the store
   */
  public Allocator allocator() {
    return allocator;
  }

  /**
   * Sets who knows the Java objects.
   *
   * @param find gives the Java object that stands for an address, or null
   */
  public void javaObjects(LongFunction<@Nullable Object> find) {
    javaObjects = find;
  }

  /** Whether a Java object stands for an object. */
  boolean isPinned(long object) {
    return javaObjects.apply(object) != null;
  }

  /**
   * Sets who is told of links.
   *
   * @param told the listener
   */
  public void listener(LinkListener told) {
    listener = told;
  }

  /**
   * Who is told of links.
   *
   * @return the listener
   */
  public LinkListener listener() {
    return listener;
  }

  /** Takes back the space of an object that a commit under way has freed. */
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
   * Says whether space that is freed is kept, instead of given out again.
   *
   * @param keep true to keep it; a commit that is under way may not know yet
   */
  public void keepBack(boolean keep) {
    keepsBack = keep;
  }

  /** Gives out what was kept back. Whoever keeps back has ended it, and no commit keeps back. */
  public void giveOut() {
    for (Space space = keptBack.poll(); space != null; space = keptBack.poll()) {
      allocator.freed(space.object(), space.bytes());
    }
  }

  /**
   * How many objects were freed.
   *
   * @return their number, since the store was opened
   */
  public long freedObjects() {
    return freedObjects.sum();
  }

  /**
   * How much space was freed.
   *
   * @return bytes, since the store was opened
   */
  public long freedBytes() {
    return freedBytes.sum();
  }
}
