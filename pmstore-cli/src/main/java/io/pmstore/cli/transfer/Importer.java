package io.pmstore.cli.transfer;

import io.pmstore.cli.json.Json;
import io.pmstore.cli.text.Progress;
import io.pmstore.core.catalogue.CatalogueEntry;
import io.pmstore.core.heap.Heap;
import io.pmstore.proxy.generic.GenericStore;
import io.pmstore.spi.PersistentObject;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;

/**
 * Fills a new store from an export. The file is read at least twice: first all objects are made, so
 * that any of them can refer to any other, then they get their values. Not thread-safe.
 */
public final class Importer {
  private static final long SMALL_IDS = 1 << 20;
  private static final int BYTES_OF_ID = "{\"@ref\":".length();

  private final Path file;
  private final GenericStore store;
  private final Progress progress;
  private Map<Integer, CatalogueEntry> entries = new HashMap<>();

  /**
   * Prepares an import.
   *
   * @param store new and writable
   * @param progress gets the number of objects
   */
  public Importer(Path file, GenericStore store, Progress progress) {
    this.file = file;
    this.store = store;
    this.progress = progress;
  }

  /**
   * Fills the store.
   *
   * @return the number of objects and collections
   * @throws ImportException if the file is no export
   */
  public long run() throws IOException {
    Batch batch = new Batch(store.heap());
    long idMax = idMax(Files.size(file));
    ObjectMaker maker = new ObjectMaker(store, batch, idMax);
    long made;
    do { // again, if comparators are objects that come later in the file
      made = maker.count();
      maker.restart();
      Map<String, @Nullable Object> _ = read(maker);
      batch.flush();
    } while (maker.isIncomplete() && maker.count() > made);
    if (maker.isIncomplete()) {
      throw new ImportException(
          file + " has a sorted collection whose comparator is no object in the file");
    }
    ObjectFiller filler = new ObjectFiller(store, batch, idMax, maker, progress);
    Map<String, @Nullable Object> roots = read(filler);
    batch.flush();
    setRoots(roots);
    return maker.count();
  }

  /**
   * Returns the largest id that an object in a file can have. An export counts objects from 1, and
   * each takes more bytes than {@link #BYTES_OF_ID}. Small ids take so little memory that a part of
   * an export may have them.
   */
  private static long idMax(long size) {
    return Math.min(Integer.MAX_VALUE - 16, Math.max(SMALL_IDS, size / BYTES_OF_ID));
  }

  private void setRoots(Map<String, @Nullable Object> roots) {
    Heap heap = store.heap();
    heap.transaction(
        () -> {
          roots.forEach(
              (name, root) -> {
                if (root != null && !(root instanceof PersistentObject)) {
                  throw new ImportException("root " + name + " is no object");
                }
                heap.directory()
                    .setRoot(
                        name,
                        root instanceof PersistentObject object ? GenericStore.address(object) : 0);
              });
          return true;
        });
  }

  /** Reads the whole file, with objects as {@code values} treats them; returns the roots. */
  private Map<String, @Nullable Object> read(ValueReader values) throws IOException {
    try (Reader text = Files.newBufferedReader(file, StandardCharsets.UTF_8);
        JsonParser in = Json.FACTORY.createParser(ObjectReadContext.empty(), text)) {
      try {
        return document(in, values);
      } catch (JacksonException e) {
        throw new ImportException(
            "%s is no export, or not whole: in line %d, column %d: %s"
                .formatted(
                    file,
                    in.currentLocation().getLineNr(),
                    in.currentLocation().getColumnNr(),
                    // Jackson does not know where the open value begins, and says so.
                    e.getOriginalMessage().replaceAll(" \\(start marker at .*", "")),
            e);
      } catch (ImportException e) {
        throw new ImportException(
            "%s, before line %d, column %d: %s"
                .formatted(
                    file,
                    in.currentLocation().getLineNr(),
                    in.currentLocation().getColumnNr(),
                    e.getMessage()),
            e);
      }
    }
  }

  private Map<String, @Nullable Object> document(JsonParser in, ValueReader values) {
    if (in.nextToken() != JsonToken.START_OBJECT || !"pmstore".equals(in.nextName())) {
      throw new ImportException("this is no export: it does not begin with {\"pmstore\":");
    }
    JsonToken _ = in.nextToken();
    if (in.getIntValue() != Exporter.VERSION) {
      throw new ImportException(
          "the export has version %d, and this program reads version %d; use the pm that wrote it, or a later one"
              .formatted(in.getIntValue(), Exporter.VERSION));
    }
    Map<String, @Nullable Object> roots = new LinkedHashMap<>();
    for (String name = in.nextName(); name != null; name = in.nextName()) {
      JsonToken _ = in.nextToken();
      switch (name) {
        case "form" -> {}
        case "catalogue" -> catalogue(in, values);
        case "roots" -> {
          for (String root = in.nextName(); root != null; root = in.nextName()) {
            JsonToken _ = in.nextToken();
            if (roots.containsKey(root)) {
              throw new ImportException("the root " + root + " is given twice");
            }
            roots.put(root, values.value(in, null));
          }
        }
        case "objects" -> {
          while (in.nextToken() != JsonToken.END_ARRAY) {
            Object _ = values.value(in, null);
          }
        }
        default -> throw new ImportException("an export has no part \"" + name + "\"");
      }
    }
    while (in.nextToken() != null) { // lines
      Object _ = values.value(in, null);
    }
    return roots;
  }

  private void catalogue(JsonParser in, ValueReader values) {
    Object tree = Tree.read(in);
    if (entries.isEmpty() && tree instanceof List<?> list) {
      entries = CatalogueJson.add(list, store.catalogue());
    }
    values.catalogue(entries);
  }
}
