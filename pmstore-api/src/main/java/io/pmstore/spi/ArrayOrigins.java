package io.pmstore.spi;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Calendar;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TimeZone;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Knows which properties of persistent objects have an array, as far as enhanced code has read or
 * written it. An array can be the value of properties, and lie within other arrays, at any number
 * of places. A date, a calendar or a time zone that code may change is followed in the same way; in
 * this class, "array" stands for these too. Safe for use by any number of threads.
 */
@SuppressWarnings("JavaUtilDate") // users have such values
final class ArrayOrigins {
  // No store keeps values that are nested more deeply.
  private static final int DEPTH_MAX = 200;

  // An array with more is a constant, most probably. Its objects must not stay in memory with it.
  static final int LINKS_MAX = 256;

  private static final int[] NO_PATH = {};

  /** A property whose value an array was, and the version that the value had then. */
  static final class Source {
    final EnhancedObject owner; // kept alive, so that its place stays its own
    final int offset;
    final int property;
    final boolean ofMethod; // read by a method that may change it in place
    final boolean isAssigned; // by the program, which has read it otherwise
    final boolean isHeld; // within a record or Optional, which is the value
    private final long since; // counts assignments
    volatile long version;
    private volatile boolean isRaised; // by a transaction that has not ended

    Source(EnhancedObject owner, int offset, int property, boolean isAssigned, boolean isHeld) {
      ObjectHandle handle = owner.pmstoreHandle();
      this.owner = owner;
      this.offset = offset;
      this.property = property;
      this.isAssigned = isAssigned;
      this.isHeld = isHeld;
      this.since = isAssigned ? ASSIGNMENTS.incrementAndGet() : ASSIGNMENTS.get();
      this.ofMethod = handle.isChangingInPlace();
      this.version = handle.valueVersion(offset);
    }

    /**
     * Notes that the current transaction has written to the property what the array holds. A
     * roll-back takes that back, so a body that runs again finds the array as the first run did.
     */
    void raise(ObjectHandle handle) {
      if (!isRaised) {
        isRaised = true;
        long before = version;
        handle.onEnd(
            () -> isRaised = false,
            () -> {
              isRaised = false;
              version = before;
            });
      }
      version = handle.valueVersion(offset);
    }

    boolean isClosed() {
      ObjectHandle handle = owner.pmstoreHandleOrNull();
      return handle != null && handle.isClosed();
    }

    @SuppressWarnings("ReferenceEquality") // an object has one handle
    boolean isOf(@Nullable ObjectHandle handle, int ofOffset) {
      return offset == ofOffset && owner.pmstoreHandleOrNull() == handle;
    }
  }

  /** Where an array lies in the value of a property. */
  static final class Place {
    final Source source;
    final @Nullable Object root; // the array that is the value; null if it was collected
    final boolean isOneOfMany; // more than are known
    private final int[] path; // the indexes that lead from the value to the array

    Place(Source source, @Nullable Object root, boolean isOneOfMany, int... path) {
      this.source = source;
      this.root = root;
      this.isOneOfMany = isOneOfMany;
      this.path = path;
    }

    /** Returns true if the current transaction follows the record that holds the array. */
    @SuppressWarnings("ReferenceEquality") // an equal array is another one
    boolean isHeldNow(ObjectHandle handle) {
      Object holder =
          handle.isInWritableTransaction()
              ? handle.getObject(source.offset, source.property)
              : null;
      return holder != null
          && root != null
          && handle.changingParts(holder).stream().anyMatch(part -> part == root);
    }

    boolean isCurrent(ObjectHandle handle) {
      return source.version == handle.valueVersion(source.offset);
    }

    /**
     * Puts elements of an array, or a date, to this place in a value.
     *
     * @return the value, which is the date itself if the property has nothing else
     */
    Object with(@Nullable Object whole, Object array, int from, int length) {
      if (isArray(array)) {
        System.arraycopy(array, from, in(whole), from, length);
      } else if (path.length == 0) {
        return array;
      } else {
        replace(whole, array);
      }
      return Objects.requireNonNull(whole);
    }

    /** Puts an array to this place within another one. */
    private void replace(@Nullable Object whole, Object array) {
      int last = path.length - 1;
      int[] above = Arrays.copyOf(path, last);
      ((Object[]) new Place(source, null, false, above).in(whole))[path[last]] = array;
    }

    /** Returns the array at this place in a value. */
    Object in(@Nullable Object whole) {
      Object part = whole;
      for (int step : path) {
        part = part instanceof Object[] parts ? parts[step] : null;
      }
      if (part == null) {
        throw new IllegalStateException("property " + source.property + " holds no array");
      }
      return part;
    }

    /**
     * Tells the current transaction to store what becomes of the array. Returns false if none does.
     */
    boolean isFollowed(Object array) {
      if (isOneOfMany) {
        return false;
      }
      ObjectHandle handle = source.owner.pmstoreHandle();
      if (source.isHeld) {
        return isHeldNow(handle);
      }
      if (!handle.isInWritableTransaction() || !isCurrent(handle)) {
        return false;
      }
      if (root != null && handle.follow(source.offset, source.property, root)) {
        return true;
      }
      if (path.length == 0) {
        return false;
      }
      Object whole = handle.getObject(source.offset, source.property);
      replace(whole, array);
      return whole != null && handle.follow(source.offset, source.property, whole);
    }
  }

  /** One place of an array: a property, or another array. */
  private sealed interface Link {
    /** The value of a property. */
    record Value(Source source) implements Link {}

    /** An element of another array. */
    record Element(Origin of, int index) implements Link {}
  }

  /** The places of one array. */
  private static final class Origin {
    private final Key key;
    private volatile List<Link> links = List.of();
    private volatile boolean isFull; // only the last link is known then

    Origin(Object array) {
      key = new Key(array);
    }

    /** Adds a place in place of the same one, which it returns. */
    synchronized @Nullable Link put(Link link, Predicate<Link> isSame) {
      if (isFull || links.isEmpty()) {
        links = List.of(link);
        return null;
      }
      Link same = null;
      List<Link> more = new ArrayList<>(links.size() + 1);
      for (Link one : links) {
        if (isSame.test(one)) {
          same = one;
        } else if (!isClosed(one)) {
          more.add(one);
        }
      }
      more.add(link);
      isFull = more.size() > LINKS_MAX;
      links = isFull ? List.of(link) : List.copyOf(more);
      return same;
    }

    private static boolean isClosed(Link link) {
      return link instanceof Link.Value value && value.source().isClosed();
    }

    synchronized void remove(Predicate<Link> which) {
      if (!isFull) {
        links = links.stream().filter(which.negate()).toList();
      }
    }
  }

  /** An array as a key, by identity. */
  private static final class Key extends WeakReference<Object> {
    private final int hash;

    Key(Object array) {
      super(array, GONE);
      hash = System.identityHashCode(array);
    }

    @Override
    public int hashCode() {
      return hash;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      if (this == other) {
        return true;
      }
      Object array = get();
      return array != null && other instanceof Key key && key.refersTo(array);
    }
  }

  /** The key of a look-up, which needs no weak reference. */
  private record Probe(Object array) {
    @Override
    public int hashCode() {
      return System.identityHashCode(array);
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Key key && key.refersTo(array);
    }
  }

  private static final AtomicLong ASSIGNMENTS = new AtomicLong();
  private static final ReferenceQueue<Object> GONE = new ReferenceQueue<>();
  private static final Map<Object, Origin> ORIGINS = new ConcurrentHashMap<>();

  // True while a thread removes the origins of arrays that were collected. It ends when there are
  // none, because a thread keeps the class loader of this class.
  private static final AtomicBoolean CLEANING = new AtomicBoolean();

  private ArrayOrigins() {}

  private static void startCleaner() {
    Thread cleaner = new Thread(null, ArrayOrigins::cleanUp, "pmstore-arrays", 0, false);
    cleaner.setContextClassLoader(null);
    cleaner.setDaemon(true);
    cleaner.start();
  }

  private static void cleanUp() {
    try {
      do {
        while (!ORIGINS.isEmpty()) {
          ORIGINS.remove(GONE.remove());
        }
        CLEANING.set(false);
        // Another thread may have added an origin before, and have seen that this one runs.
      } while (!ORIGINS.isEmpty() && CLEANING.compareAndSet(false, true));
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts this thread", e);
    }
  }

  /** Returns true if no array has a place. */
  static boolean isEmpty() {
    return ORIGINS.isEmpty();
  }

  static boolean isArray(Object value) {
    return value.getClass().isArray();
  }

  /** Returns true for a date, a calendar or a time zone. */
  static boolean isDate(Object value) {
    return value instanceof Date || value instanceof Calendar || value instanceof TimeZone;
  }

  /** Returns true for a date, and for an array in which something can change. */
  static boolean canChange(Object value) {
    return isArray(value) ? Array.getLength(value) > 0 : isDate(value);
  }

  /** Notes that a property has an array. */
  static void note(Object array, EnhancedObject owner, int offset, int property) {
    if (canChange(array)) {
      put(array, origin(array), new Source(owner, offset, property, false, false));
    }
  }

  /** Notes that the value of a property holds an array, within a record or {@code Optional}. */
  static void noteHeld(Object array, EnhancedObject owner, int offset, int property) {
    if (canChange(array)) {
      put(array, origin(array), new Source(owner, offset, property, false, true));
    }
  }

  /** Notes that the current transaction has written an array to a property. */
  static void written(Object array, EnhancedObject owner, int offset, int property) {
    if (!canChange(array)) {
      return;
    }
    Origin origin = origin(array);
    Link earlier = put(array, origin, new Source(owner, offset, property, true, false));
    ObjectHandle handle = owner.pmstoreHandle();
    if (earlier instanceof Link.Value(Source source)) {
      long version = source.version;
      handle.onRollback(
          () -> {
            source.version = version;
            origin.put(earlier, link -> isOf(link, owner, offset));
          });
    } else {
      handle.onRollback(() -> origin.remove(link -> isOf(link, owner, offset)));
    }
  }

  private static @Nullable Link put(Object array, Origin origin, Source source) {
    Link earlier =
        origin.put(new Link.Value(source), link -> isOf(link, source.owner, source.offset));
    noteElements(array, origin);
    if (!CLEANING.get() && CLEANING.compareAndSet(false, true)) {
      startCleaner();
    }
    return earlier;
  }

  private static Origin origin(Object array) {
    Origin known = ORIGINS.get(new Probe(array));
    if (known == null) {
      Origin made = new Origin(array);
      known = ORIGINS.putIfAbsent(made.key, made);
      return known == null ? made : known;
    }
    return known;
  }

  private static boolean isOf(Link link, EnhancedObject owner, int offset) {
    return isOf(link, owner) && ((Link.Value) link).source().offset == offset;
  }

  @SuppressWarnings("ReferenceEquality") // an equal object is another one
  private static boolean isOf(Link link, EnhancedObject owner) {
    return link instanceof Link.Value value && value.source().owner == owner;
  }

  private static void noteElements(Object array, Origin origin) {
    if (mayHoldArrays(array.getClass())) {
      @Nullable Object[] elements = (@Nullable Object[]) array;
      for (int i = 0; i < elements.length; i++) {
        noteElement(elements[i], origin, i);
      }
    }
  }

  /** Returns true for arrays of arrays, of any objects, and of dates. */
  static boolean mayHoldArrays(Class<?> array) {
    Class<?> element = array.componentType();
    return element != null
        && (element.isArray()
            || element == Object.class
            || Date.class.isAssignableFrom(element)
            || Calendar.class.isAssignableFrom(element)
            || TimeZone.class.isAssignableFrom(element));
  }

  /** Returns true for arrays that can contain themselves, as those of any objects can. */
  private static boolean mayHoldItself(Class<?> array) {
    Class<?> leaf = array;
    while (leaf.isArray()) {
      leaf = leaf.componentType();
    }
    return leaf.isAssignableFrom(Object[].class);
  }

  private static void noteElement(@Nullable Object element, Origin of, int index) {
    if (element != null && canChange(element)) {
      Origin origin = origin(element);
      Link.Element link = new Link.Element(of, index);
      boolean isKnown = origin.put(link, link::equals) != null || origin.isFull;
      if (!isKnown || !mayHoldItself(element.getClass())) {
        noteElements(element, origin);
      }
    }
  }

  /** Notes that an element of an array was replaced. */
  static void moved(Object array, int index, @Nullable Object old, @Nullable Object value) {
    boolean isOfArrays =
        !isEmpty() && ((old != null && canChange(old)) || (value != null && canChange(value)));
    if (isOfArrays) {
      Origin of = ORIGINS.get(new Probe(array));
      if (of != null) {
        forgetElement(old, new Link.Element(of, index));
        noteElement(value, of, index);
      }
    }
  }

  private static void forgetElement(@Nullable Object element, Link.Element link) {
    Origin origin = element == null ? null : ORIGINS.get(new Probe(element));
    if (origin != null) {
      origin.remove(link::equals);
    }
  }

  /** Forgets that an object has an array. */
  static void forget(Object array, EnhancedObject owner) {
    Origin origin = ORIGINS.get(new Probe(array));
    if (origin != null) {
      origin.remove(link -> isOf(link, owner));
    }
  }

  /** Notes that a property has been written with what its array holds. */
  static void writtenBack(Object array, ObjectHandle handle, int offset) {
    Origin origin = ORIGINS.get(new Probe(array));
    if (origin != null) {
      for (Link link : origin.links) {
        if (link instanceof Link.Value(Source source) && source.isOf(handle, offset)) {
          source.raise(handle);
        }
      }
    }
  }

  /**
   * Returns true if the program has assigned another array to a property since it has read or
   * assigned one, as far as the other one is reachable still. Then the first one is not the
   * property's value any more.
   */
  static boolean isReplaced(Source source, ObjectHandle handle) {
    return ORIGINS.values().stream()
        .flatMap(origin -> origin.links.stream())
        .anyMatch(link -> isLater(link, source, handle));
  }

  private static boolean isLater(Link link, Source source, ObjectHandle handle) {
    return link instanceof Link.Value(Source other)
        && other.isAssigned
        && other.since > source.since
        && other.isOf(handle, source.offset);
  }

  /** Returns the places of an array in properties of objects that are persistent. */
  static List<Place> places(Object array) {
    Origin origin = ORIGINS.get(new Probe(array));
    if (origin == null) {
      return List.of();
    }
    List<Place> found = new ArrayList<>(1);
    find(origin, array, false, NO_PATH, List.of(), found);
    return found;
  }

  private static List<Origin> with(List<Origin> below, Origin origin, @Nullable Object above) {
    if (above == null || !mayHoldItself(above.getClass())) {
      return below;
    }
    List<Origin> more = new ArrayList<>(below);
    more.add(origin);
    return more;
  }

  /**
   * Finds the places of an array.
   *
   * @param below the arrays on the way to it, which may contain this one too
   */
  @SuppressWarnings("ReferenceEquality") // arrays are found by identity
  private static void find(
      Origin origin,
      @Nullable Object array,
      boolean ofMany,
      int[] path,
      List<Origin> below,
      List<Place> found) {
    boolean isOneOfMany = ofMany || origin.isFull;
    for (Link link : path.length > DEPTH_MAX ? List.<Link>of() : origin.links) {
      switch (link) {
        case Link.Value(Source source) -> {
          if (isOneOfMany) {
            found.add(new Place(source, array, true, path));
          } else if (source.isClosed()) {
            origin.remove(link::equals);
          } else if (source.owner.pmstoreHandleOrNull() != null) { // not plain again
            found.add(new Place(source, array, false, path));
          }
        }
        case Link.Element(Origin of, int index) -> {
          Object above = of.key.get();
          // Code that is not enhanced may have replaced it.
          boolean isThere =
              above == null || array == null || ((@Nullable Object[]) above)[index] == array;
          if (isThere && of != origin && !below.contains(of)) {
            int[] longer = new int[path.length + 1];
            longer[0] = index;
            System.arraycopy(path, 0, longer, 1, path.length);
            find(of, above, isOneOfMany, longer, with(below, origin, above), found);
          }
        }
      }
    }
  }
}
