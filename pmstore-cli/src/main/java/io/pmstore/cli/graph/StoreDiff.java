package io.pmstore.cli.graph;

import io.pmstore.cli.path.StorePath;
import io.pmstore.cli.store.OpenedStore;
import io.pmstore.cli.text.Progress;
import io.pmstore.cli.value.ValueText;
import io.pmstore.core.catalogue.CatalogueEntry;
import io.pmstore.core.catalogue.Shape;
import io.pmstore.core.heap.Heap;
import io.pmstore.core.heap.HeapWalk;
import io.pmstore.core.space.ObjectLayout;
import io.pmstore.proxy.generic.GenericObject;
import io.pmstore.proxy.generic.GenericStore;
import io.pmstore.spi.PersistentObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The differences between two copies of one store. Copies keep the addresses of objects; so an
 * object of one copy that has the address and the class of an object of the other one counts as the
 * same object.
 */
public final class StoreDiff {
  private final OpenedStore before;
  private final OpenedStore after;
  private final int limit;
  private final Progress progress;
  private final SortedMap<String, Counts> classes = new TreeMap<>();
  private final List<Change> changes = new ArrayList<>();
  private final List<String> roots = new ArrayList<>();
  private long count;

  /** How many objects of a class are the same in both copies, or not. */
  public record Counts(long same, long changed, long added, long removed) {
    /** Returns true if none differs. */
    public boolean isSame() {
      return changed == 0 && added == 0 && removed == 0;
    }

    private Counts plus(Counts other) {
      return new Counts(
          same + other.same, changed + other.changed, added + other.added, removed + other.removed);
    }
  }

  /**
   * A difference.
   *
   * @param kind changed, added or removed
   * @param what the object
   * @param details what differs, a line each
   */
  public record Change(String kind, long address, String what, List<String> details) {
    /** Copies the list. */
    public Change {
      details = List.copyOf(details);
    }
  }

  private StoreDiff(OpenedStore before, OpenedStore after, int limit, Progress progress) {
    this.before = before;
    this.after = after;
    this.limit = limit;
    this.progress = progress;
  }

  /**
   * Compares two stores.
   *
   * @param limit how many differences are described
   * @param progress gets the bytes of both heaps
   * @throws IllegalArgumentException if they are no copies of one store
   */
  public static StoreDiff of(OpenedStore before, OpenedStore after, int limit, Progress progress) {
    requireCopies(before, after);
    StoreDiff diff = new StoreDiff(before, after, limit, progress);
    diff.compareRoots();
    diff.walk(before, 0, diff::compare);
    diff.walk(after, before.heap().memory().writableBytes(), diff::addNew);
    return diff;
  }

  private static void requireCopies(OpenedStore before, OpenedStore after) {
    List<CatalogueEntry> one = before.catalogue().entries();
    List<CatalogueEntry> other = after.catalogue().entries();
    int common = Math.min(one.size(), other.size());
    for (int i = 0; i < common; i++) {
      if (!one.get(i).equals(other.get(i))) {
        throw new IllegalArgumentException(
            "%s and %s are not copies of one store: entry %d of their type catalogues is %s in one and %s in the other; compare the files of pm export --format jsonl instead"
                .formatted(before.directory(), after.directory(), i + 1, one.get(i), other.get(i)));
      }
    }
  }

  private void compareRoots() {
    TreeSet<String> names = new TreeSet<>(before.generic().roots().keySet());
    names.addAll(after.generic().roots().keySet());
    for (String name : names) {
      Long one = before.generic().roots().get(name);
      Long other = after.generic().roots().get(name);
      if (!Objects.equals(one, other)) {
        count++;
        roots.add(
            "%s: %s -> %s"
                .formatted(
                    StorePath.ofRoot(name),
                    one == null ? "absent" : "@" + one,
                    other == null ? "absent" : "@" + other));
      }
    }
  }

  private void walk(OpenedStore store, long base, HeapWalk.Visitor visitor) {
    HeapWalk walk = new HeapWalk(store.heap(), 0, visitor);
    while (walk.step()) {
      progress.at(base + walk.position());
    }
  }

  private static @Nullable Shape shown(GenericStore store, long header) {
    Shape shape = store.catalogue().shape(ObjectLayout.shapeId(header));
    boolean isNode = GenericStore.isOwn(shape) && store.collectionKind(shape.id()) == null;
    return isNode ? null : shape;
  }

  private static String name(GenericStore store, Shape shape) {
    return store.catalogue().newest(shape).className();
  }

  /** Returns the object of a store at an address if it is of a class of the later one, or null. */
  private @Nullable PersistentObject find(OpenedStore store, long home, String className) {
    Heap heap = store.heap();
    if (home >= heap.memory().size() || !heap.read(() -> heap.isAllocated(home))) {
      return null;
    }
    long header = heap.memory().getLong(home);
    if (ObjectLayout.shapeId(header) == ObjectLayout.SHAPE_CORE || ObjectLayout.isBody(header)) {
      return null;
    }
    Shape shape = store.generic().shapeAt(home);
    return name(after.generic(), shape).equals(className) ? store.generic().at(home) : null;
  }

  private void compare(long home, long header) {
    Shape shape = shown(before.generic(), header);
    if (shape == null) {
      return;
    }
    // The newest name is that of the later store: the class may have been renamed between them.
    String name = name(after.generic(), shape);
    PersistentObject one = before.generic().at(home);
    PersistentObject other = find(after, home, name);
    if (other == null) {
      note(name, new Counts(0, 0, 0, 1), "removed", one, List.of(""));
      return;
    }
    List<String> details = details(one, other);
    if (details.isEmpty()) {
      classes.merge(name, new Counts(1, 0, 0, 0), Counts::plus);
    } else {
      note(name, new Counts(0, 1, 0, 0), "changed", other, details);
    }
  }

  private void addNew(long home, long header) {
    Shape shape = shown(after.generic(), header);
    if (shape != null) {
      String name = name(after.generic(), shape);
      if (find(before, home, name) == null) {
        note(name, new Counts(0, 0, 1, 0), "added", after.generic().at(home), List.of(""));
      }
    }
  }

  private void note(
      String name, Counts counts, String kind, PersistentObject object, List<String> details) {
    classes.merge(name, counts, Counts::plus);
    count++;
    if (changes.size() < limit) {
      changes.add(new Change(kind, GenericStore.address(object), ValueText.of(object), details));
    }
  }

  /** Returns what differs; empty if nothing does. */
  private static List<String> details(PersistentObject one, PersistentObject other) {
    return one instanceof GenericObject a && other instanceof GenericObject b
        ? properties(a.values(), b.values())
        : Contents.differences(one, other);
  }

  private static List<String> properties(
      SequencedMap<String, @Nullable Object> one, SequencedMap<String, @Nullable Object> other) {
    List<String> details = new ArrayList<>();
    TreeSet<String> names = new TreeSet<>(one.keySet());
    names.addAll(other.keySet());
    for (String name : names) {
      if (!one.containsKey(name)) {
        details.add(name + ": new, " + ValueText.of(other.get(name)));
      } else if (!other.containsKey(name)) {
        details.add(name + ": gone, was " + ValueText.of(one.get(name)));
      } else if (!Contents.isSame(one.get(name), other.get(name))) {
        details.add(
            "%s: %s -> %s"
                .formatted(name, ValueText.of(one.get(name)), ValueText.of(other.get(name))));
      }
    }
    return details;
  }

  /** Returns true if the stores are the same. */
  public boolean isSame() {
    return count == 0;
  }

  /** Returns the number of differences. */
  public long count() {
    return count;
  }

  /** Returns the counts by class. */
  public Map<String, Counts> classes() {
    return classes;
  }

  /** Returns the first differences. */
  public List<Change> changes() {
    return changes;
  }

  /** Returns the roots that lead elsewhere, a line each. */
  public List<String> roots() {
    return roots;
  }
}
