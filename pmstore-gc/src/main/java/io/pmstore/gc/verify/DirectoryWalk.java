package io.pmstore.gc.verify;

import static io.pmstore.core.heap.CoreLayout.CATALOGUE_ENTRY_SIZE;
import static io.pmstore.core.heap.CoreLayout.ENTRY_BLOB_OFFSET;
import static io.pmstore.core.heap.CoreLayout.FLAGS_CATALOGUE_ENTRY;
import static io.pmstore.core.heap.CoreLayout.FLAGS_ROOT_ENTRY;
import static io.pmstore.core.heap.CoreLayout.NEXT_OFFSET;
import static io.pmstore.core.heap.CoreLayout.ROOT_ENTRY_SIZE;
import static io.pmstore.core.heap.CoreLayout.ROOT_NAME_OFFSET;
import static io.pmstore.core.heap.CoreLayout.ROOT_OBJECT_OFFSET;
import static io.pmstore.core.heap.CoreLayout.SUPERBLOCK;
import static io.pmstore.core.heap.CoreLayout.SUPERBLOCK_CATALOGUE_FIRST_OFFSET;
import static io.pmstore.core.heap.CoreLayout.SUPERBLOCK_CATALOGUE_LAST_OFFSET;
import static io.pmstore.core.heap.CoreLayout.SUPERBLOCK_ROOTS_OFFSET;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.pmstore.StoreDamagedException;
import io.pmstore.StoreFormatException;
import io.pmstore.core.catalogue.CatalogueEntry;
import io.pmstore.core.catalogue.EnumType;
import io.pmstore.core.catalogue.OwnHash;
import io.pmstore.core.catalogue.Shape;
import io.pmstore.core.catalogue.Upgraded;
import io.pmstore.core.catalogue.ValueType;
import io.pmstore.core.heap.Heap;
import io.pmstore.core.memory.HeapMemory;
import io.pmstore.gc.trace.ShapeTable;
import io.pmstore.gc.trace.Tracer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Walks the two lists of the superblock: first the type catalogue, then, with its help, the roots.
 */
final class DirectoryWalk {
  private final Heap heap;
  private final HeapMemory memory;
  private final HeapCheck check;
  private final Tracer tracer;
  private final ShapeTable shapes;
  private final EnumTable enums;
  private final FaultLog faults;
  private final Map<Integer, CatalogueEntry> entries = new HashMap<>();

  DirectoryWalk(Heap heap, HeapCheck check, ShapeTable shapes, EnumTable enums, FaultLog faults) {
    this.heap = heap;
    this.memory = heap.memory();
    this.check = check;
    this.tracer = check.tracer();
    this.shapes = shapes;
    this.enums = enums;
    this.faults = faults;
  }

  void walkCatalogue() {
    long entry = memory.getLong(SUPERBLOCK + SUPERBLOCK_CATALOGUE_FIRST_OFFSET);
    long last = 0;
    for (int id = 1; entry != 0; id++) {
      tracer.start("catalogue entry " + id);
      if (!check.entry(entry, FLAGS_CATALOGUE_ENTRY, CATALOGUE_ENTRY_SIZE)) {
        return; // the rest of the list is lost
      }
      tracer.trace(entry);
      byte[] contents = blob(memory.getLong(entry + ENTRY_BLOB_OFFSET));
      if (contents != null) {
        take(id, contents);
      }
      last = entry;
      entry = memory.getLong(entry + NEXT_OFFSET);
    }
    long recorded = memory.getLong(SUPERBLOCK + SUPERBLOCK_CATALOGUE_LAST_OFFSET);
    if (recorded != last) {
      faults.add(
          "superblock, last catalogue entry",
          "heap address " + recorded,
          "heap address " + last + ", where the list ends");
    }
  }

  private void take(int id, byte[] contents) {
    try {
      CatalogueEntry entry = CatalogueEntry.decode(id, contents, entries::get);
      entries.put(id, entry);
      switch (entry) {
        case Shape shape -> shapes.add(shape);
        case EnumType type -> enums.add(type);
        case ValueType type -> enums.add(type);
        case Upgraded _, OwnHash _ -> {} // they name shapes, and no object names them
      }
    } catch (StoreDamagedException | StoreFormatException e) {
      faults.add(tracer.place(), "\"" + e.getMessage() + "\"", "a whole entry");
    }
  }

  void walkRoots() {
    Set<String> names = new HashSet<>();
    long entry = memory.getLong(SUPERBLOCK + SUPERBLOCK_ROOTS_OFFSET);
    for (int i = 1; entry != 0; i++) {
      tracer.start("root entry " + i);
      if (!check.entry(entry, FLAGS_ROOT_ENTRY, ROOT_ENTRY_SIZE)) {
        return; // the rest of the list is lost
      }
      tracer.trace(entry);
      byte[] utf8 = blob(memory.getLong(entry + ROOT_NAME_OFFSET));
      if (utf8 != null) {
        String name = new String(utf8, UTF_8);
        tracer.start("root \"" + name + "\"");
        if (!names.add(name)) {
          faults.add(tracer.place(), "a second root of this name", "one");
        }
      }
      long object = memory.getLong(entry + ROOT_OBJECT_OFFSET);
      if (object != 0 && check.object(object, NodeRole.OBJECT)) {
        tracer.trace(object);
      }
      entry = memory.getLong(entry + NEXT_OFFSET);
    }
  }

  /** Returns the contents of a blob of an entry, or null if it is faulty. */
  private byte @Nullable [] blob(long address) {
    long faultsBefore = faults.count();
    if (check.blob(address)) {
      tracer.trace(address);
    }
    return faults.count() == faultsBefore ? heap.blobs().read(address) : null;
  }
}
