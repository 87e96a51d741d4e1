package io.pmstore.spi;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Knows which properties of persistent objects have an array, as far as enhanced code has read or
 * written it. An array can be the value of properties, and lie within other arrays, at any number
 * of places. Safe for use by any number of threads.
 */
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
    volatile long version;

    Source(EnhancedObject owner, int offset, int property) {
      ObjectHandle handle = owner.pmstoreHandle();
      this.owner = owner;
      this.offset = offset;
      this.property = property;
      this.ofMethod = handle.isChangingInPlace();
      this.version = handle.valueVersion(offset);
    }

    /** Notes that the current transaction has written to the property what the array holds. */
    void written(ObjectHandle handle) {
      long earlier = version;
      handle.onRollback(() -> version = earlier);
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
    private final Link link; // of the array itself
    private final int[] path; // the indexes that lead from the value to the array

    private Place(
        Source source, @Nullable Object root, boolean isOneOfMany, Link link, int... path) {
      this.source = source;
      this.root = root;
      this.isOneOfMany = isOneOfMany;
      this.link = link;
      this.path = path;
    }

    boolean isCurrent(ObjectHandle handle) {
      return source.version == handle.valueVersion(source.offset);
    }

    /** Returns the array at this place in a value. */
    Object in(@Nullable Object whole) {
      return in(whole, path.length);
    }

    private Object in(@Nullable Object whole, int steps) {
      Object part = whole;
      for (int i = 0; i < steps; i++) {
        part = part instanceof Object[] parts ? parts[path[i]] : null;
      }
      if (part == null) {
        throw new IllegalStateException("property " + source.property + " holds no array");
      }
      return part;
    }

    /**
     * Tells the current transaction to store what becomes of the array. Returns false if it does
     * not: it has another copy of the array.
     */
    boolean isFollowed(Object array) {
      return canFollow()
          && ((root != null && follow(root)) || (path.length > 0 && isPutIntoValue(array)));
    }

    private boolean canFollow() {
      if (isOneOfMany) {
        return false;
      }
      ObjectHandle handle = source.owner.pmstoreHandle();
      return handle.isInWritableTransaction() && isCurrent(handle);
    }

    /** The program has the array, but not the value that it lies in, or another copy of that. */
    @SuppressWarnings("ReferenceEquality") // an equal array is another one
    private boolean isPutIntoValue(Object array) {
      Object whole = source.owner.pmstoreHandle().getObject(source.offset, source.property);
      int last = path.length - 1;
      Object[] holder = (Object[]) in(whole, last);
      Object held = holder[path[last]];
      if (whole == null
          || !Objects.deepEquals(held, array)
          || ORIGINS.containsKey(new Probe(held))) {
        return false; // the transaction has changed another copy, or the program has one
      }
      holder[path[last]] = array;
      origin(array).remove(link::equals);
      linkTo(whole);
      return follow(whole);
    }

    /** Notes the place that leads from a value to the array, and no other array of the value. */
    private void linkTo(Object whole) {
      Origin of = origin(whole);
      Source now = new Source(source.owner, source.offset, source.property);
      of.put(new Link.Value(now), one -> isOf(one, source.owner, source.offset));
      for (int i = 0; i < path.length; i++) {
        Link.Element element = new Link.Element(of, path[i]);
        of = origin(in(whole, i + 1));
        of.put(element, element::equals);
      }
    }

    private boolean follow(Object value) {
      return source.owner.pmstoreHandle().follow(source.offset, source.property, value);
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

  /** Notes that a property has an array. */
  static void note(Object array, EnhancedObject owner, int offset, int property) {
    if (Array.getLength(array) > 0) { // else nothing can change in it
      put(array, origin(array), owner, offset, property);
    }
  }

  /** Notes that the current transaction has written an array to a property. */
  static void written(Object array, EnhancedObject owner, int offset, int property) {
    if (Array.getLength(array) == 0) {
      return;
    }
    Origin origin = origin(array);
    Link earlier = put(array, origin, owner, offset, property);
    ObjectHandle handle = owner.pmstoreHandle();
    if (!handle.isInWritableTransaction()) {
      return;
    }
    if (earlier instanceof Link.Value(Source source)) {
      long version = source.version;
      Runnable restore = ArrayContents.restoring(array);
      handle.onRollback(
          () -> {
            restore.run();
            source.version = version;
            origin.put(earlier, link -> isOf(link, owner, offset));
          });
    } else {
      handle.onRollback(() -> origin.remove(link -> isOf(link, owner, offset)));
    }
  }

  private static @Nullable Link put(
      Object array, Origin origin, EnhancedObject owner, int offset, int property) {
    Source source = new Source(owner, offset, property);
    Link earlier = origin.put(new Link.Value(source), link -> isOf(link, owner, offset));
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
    if (mayHoldArrays(array)) {
      @Nullable Object[] elements = (@Nullable Object[]) array;
      for (int i = 0; i < elements.length; i++) {
        noteElement(elements[i], origin, i);
      }
    }
  }

  private static boolean mayHoldArrays(Object array) {
    Class<?> element = array.getClass().componentType();
    return element.isArray() || element == Object.class;
  }

  private static void noteElement(@Nullable Object element, Origin of, int index) {
    if (element != null && isArray(element) && Array.getLength(element) > 0) {
      Origin origin = origin(element);
      Link.Element link = new Link.Element(of, index);
      // Only arrays of objects can contain themselves.
      if (origin.put(link, link::equals) == null || element.getClass().componentType().isArray()) {
        noteElements(element, origin);
      }
    }
  }

  /** Notes that an element of an array was replaced. */
  static void moved(Object array, int index, @Nullable Object old, @Nullable Object value) {
    boolean isOfArrays = (old != null && isArray(old)) || (value != null && isArray(value));
    if (isOfArrays && !isEmpty()) {
      Origin of = ORIGINS.get(new Probe(array));
      if (of != null) {
        forgetElement(old, new Link.Element(of, index));
        noteElement(value, of, index);
        if (old != null) {
          ArrayContents.removed(old, array);
        }
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
          source.written(handle);
        }
      }
    }
  }

  /** Notes which arrays lie in an array that code has changed which is not enhanced. */
  static void noteElements(Object array) {
    Origin origin = ORIGINS.get(new Probe(array));
    if (origin != null) {
      noteElements(array, origin);
    }
  }

  /** Returns the places of an array in properties of objects that are persistent. */
  static List<Place> places(Object array) {
    Origin origin = ORIGINS.get(new Probe(array));
    if (origin == null) {
      return List.of();
    }
    List<Place> found = new ArrayList<>(1);
    find(origin, array, false, null, NO_PATH, found);
    return found;
  }

  @SuppressWarnings("ReferenceEquality") // arrays are found by identity
  private static void find(
      Origin origin,
      @Nullable Object array,
      boolean ofMany,
      @Nullable Link first,
      int[] path,
      List<Place> found) {
    boolean isOneOfMany = ofMany || origin.isFull;
    for (Link link : path.length > DEPTH_MAX ? List.<Link>of() : origin.links) {
      Link ofArray = first == null ? link : first;
      switch (link) {
        case Link.Value(Source source) -> {
          if (isOneOfMany) {
            found.add(new Place(source, array, true, ofArray, path));
          } else if (source.isClosed()) {
            origin.remove(link::equals);
          } else if (source.owner.pmstoreHandleOrNull() != null) { // not plain again
            found.add(new Place(source, array, false, ofArray, path));
          }
        }
        case Link.Element(Origin of, int index) -> {
          Object above = of.key.get();
          // Code that is not enhanced may have replaced it.
          if (above == null || array == null || ((@Nullable Object[]) above)[index] == array) {
            int[] longer = new int[path.length + 1];
            longer[0] = index;
            System.arraycopy(path, 0, longer, 1, path.length);
            find(of, above, isOneOfMany, ofArray, longer, found);
          }
        }
      }
    }
  }
}
