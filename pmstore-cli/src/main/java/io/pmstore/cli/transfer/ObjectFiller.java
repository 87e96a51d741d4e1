package io.pmstore.cli.transfer;

import io.pmstore.cli.text.Progress;
import io.pmstore.core.catalogue.Property;
import io.pmstore.core.catalogue.Shape;
import io.pmstore.proxy.collection.CollectionKind;
import io.pmstore.proxy.collection.HashEntries;
import io.pmstore.proxy.collection.PersistentCollection;
import io.pmstore.proxy.generic.GenericStore;
import io.pmstore.spi.PersistentObject;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/** The last reading of an export: gives the objects their values and the collections theirs. */
final class ObjectFiller extends ValueReader {
  private static final int PAGE = 256;

  private final Batch batch;
  private final ObjectMaker made;
  private final Progress progress;
  private final Deque<Content> open = new ArrayDeque<>();
  private long done;

  /** An object or collection whose values are being read. */
  private static final class Content {
    final long address;
    final @Nullable PersistentCollection collection;
    final boolean isDescending;
    final List<Element> elements = new ArrayList<>();

    Content(
        long address,
        @Nullable PersistentCollection collection,
        @Nullable Comparator<?> comparator) {
      this.address = address;
      this.collection = collection;
      this.isDescending = comparator != null && comparator.equals(Comparator.reverseOrder());
    }
  }

  private record Element(@Nullable Object key, @Nullable Object value, @Nullable Integer hash) {}

  ObjectFiller(GenericStore store, Batch batch, long idMax, ObjectMaker made, Progress progress) {
    super(store, idMax);
    this.batch = batch;
    this.made = made;
    this.progress = progress;
  }

  @Override
  Object reference(long id) {
    long address = made.address(id);
    if (address <= 0) {
      throw new ImportException("no object has the @id " + id);
    }
    return store.at(address);
  }

  @Override
  void begin(int id, Shape shape) {
    open.push(new Content(made.address(id), null, null));
  }

  @Override
  void begin(int id, CollectionKind kind, boolean isSorted, @Nullable Comparator<?> comparator) {
    PersistentObject collection = (PersistentObject) reference(id);
    open.push(
        new Content(
            GenericStore.address(collection), (PersistentCollection) collection, comparator));
  }

  @Override
  void property(int id, Property property, @Nullable Object value) {
    long address = Objects.requireNonNull(open.peek()).address;
    batch.add(1, () -> writer.write(address, property, value));
  }

  @Override
  void element(int id, @Nullable Object key, @Nullable Object value, @Nullable Integer hash) {
    Content content = Objects.requireNonNull(open.peek());
    content.elements.add(new Element(key, value, hash));
    if (content.elements.size() == PAGE) {
      flush(content);
    }
  }

  @Override
  Object end(int id) {
    Content content = open.pop();
    if (!content.elements.isEmpty()) {
      flush(content);
    }
    progress.at(++done);
    return store.at(content.address);
  }

  private void flush(Content content) {
    PersistentCollection collection = Objects.requireNonNull(content.collection);
    List<Element> page = List.copyOf(content.elements);
    content.elements.clear();
    if (HashEntries.isHashed(collection)) {
      batch.add(page.size(), () -> page.forEach(element -> addHashed(collection, element)));
    } else if (collection instanceof SortedMap) {
      Map<@Nullable Object, @Nullable Object> entries = new LinkedHashMap<>();
      page.forEach(element -> entries.put(element.key(), element.value()));
      batch.add(
          page.size(),
          () -> writer.inOrder(content.isDescending, () -> writer.addAll(collection, entries)));
    } else {
      List<@Nullable Object> elements = new ArrayList<>();
      page.forEach(element -> elements.add(element.key()));
      batch.add(
          page.size(),
          () -> {
            if (collection instanceof SortedSet) {
              writer.inOrder(content.isDescending, () -> writer.addAll(collection, elements));
            } else {
              writer.addAll(collection, Collections.unmodifiableList(elements));
            }
          });
    }
  }

  private void addHashed(PersistentCollection collection, Element element) {
    int hash =
        element.hash() != null ? element.hash() : HashEntries.hash(collection, element.key());
    writer.addHashed(collection, element.key(), element.value(), hash);
  }
}
