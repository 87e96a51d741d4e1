package io.pmstore.proxy.layer;

import io.pmstore.core.catalogue.Property;
import io.pmstore.proxy.bean.CollectionClasses;
import io.pmstore.proxy.bean.ImmutableClasses;
import io.pmstore.proxy.bean.InPlace;
import io.pmstore.proxy.collection.PersistentCollection;
import io.pmstore.proxy.facade.Facade;
import io.pmstore.proxy.facade.Facades;
import io.pmstore.proxy.schema.Binding;
import io.pmstore.proxy.schema.StoreSchema;
import io.pmstore.proxy.slot.CopiedCollections;
import io.pmstore.proxy.slot.EmbeddedValues;
import io.pmstore.proxy.slot.PropertySlots;
import io.pmstore.spi.EnhancedCollection;
import io.pmstore.spi.PersistentObject;
import java.lang.reflect.Array;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One plain copy of persistent objects, made inside a consistent read. An object is made when it is
 * first met and filled from a queue, so that cycles end and a long chain needs no stack. Objects
 * are filled first, then lists. Records and arrays that have objects follow, and collections that
 * hash or compare their elements, as the last.
 */
final class PlainCopy {
  private record Pending(PersistentObject from, Object to) {}

  private final StoreSchema schema;
  private final EmbeddedValues embedded;
  private final Predicate<Object> included;
  private final IdentityHashMap<Object, Object> copies = new IdentityHashMap<>();
  private final ArrayDeque<Pending> beans = new ArrayDeque<>();
  private final ArrayDeque<Pending> lists = new ArrayDeque<>();
  private final ArrayDeque<Pending> keyed = new ArrayDeque<>();
  private final LateSteps late;
  private final List<Runnable> elements = new ArrayList<>(); // moves of objects that extend lists

  PlainCopy(StoreSchema schema, EmbeddedValues embedded, Predicate<Object> included) {
    this.schema = schema;
    this.embedded = embedded;
    this.included = included;
    this.late = new LateSteps(embedded, this::forEachProperty);
  }

  Object of(PersistentObject root) {
    Object copy = begin(stored(root), Facades.classOf(root));
    // First makes everything that is reachable: keys must be complete when they are added.
    List<PersistentObject> last = new ArrayList<>();
    while (!beans.isEmpty() || !lists.isEmpty() || !keyed.isEmpty()) {
      if (!beans.isEmpty()) {
        fillBean(beans.remove());
      } else if (!lists.isEmpty()) {
        fillOrDefer(lists.remove());
      } else {
        Pending next = keyed.remove();
        meet(next.from());
        late.addKeyed(next.from(), () -> fillKeyed(next));
        last.add(next.from());
      }
    }
    late.run();
    last.reversed().forEach(late::fillNow);
    elements.reversed().forEach(Runnable::run);
    return copy;
  }

  /** Returns the collection behind a facade, or the object itself. */
  private static PersistentObject stored(PersistentObject object) {
    return object instanceof Facade facade ? (PersistentObject) facade.pmstoreCollection() : object;
  }

  private Object copyOf(Object value) {
    return copyOf(value, Object.class);
  }

  /** Returns the copy of a value for a property or component of a declared type. */
  private Object copyOf(Object value, Class<?> type) {
    return switch (value) {
      case PersistentObject object when PersistentObject.isPersistent(object) ->
          copyOfObject(object, type);
      case Object _ when InPlace.isDateOrZone(value) -> InPlace.copy(value);
      default ->
          value.getClass().isArray()
              ? copyOfArray(value)
              : EmbeddedValues.hasComponents(value) ? embedded.map(value, this::copyOfPart) : value;
    };
  }

  /**
   * Returns the copy of a part of a record, whose constructor may look into it. A constructor of
   * the record has made plain collections of those of the store.
   */
  private Object copyOfPart(Object part) {
    boolean isPlain =
        (part instanceof Collection || part instanceof Map) && !(part instanceof PersistentObject);
    Object copy = isPlain ? CopiedCollections.map(part, this::copyOfPart) : copyOf(part);
    late.fillNow(part);
    return copy;
  }

  private Object copyOfObject(PersistentObject object, Class<?> declared) {
    Class<?> type = object instanceof Facade ? Facades.classOf(object) : declared;
    PersistentObject from = stored(object);
    Object copy = copies.get(from);
    if (copy == null && (isCollection(from) || included.test(from))) {
      return begin(from, type);
    }
    if (copy == null) {
      copies.put(from, from);
      return from;
    }
    if (CollectionClasses.contains(type) && !type.isInstance(copy)) {
      throw new IllegalArgumentException(
          "a collection of the store is declared as %s in one property and otherwise in another, where its copy is a %s; declare both with the same type"
              .formatted(type.getName(), copy.getClass().getName()));
    }
    return copy;
  }

  private @Nullable Object copyOrNull(@Nullable Object value) {
    return value == null ? null : copyOf(value);
  }

  private Object copyOfArray(Object array) {
    int length = Array.getLength(array);
    Object copy = Array.newInstance(array.getClass().componentType(), length);
    if (array instanceof Object[] elements) {
      for (int i = 0; i < length; i++) {
        ((@Nullable Object[]) copy)[i] = copyOrNull(elements[i]);
      }
    } else {
      System.arraycopy(array, 0, copy, 0, length);
    }
    return copy;
  }

  private static boolean isCollection(PersistentObject object) {
    return object instanceof PersistentCollection;
  }

  /** Makes the copy of an object, without its contents. */
  private Object begin(PersistentObject from, Class<?> type) {
    Object to;
    if (!isCollection(from)) {
      to = schema.bind(PersistentObject.classOf(from)).type().newBlank();
      beans.add(new Pending(from, to));
    } else {
      to = emptyLike(from);
      if (CollectionClasses.contains(type) && !type.isInstance(to)) {
        to = Facades.newPlain(type, from);
      }
      boolean hashesOrCompares = to instanceof Map || to instanceof Set;
      (hashesOrCompares ? keyed : lists).add(new Pending(from, to));
    }
    copies.put(from, to);
    return to;
  }

  private static Object emptyLike(PersistentObject from) {
    return switch (from) {
      case SortedMap<?, ?> map -> new TreeMap<>(map.comparator());
      case ConcurrentMap<?, ?> _ -> new ConcurrentHashMap<>();
      case SequencedMap<?, ?> _ -> new LinkedHashMap<>();
      case Map<?, ?> _ -> new HashMap<>();
      case SortedSet<?> set -> new TreeSet<>(set.comparator());
      case SequencedSet<?> _ -> new LinkedHashSet<>();
      case Set<?> _ -> new HashSet<>();
      case List<?> _ -> new ArrayList<>();
      case Deque<?> _ -> new ArrayDeque<>();
      default -> throw new IllegalStateException("no collection: " + from.getClass());
    };
  }

  private void fillBean(Pending bean) {
    Binding binding = schema.bind(PersistentObject.classOf(bean.from()));
    List<Property> properties = binding.shape().properties();
    binding.type().copyTransients(bean.from(), bean.to());
    for (int i = 0; i < properties.size(); i++) {
      Object value = PropertySlots.read(bean.from().pmstoreHandle(), properties.get(i), i);
      int index = i;
      if (value != null && EmbeddedValues.isEmbedded(value) && meet(value)) {
        late.addWrite(bean.from(), value, () -> write(bean, binding, index, copyOf(value)));
      } else {
        Class<?> type = binding.type().properties().get(i).type();
        write(bean, binding, i, value == null ? null : copyOf(value, type));
      }
    }
  }

  private void write(Pending bean, Binding binding, int index, @Nullable Object copied) {
    Class<?> type = binding.type().properties().get(index).type();
    if (copied != null && ImmutableClasses.contains(type)) {
      elements.add(
          () -> binding.type().writePlain(bean.to(), index, ImmutableClasses.copy(type, copied)));
    } else if (bean.to() instanceof EnhancedCollection && CollectionClasses.contains(type)) {
      elements.add(() -> binding.type().writePlain(bean.to(), index, copied)); // once it has them
    } else {
      binding.type().writePlain(bean.to(), index, copied);
    }
  }

  /**
   * Makes the copies of all that a value refers to; of a collection, what it holds.
   *
   * @return false if that is nothing
   */
  private boolean meet(Object value) {
    boolean[] any = new boolean[1];
    late.forEachObjectIn(
        value,
        object -> {
          any[0] = true;
          copyOfObject((PersistentObject) object, Object.class);
        });
    return any[0];
  }

  /** Gives the values of the properties of an object that is copied. */
  @SuppressWarnings("ReferenceEquality") // an object that is not included stands for its copy
  private void forEachProperty(PersistentObject bean, Consumer<Object> action) {
    if (copies.get(bean) == bean) {
      return;
    }
    List<Property> properties = schema.bind(PersistentObject.classOf(bean)).shape().properties();
    for (int i = 0; i < properties.size(); i++) {
      Object value = PropertySlots.read(bean.pmstoreHandle(), properties.get(i), i);
      if (value != null && !EmbeddedValues.isEmbedded(value)) { // those are written by steps
        action.accept(value);
      }
    }
  }

  private void fillOrDefer(Pending list) {
    if (((Collection<?>) list.from())
        .stream().anyMatch(element -> element != null && EmbeddedValues.isEmbedded(element))) {
      meet(list.from());
      late.addList(list.from(), () -> fillList(list));
    } else {
      fillList(list);
    }
  }

  @SuppressWarnings("unchecked") // the copy is of the same kind
  private void fillList(Pending list) {
    for (Object element : (Collection<?>) list.from()) {
      ((Collection<@Nullable Object>) list.to()).add(copyOrNull(element));
    }
  }

  @SuppressWarnings("unchecked") // the copy is of the same kind
  private void fillKeyed(Pending keyed) {
    if (keyed.from() instanceof Map<?, ?> map) {
      Map<@Nullable Object, @Nullable Object> to =
          (Map<@Nullable Object, @Nullable Object>) keyed.to();
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        to.put(copyOrNull(entry.getKey()), copyOrNull(entry.getValue()));
      }
    } else {
      fillList(keyed);
    }
  }
}
