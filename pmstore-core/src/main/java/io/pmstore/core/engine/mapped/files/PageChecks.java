package io.pmstore.core.engine.mapped.files;

import io.pmstore.StoreDamagedException;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.Mutex;
import io.pmstore.core.engine.WriteSet;
import io.pmstore.core.engine.mapped.header.StoreLayout;
import io.pmstore.core.engine.mapped.sums.PageSumsLayout;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/**
 * Compares each page of the heap with its checksum before the page is changed or copied for the
 * first time since the opening. Otherwise a damaged page would get a valid checksum. Once damage is
 * found, the heap takes no more changes.
 *
 * <p>A commit checks its pages before its record is logged, so the log never changes a page that
 * was not compared. Recovery need not compare the pages that it changes: they were compared when
 * the record was written, and may be half written since. Damage between that comparison and the
 * recovery stays undetected.
 *
 * <p>Thread-safe. No thread changes a page while it is compared: a thread that wants to change it
 * waits for the lock, or compares the page itself.
 */
public final class PageChecks implements WriteSet.RangeVisitor {
  /** The most pages that are read at once. */
  private static final int PAGES = 16;

  private final StoreFiles files;
  private final DirtySet compared = new DirtySet(PageSumsLayout.PAGE);
  private final Mutex lock = new Mutex();
  private volatile @Nullable String damage;

  PageChecks(StoreFiles files) {
    this.files = files;
  }

  /** Excludes pages from comparison: new ones that were just added to the file. */
  public void skip(long from, long to) {
    compared.mark(from, to - from);
  }

  /** Excludes pages from comparison: those that recovery has changed. */
  public void skip(DirtySet replayed) throws IOException {
    replayed.forEachRun(compared::mark);
  }

  /**
   * Throws if the heap must not be changed.
   *
   * @throws StoreDamagedException if damage was found since the opening
   */
  public void checkUndamaged() {
    String found = damage;
    if (found != null) {
      throw new StoreDamagedException(
          found
              + ". The store refuses every further write, and can still be read. PmStore.verify"
              + " lists what is damaged; restore the store from a backup");
    }
  }

  /** Compares the pages of a range that is about to change. */
  @Override
  public void range(long address, byte[] source, int offset, int length) {
    try {
      check(address, length);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Compares the pages of a range that were not compared since the opening.
   *
   * @throws StoreDamagedException if one is damaged
   * @throws IOException if one cannot be read
   */
  public void check(long address, long length) throws IOException {
    long end = Math.min(address + length, files.memory().writableBytes()); // the file ends here
    long page = Math.max(Engine.RESERVED, address & -PageSumsLayout.PAGE);
    for (; page < end; page += PageSumsLayout.PAGE) {
      if (!compared.contains(page)) {
        compare(page, end);
      }
    }
  }

  private void compare(long from, long end) throws IOException {
    long pages = (end - from + PageSumsLayout.PAGE - 1) / PageSumsLayout.PAGE;
    int length = (int) Math.min(PAGES, pages) * PageSumsLayout.PAGE;
    try (var _ = lock.hold()) {
      files
          .sums()
          .compare(
              files.heap(),
              from,
              new byte[length],
              new byte[length / PageSumsLayout.PAGE * PageSumsLayout.SUM_SIZE],
              (page, found, expected) -> {
                if (!compared.contains(page)) { // otherwise a checkpoint may be writing it
                  found(page, found, expected);
                }
              });
      checkUndamaged();
      compared.mark(from, length);
    }
  }

  private void found(long page, String found, String expected) {
    if (damage == null) {
      damage =
          "%s is damaged: its page at %d, heap addresses %d to %d, has %s; expected were %s"
              .formatted(
                  files.directory().resolve(StoreLayout.HEAP),
                  page,
                  page,
                  page + PageSumsLayout.PAGE - 1,
                  found,
                  expected);
      System.getLogger(PageChecks.class.getName()).log(System.Logger.Level.ERROR, damage);
    }
  }
}
