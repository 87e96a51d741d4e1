package io.pmstore.proxy.layer;

import io.pmstore.proxy.collection.PersistentCollection;
import io.pmstore.proxy.facade.Facades;
import io.pmstore.proxy.slot.EmbeddedValues;
import io.pmstore.spi.PersistentObject;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The steps of one plain copy that wait until everything is met: writes of records and arrays that
 * have objects, and the filling of collections. They run in the reverse order in which they were
 * added, because a constructor may look into its arguments.
 *
 * <p>A step that fills a map or a set hashes or compares the keys, which must be complete. So
 * everything that it reaches comes first. In a cycle, a write that needs the map itself comes after
 * it.
 */
final class LateSteps {
  /** A step, and what it copies. */
  private static final class Step {
    private final Object value;
    private final Runnable action;
    private boolean isDone;

    Step(Object value, Runnable action) {
      this.value = value;
      this.action = action;
    }

    void run() {
      if (!isDone) {
        isDone = true;
        action.run();
      }
    }
  }

  /** A visit of a step or of an object, before or after all that it reaches. */
  private record Visit(Object to, boolean isAfter) {}

  private final EmbeddedValues embedded;
  private final BiConsumer<PersistentObject, Consumer<Object>> properties;
  private final List<Step> steps = new ArrayList<>(); // in the order of meeting
  private final IdentityHashMap<Object, List<Step>> writes = new IdentityHashMap<>(); // by the bean
  private final IdentityHashMap<Object, Step> unfilled = new IdentityHashMap<>(); // by collection
  private final Set<Object> visited = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Set<Object> open = Collections.newSetFromMap(new IdentityHashMap<>());

  /**
   * @param properties gives the values of a bean's properties
   */
  LateSteps(EmbeddedValues embedded, BiConsumer<PersistentObject, Consumer<Object>> properties) {
    this.embedded = embedded;
    this.properties = properties;
  }

  /** Adds the write of a bean's property, which has this value. */
  void addWrite(PersistentObject bean, Object value, Runnable write) {
    Step step = new Step(value, write);
    steps.add(step);
    writes.computeIfAbsent(bean, _ -> new ArrayList<>()).add(step);
  }

  /** Adds the filling of a list. */
  void addList(PersistentObject list, Runnable filling) {
    addKeyed(list, filling);
    steps.add(new Step(list, () -> fillNow(list)));
  }

  /** Adds the filling of a map or set, which runs when another step needs it. */
  void addKeyed(PersistentObject collection, Runnable filling) {
    unfilled.put(collection, new Step(collection, filling));
  }

  /** Fills the copy of a collection, unless that has begun: code of the program may read it. */
  void fillNow(Object collection) {
    Step filling = unfilled.remove(stored(collection));
    if (filling != null) {
      filling.run();
    }
  }

  /** Runs all, but for maps and sets that no other step needs. */
  void run() {
    for (Step step : steps.reversed()) {
      if (keyedIn(step.value).isEmpty()) {
        step.run();
      } else {
        runAfterWhatItReaches(step);
      }
    }
  }

  /** Needs no stack for a long chain. */
  private void runAfterWhatItReaches(Step first) {
    ArrayDeque<Visit> visits = new ArrayDeque<>();
    visits.push(new Visit(first, false));
    while (!visits.isEmpty()) {
      Visit visit = visits.pop();
      if (visit.isAfter()) {
        leave(visit.to());
      } else if (enter(visit.to())) {
        visits.push(new Visit(visit.to(), true));
        forEachReached(visit.to(), next -> visits.push(new Visit(next, false)));
      }
    }
  }

  /** Returns false if a visit is not needed, or must wait until an open map or set is filled. */
  private boolean enter(Object one) {
    boolean mustWait =
        one instanceof Step step && keyedIn(step.value).stream().anyMatch(open::contains);
    return !mustWait && visited.add(one) && open.add(one);
  }

  private void leave(Object one) {
    open.remove(one);
    if (one instanceof Step step) {
      step.run();
    } else {
      fillNow(one);
    }
  }

  /** Gives the objects that a step or an object refers to, and the writes of each bean. */
  private void forEachReached(Object one, Consumer<Object> action) {
    Consumer<Object> withWrites =
        object -> {
          Object stored = stored(object);
          action.accept(stored);
          writes.getOrDefault(stored, List.of()).forEach(action);
        };
    switch (one) {
      case Step step -> forEachObject(step.value, withWrites);
      case PersistentCollection collection -> forEachObjectIn(collection, withWrites);
      default ->
          properties.accept((PersistentObject) one, value -> forEachObject(value, withWrites));
    }
  }

  /**
   * Returns the maps and sets that hash or compare their keys when the copy of a value is made:
   * those in its records and arrays, and in its lists that are not filled.
   */
  private Set<Object> keyedIn(Object value) {
    Set<Object> keyed = Collections.newSetFromMap(new IdentityHashMap<>());
    Set<Object> lists = Collections.newSetFromMap(new IdentityHashMap<>());
    ArrayDeque<Object> next = new ArrayDeque<>(List.of(value));
    while (!next.isEmpty()) {
      Object one = stored(next.remove());
      boolean isObject = PersistentObject.isPersistent(one);
      if (isObject && !unfilled.containsKey(one)) {
        continue;
      }
      boolean isKeyed = one instanceof Map || one instanceof Set;
      if (isKeyed) {
        keyed.add(one);
      }
      if (!isObject || (!isKeyed && lists.add(one))) {
        partsOf(one).stream().filter(Objects::nonNull).forEach(next::add);
      }
    }
    return keyed;
  }

  /** Returns the collection behind a facade, or the object itself. */
  private static Object stored(Object object) {
    return Objects.requireNonNull(Facades.unwrapped(object));
  }

  /** Gives the persistent objects in a value, or the value itself if it is one. */
  private void forEachObject(@Nullable Object value, Consumer<Object> action) {
    if (PersistentObject.isPersistent(value)) {
      action.accept(value);
    } else if (value != null) {
      forEachObjectIn(value, action);
    }
  }

  /** Gives the persistent objects in a collection, or in a value with parts. */
  void forEachObjectIn(Object whole, Consumer<Object> action) {
    partsOf(whole).forEach(part -> forEachObject(part, action));
  }

  private Collection<?> partsOf(Object whole) {
    return switch (whole) {
      case Map<?, ?> map -> {
        List<@Nullable Object> parts = new ArrayList<>(map.keySet());
        parts.addAll(map.values());
        yield parts;
      }
      case Collection<?> all -> all;
      case Object[] array -> Arrays.asList(array);
      case Object value when EmbeddedValues.hasComponents(value) ->
          Arrays.asList(embedded.parts(value));
      default -> List.of();
    };
  }
}
