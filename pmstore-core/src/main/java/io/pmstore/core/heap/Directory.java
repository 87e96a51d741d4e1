package io.pmstore.core.heap;

import static io.pmstore.core.heap.CoreLayout.CATALOGUE_ENTRY_SIZE;
import static io.pmstore.core.heap.CoreLayout.ENTRY_BLOB_OFFSET;
import static io.pmstore.core.heap.CoreLayout.FLAGS_CATALOGUE_ENTRY;
import static io.pmstore.core.heap.CoreLayout.FLAGS_ROOT_ENTRY;
import static io.pmstore.core.heap.CoreLayout.FLAGS_SUPERBLOCK;
import static io.pmstore.core.heap.CoreLayout.MAGIC;
import static io.pmstore.core.heap.CoreLayout.NEXT_OFFSET;
import static io.pmstore.core.heap.CoreLayout.ROOT_ENTRY_SIZE;
import static io.pmstore.core.heap.CoreLayout.ROOT_NAME_OFFSET;
import static io.pmstore.core.heap.CoreLayout.ROOT_OBJECT_OFFSET;
import static io.pmstore.core.heap.CoreLayout.SUPERBLOCK;
import static io.pmstore.core.heap.CoreLayout.SUPERBLOCK_CATALOGUE_FIRST_OFFSET;
import static io.pmstore.core.heap.CoreLayout.SUPERBLOCK_CATALOGUE_LAST_OFFSET;
import static io.pmstore.core.heap.CoreLayout.SUPERBLOCK_MAGIC_OFFSET;
import static io.pmstore.core.heap.CoreLayout.SUPERBLOCK_ROOTS_OFFSET;
import static io.pmstore.core.heap.CoreLayout.SUPERBLOCK_SIZE;
import static io.pmstore.core.heap.CoreLayout.SUPERBLOCK_VERSION_OFFSET;
import static io.pmstore.core.heap.CoreLayout.VERSION;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.pmstore.StoreDamagedException;
import io.pmstore.StoreFormatException;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.WriteSet;
import io.pmstore.core.memory.HeapMemory;
import io.pmstore.core.space.ObjectLayout;
import io.pmstore.core.tx.Transaction;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The superblock and the two lists that begin there: the named roots and the raw entries of the
 * type catalogue, which the object layer encodes. Safe for use by any number of threads.
 */
public final class Directory {
  private final Heap heap;

  Directory(Heap heap) {
    this.heap = heap;
  }

  /** Writes the superblock of a new store, or checks that of an existing one. */
  static void initialize(Engine engine) {
    if (engine.memory().size() == 0) {
      engine.grow(HeapMemory.EXTENT_SIZE);
    }
    HeapMemory memory = engine.memory();
    long expected = ObjectLayout.header(ObjectLayout.SHAPE_CORE, FLAGS_SUPERBLOCK, SUPERBLOCK_SIZE);
    long header = memory.getLong(SUPERBLOCK);
    long magic = memory.getLong(SUPERBLOCK + SUPERBLOCK_MAGIC_OFFSET);
    if (header == 0 && magic == 0 && engine.position() == 0) {
      WriteSet writes = new WriteSet();
      writes.putLong(SUPERBLOCK, expected);
      writes.putLong(SUPERBLOCK + SUPERBLOCK_MAGIC_OFFSET, MAGIC);
      writes.putLong(SUPERBLOCK + SUPERBLOCK_VERSION_OFFSET, VERSION);
      engine.sync(engine.commit(writes));
      return;
    }
    if (header != expected || magic != MAGIC) {
      throw new StoreDamagedException(
          "the superblock at heap address %d starts with %x %x, expected %x %x; restore the store from a backup"
              .formatted(SUPERBLOCK, header, magic, expected, MAGIC));
    }
    long version = memory.getLong(SUPERBLOCK + SUPERBLOCK_VERSION_OFFSET);
    if (version != VERSION) {
      throw new StoreFormatException(
          "the heap has layout version %d, this program knows version %d; open it with the program that wrote it"
              .formatted(version, VERSION));
    }
  }

  /**
   * Returns the entries of the type catalogue, in the order in which they were added. The read is
   * apart from the current transaction, as the writes are, so that a new class does not make it run
   * again.
   */
  public List<byte[]> catalogueEntries() {
    heap.checkOpen();
    return heap.transactions.runIndependently(
        () -> {
          List<byte[]> entries = new ArrayList<>();
          long entry = heap.getLong(SUPERBLOCK, SUPERBLOCK_CATALOGUE_FIRST_OFFSET);
          long last = 0;
          Trail trail = new Trail();
          while (entry != 0) {
            check(trail.step(entry), FLAGS_CATALOGUE_ENTRY);
            entries.add(heap.blobs().read(heap.getLong(entry, ENTRY_BLOB_OFFSET)));
            last = entry;
            entry = heap.getLong(entry, NEXT_OFFSET);
          }
          long expected = heap.getLong(SUPERBLOCK, SUPERBLOCK_CATALOGUE_LAST_OFFSET);
          if (last != expected) {
            throw new StoreDamagedException(
                "the list of the %d entries of the type catalogue ends at heap address %d, expected its end at %d; restore the store from a backup"
                    .formatted(entries.size(), last, expected));
          }
          return entries;
        });
  }

  /**
   * Adds entries to the type catalogue, in one transaction of its own: they stay if the current one
   * rolls back.
   *
   * @param entries their contents, in their order
   * @throws io.pmstore.StoreReadOnlyException if the store is open for reading only
   */
  public void addCatalogueEntries(List<byte[]> entries) {
    heap.transactions.runIndependently(
        () -> {
          for (byte[] entry : entries) {
            addCatalogueEntry(heap.required(), entry);
          }
          return null;
        });
  }

  private void addCatalogueEntry(Transaction transaction, byte[] content) {
    long entry =
        transaction.allocate(ObjectLayout.SHAPE_CORE, FLAGS_CATALOGUE_ENTRY, CATALOGUE_ENTRY_SIZE);
    transaction.putLong(entry, ENTRY_BLOB_OFFSET, heap.blobs().create(content));
    long last = transaction.getLong(SUPERBLOCK, SUPERBLOCK_CATALOGUE_LAST_OFFSET);
    if (last == 0) {
      transaction.putLong(SUPERBLOCK, SUPERBLOCK_CATALOGUE_FIRST_OFFSET, entry);
    } else {
      transaction.putLong(last, NEXT_OFFSET, entry);
    }
    transaction.putLong(SUPERBLOCK, SUPERBLOCK_CATALOGUE_LAST_OFFSET, entry);
  }

  /** Returns the address of the root object of a name, or 0 if there is none. */
  public long root(String name) {
    return heap.read(
        () -> {
          long entry = findRoot(name);
          return entry == 0 ? 0 : heap.getLong(entry, ROOT_OBJECT_OFFSET);
        });
  }

  /** Returns the named roots, in the order of their names: the address of each one's object. */
  public SortedMap<String, Long> roots() {
    return heap.read(
        () -> {
          SortedMap<String, Long> roots = new TreeMap<>();
          long entry = heap.getLong(SUPERBLOCK, SUPERBLOCK_ROOTS_OFFSET);
          Trail trail = new Trail();
          while (entry != 0) {
            check(trail.step(entry), FLAGS_ROOT_ENTRY);
            roots.put(name(entry), heap.getLong(entry, ROOT_OBJECT_OFFSET));
            entry = heap.getLong(entry, NEXT_OFFSET);
          }
          return roots;
        });
  }

  /**
   * Returns the named roots that have an object: the name of its class, as the type catalogue has
   * it for the shape under which the object is stored.
   */
  public SortedMap<String, String> rootClasses() {
    return heap.read(
        () -> {
          SortedMap<String, String> classes = new TreeMap<>();
          roots()
              .forEach(
                  (name, object) -> {
                    if (object != 0) {
                      classes.put(name, className(name, object));
                    }
                  });
          return classes;
        });
  }

  private String className(String root, long object) {
    int shapeId = heap.shapeId(heap.bodies().body(object));
    String className = heap.layer().className(shapeId);
    if (className.isEmpty()) {
      throw new StoreDamagedException(
          "root \"%s\" at heap address %d has shape %d, which the type catalogue does not have; restore the store from a backup"
              .formatted(root, object, shapeId));
    }
    return className;
  }

  private String name(long rootEntry) {
    return new String(heap.blobs().read(heap.getLong(rootEntry, ROOT_NAME_OFFSET)), UTF_8);
  }

  /**
   * Sets the address of the root object of a name, 0 for none.
   *
   * @throws io.pmstore.NotPersistableException if the name is no Unicode
   */
  public void setRoot(String name, long object) {
    heap.transaction(
        () -> {
          setRoot(heap.required(), name, object);
          return null;
        });
  }

  private void setRoot(Transaction transaction, String name, long object) {
    long entry = findRoot(name);
    if (entry == 0) {
      entry = transaction.allocate(ObjectLayout.SHAPE_CORE, FLAGS_ROOT_ENTRY, ROOT_ENTRY_SIZE);
      byte[] utf8 = Utf8.bytes(name, "name of a root", "give the root another name");
      transaction.putLong(entry, ROOT_NAME_OFFSET, heap.blobs().create(utf8));
      long first = transaction.getLong(SUPERBLOCK, SUPERBLOCK_ROOTS_OFFSET);
      transaction.putLong(entry, NEXT_OFFSET, first);
      transaction.putLong(SUPERBLOCK, SUPERBLOCK_ROOTS_OFFSET, entry);
    }
    transaction.putLong(entry, ROOT_OBJECT_OFFSET, object);
  }

  /**
   * Removes a root; its object is garbage unless something else refers to it.
   *
   * @return false if there was no object of that name
   */
  public boolean removeRoot(String name) {
    return heap.transaction(() -> removeRoot(heap.required(), name));
  }

  private boolean removeRoot(Transaction transaction, String name) {
    long entry = findRoot(name);
    if (entry == 0) {
      return false;
    }
    long before = SUPERBLOCK;
    int link = SUPERBLOCK_ROOTS_OFFSET;
    while (transaction.getLong(before, link) != entry) {
      before = transaction.getLong(before, link);
      link = NEXT_OFFSET;
    }
    transaction.putLong(before, link, transaction.getLong(entry, NEXT_OFFSET));
    boolean hadObject = transaction.getLong(entry, ROOT_OBJECT_OFFSET) != 0;
    // A snapshot may keep the entry. Without its references, what they led to can be freed before.
    transaction.putLong(entry, NEXT_OFFSET, 0);
    transaction.putLong(entry, ROOT_OBJECT_OFFSET, 0);
    return hadObject;
  }

  private long findRoot(String name) {
    long entry = heap.getLong(SUPERBLOCK, SUPERBLOCK_ROOTS_OFFSET);
    Trail trail = new Trail();
    while (entry != 0) {
      check(trail.step(entry), FLAGS_ROOT_ENTRY);
      if (name.equals(name(entry))) {
        return entry;
      }
      entry = heap.getLong(entry, NEXT_OFFSET);
    }
    return 0;
  }

  private void check(long entry, int kind) {
    long header = heap.getLong(entry, 0);
    if (ObjectLayout.shapeId(header) != ObjectLayout.SHAPE_CORE
        || ObjectLayout.kind(header) != kind) {
      throw new StoreDamagedException(
          "expected an entry of kind %d at heap address %d, found a header of %x; restore the store from a backup"
              .formatted(kind, entry, header));
    }
  }
}
