package io.pmstore.cli.transfer;

import io.pmstore.StoreDamagedException;
import io.pmstore.cli.json.Json;
import io.pmstore.cli.json.ValueWriter;
import io.pmstore.cli.store.OpenedStore;
import io.pmstore.cli.text.Progress;
import io.pmstore.core.catalogue.Property;
import io.pmstore.proxy.collection.CollectionKind;
import io.pmstore.proxy.collection.HashEntries;
import io.pmstore.proxy.collection.PersistentCollection;
import io.pmstore.proxy.collection.SortedEntries;
import io.pmstore.proxy.generic.GenericDamage;
import io.pmstore.proxy.generic.GenericObject;
import io.pmstore.proxy.generic.GenericStore;
import io.pmstore.spi.PersistentObject;
import java.io.PrintWriter;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/**
 * Writes a store, or what some of its roots reach, as JSON. Not thread-safe.
 *
 * <p>An object is written where it is first met, with its {@code @id}; everywhere else {@code
 * {"@ref": id}} stands for it. Objects nested too deeply, and in lines all objects, are written
 * after the roots.
 */
public final class Exporter {
  /** The version of the form of exports. */
  public static final int VERSION = 1;

  private static final int DEPTH_MAX = 16;

  private final OpenedStore store;
  private final PrintWriter target;
  private final boolean lines;
  private final Progress progress;
  private final Ids ids = new Ids();
  private final Deque<Long> pending = new ArrayDeque<>(); // addresses
  private JsonGenerator out;
  private ValueWriter values;
  private int depth;
  private long written;
  private boolean lenient;
  private long lost;

  /**
   * Prepares an export.
   *
   * @param lines true for a document in each line, false for one document
   * @param progress gets the number of objects
   */
  public Exporter(OpenedStore store, PrintWriter target, boolean lines, Progress progress) {
    this.store = store;
    this.target = target;
    this.lines = lines;
    this.progress = progress;
    this.out = Json.generator(target, !lines);
    this.values = new ValueWriter(out, store.catalogue(), new Mentions());
  }

  /** Makes the export go on behind a value that it cannot read, without that value. */
  public void leaveOutDamage() {
    lenient = true;
  }

  /** Returns how many values, elements and rests of collections were left out. */
  public long lost() {
    return lost;
  }

  private final class Mentions implements ValueWriter.References {
    @Override
    public void write(JsonGenerator to, PersistentObject target) {
      mention(target);
    }

    @Override
    public void damaged(JsonGenerator to, GenericDamage damage) {
      lose(damage.message());
      to.writeNull();
    }
  }

  private void lose(String message) {
    if (!lenient) {
      throw new StoreDamagedException(message);
    }
    lost++;
  }

  /** Writes what roots reach. Returns the number of objects and collections written. */
  public long export(Collection<String> names) {
    SortedMap<String, Long> roots = new TreeMap<>(store.generic().roots());
    roots.keySet().retainAll(names);
    out.writeStartObject();
    out.writeNumberProperty("pmstore", VERSION);
    out.writeStringProperty("form", lines ? "jsonl" : "json");
    out.writeName("catalogue");
    CatalogueJson.write(out, store.catalogue());
    out.writeObjectPropertyStart("roots");
    roots.forEach(
        (name, address) -> {
          out.writeName(name);
          values.write(address == 0 ? null : store.generic().at(address));
        });
    out.writeEndObject();
    if (!lines) {
      out.writeArrayPropertyStart("objects");
    }
    rest();
    if (!lines) {
      out.writeEndArray();
      out.writeEndObject();
    }
    out.close();
    target.println();
    return written;
  }

  private void rest() {
    if (lines) {
      out.writeEndObject();
    }
    for (Long next = pending.poll(); next != null; next = pending.poll()) {
      if (lines) {
        newLine();
      }
      object(store.generic().at(next), ids.of(next));
    }
  }

  private void newLine() {
    out.close();
    target.println();
    out = Json.generator(target, false);
    values = new ValueWriter(out, store.catalogue(), new Mentions());
  }

  private void mention(PersistentObject object) {
    int id = ids.of(GenericStore.address(object));
    if (id < 0 && !lines && depth < DEPTH_MAX) {
      object(object, -id);
      return;
    }
    if (id < 0) {
      pending.add(GenericStore.address(object));
    }
    out.writeStartObject();
    out.writeNumberProperty("@ref", Math.abs(id));
    out.writeEndObject();
  }

  private void object(PersistentObject object, int id) {
    depth++;
    out.writeStartObject();
    out.writeNumberProperty("@id", id);
    switch (object) {
      case GenericObject generic -> {
        out.writeStringProperty("@class", generic.className());
        values.shapeIfOld(generic.shape());
        for (Property property : generic.shape().properties()) {
          out.writeName(property.name());
          values.write(lenient ? generic.getOrDamage(property) : generic.get(property), property);
        }
      }
      case PersistentCollection collection -> elements(collection);
      default -> throw new IllegalArgumentException("no object of a store: " + object);
    }
    out.writeEndObject();
    depth--;
    progress.at(++written);
  }

  private void elements(PersistentCollection collection) {
    int shape = store.generic().shapeAt(GenericStore.address(collection)).id();
    CollectionKind kind = Objects.requireNonNull(store.generic().collectionKind(shape));
    out.writeStringProperty("@collection", kind.toString());
    Comparator<?> comparator =
        switch (collection) {
          case SortedMap<?, ?> map -> map.comparator();
          case SortedSet<?> set -> set.comparator();
          default -> null;
        };
    if (comparator != null) {
      out.writeName("comparator");
      Comparators.write(out, values, comparator);
    }
    out.writeArrayPropertyStart(collection instanceof Map ? "entries" : "elements");
    try {
      contents(collection);
    } catch (StoreDamagedException e) { // between two elements: what is nested catches its own
      lose(String.valueOf(e.getMessage()));
    }
    out.writeEndArray();
  }

  private void contents(PersistentCollection collection) {
    boolean isMap = collection instanceof Map;
    if (HashEntries.isHashed(collection)) {
      HashEntries.forEach(
          collection,
          (key, value, hash) -> {
            if (key instanceof GenericDamage damage) {
              lose(damage.message());
              return;
            }
            boolean isOwn = HashEntries.hash(collection, key) != hash;
            if (isMap) {
              entry(key, value, isOwn ? hash : null);
            } else if (isOwn) {
              out.writeStartObject();
              out.writeNumberProperty("@hash", hash);
              out.writeName("element");
              values.write(key);
              out.writeEndObject();
            } else {
              values.write(key);
            }
          });
    } else if (SortedEntries.isSorted(collection)) {
      SortedEntries.forEach(
          collection,
          (key, value) -> {
            if (isMap) {
              entry(key, value, null);
            } else {
              element(key);
            }
            return true;
          });
    } else {
      for (Object element : (Iterable<?>) collection) {
        element(element);
      }
    }
  }

  private void element(@Nullable Object element) {
    if (element instanceof GenericDamage damage) {
      lose(damage.message());
    } else {
      values.write(element);
    }
  }

  private void entry(@Nullable Object key, @Nullable Object value, @Nullable Integer hash) {
    if (key instanceof GenericDamage damage) {
      lose(damage.message());
      return;
    }
    out.writeStartArray();
    values.write(key);
    values.write(value);
    if (hash != null) {
      out.writeNumber(hash);
    }
    out.writeEndArray();
  }
}
