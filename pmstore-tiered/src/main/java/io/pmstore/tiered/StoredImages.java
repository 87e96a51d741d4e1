package io.pmstore.tiered;

import io.pmstore.PmStoreException;
import io.pmstore.core.engine.StoreLock;
import io.pmstore.core.engine.StoredCommits;
import io.pmstore.core.memory.HeapMemory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * The commits in the files of a store, read without loading a heap: the base and the spills, each
 * with the blocks of many commits, and for each commit its images in a pool. A commit has fewer
 * images than it wrote if slots were used again.
 */
final class StoredImages implements StoredCommits {
  private static final int BLOCK = ImageLayout.BLOCK;

  private final StoreLock lock;
  private final TieredFiles files;
  private final PoolScan scan;

  private StoredImages(StoreLock lock, TieredFiles files, PoolScan scan) {
    this.lock = lock;
    this.files = files;
    this.scan = scan;
  }

  /** Examines the pools of a store whose files are open. */
  static StoredImages of(StoreLock lock, TieredFiles files) throws IOException {
    long heapSize = (long) files.header().current().extents() << HeapMemory.EXTENT_SHIFT;
    PoolScan scan = new PoolScan(files, heapSize);
    long bytes = files.loadedBytes();
    try (LoadTasks tasks = new LoadTasks(bytes)) {
      scan.run(tasks, new LoadProgress(files.directory(), bytes));
    }
    return new StoredImages(lock, files, scan);
  }

  @Override
  public void forEach(long from, Visitor visitor) {
    List<Entry> entries = new ArrayList<>();
    try {
      for (String name : files.spills()) {
        entries.add(spill(name));
      }
    } catch (IOException e) {
      throw unreadable(e);
    }
    for (int pool = 0; pool < TieredLayout.POOLS; pool++) {
      addCommits(pool, entries);
    }
    entries.sort(Comparator.comparingLong(Entry::position)); // stable: files before pools
    for (Entry entry : entries) {
      if (entry.position() >= from) {
        visitor.entry(entry);
      }
    }
  }

  private Entry spill(String name) throws IOException {
    return new Entry(
        files.position(name),
        0,
        OptionalLong.empty(),
        name,
        0,
        files.size(name),
        State.TO_LOAD,
        visitor -> forEachImage(name, visitor));
  }

  private void forEachImage(String name, ChangeVisitor visitor) {
    try (LoadTasks tasks = new LoadTasks(0)) { // on this thread
      long _ =
          files.read(
              name, tasks, (block, position, bytes, at) -> visitor.bytes(address(block), BLOCK));
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  private static long address(long block) {
    return block << ImageLayout.BLOCK_SHIFT;
  }

  private void addCommits(int pool, List<Entry> entries) {
    Map<Long, List<Integer>> slots = new TreeMap<>();
    for (int slot = 0; slot < scan.used(pool); slot++) {
      long position = scan.position(pool, slot);
      if (position > 0) {
        slots.computeIfAbsent(position, p -> new ArrayList<>()).add(slot);
      }
    }
    slots.forEach((position, of) -> entries.add(commit(pool, position, of)));
  }

  private Entry commit(int pool, long position, List<Integer> slots) {
    return new Entry(
        position,
        0,
        OptionalLong.empty(),
        TieredLayout.pool(pool),
        PoolLayout.offset(slots.getFirst()),
        (long) slots.size() * ImageLayout.SLOT,
        state(pool, position, slots),
        visitor -> slots.forEach(slot -> visitor.bytes(address(scan.block(pool, slot)), BLOCK)));
  }

  private State state(int pool, long position, List<Integer> slots) {
    if (position > scan.position()) {
      return State.INCOMPLETE;
    }
    return slots.stream().anyMatch(slot -> scan.isNewest(pool, slot))
        ? State.TO_LOAD
        : State.SUPERSEDED;
  }

  @Override
  public long size() {
    try {
      return files.loadedBytes();
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  @Override
  public boolean isClosed() {
    return files.header().current().closed();
  }

  private PmStoreException unreadable(IOException e) {
    return new PmStoreException(
        "the files of the store in %s cannot be read: %s; all of them must be readable"
            .formatted(files.directory(), e),
        e);
  }

  @Override
  public void close() {
    try {
      files.close();
    } catch (IOException e) {
      throw new PmStoreException(
          "the files of the store in %s cannot be closed: %s; nothing has changed"
              .formatted(files.directory(), e),
          e);
    } finally {
      lock.release();
    }
  }
}
