package io.pmstore.crash;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Bytes of which most are zero, in pages of {@value #PAGE}. Copies share pages until one of them
 * writes. Not thread-safe.
 */
public final class SparseBytes {
  public static final int PAGE = 4096;

  private static final byte[] ZEROS = new byte[PAGE];

  private final Map<Long, Page> pages;

  private static final class Page {
    final byte[] bytes;
    @Nullable SparseBytes owner; // null if copies share it

    Page(byte[] bytes, SparseBytes owner) {
      this.bytes = bytes;
      this.owner = owner;
    }
  }

  /** Takes pages that are not all zeros, so far as is known. */
  @FunctionalInterface
  public interface PageVisitor {
    void page(long offset, byte[] bytes);
  }

  public SparseBytes() {
    this.pages = new HashMap<>();
  }

  private SparseBytes(Map<Long, Page> pages) {
    this.pages = pages;
  }

  public SparseBytes copy() {
    for (Page page : pages.values()) {
      page.owner = null;
    }
    return new SparseBytes(new HashMap<>(pages));
  }

  public void read(long offset, byte[] target, int at, int length) {
    while (length > 0) {
      int inPage = (int) (offset % PAGE);
      int n = Math.min(length, PAGE - inPage);
      Page page = pages.get(offset / PAGE);
      if (page == null) {
        Arrays.fill(target, at, at + n, (byte) 0);
      } else {
        System.arraycopy(page.bytes, inPage, target, at, n);
      }
      offset += n;
      at += n;
      length -= n;
    }
  }

  public void write(long offset, byte[] source, int at, int length) {
    while (length > 0) {
      int inPage = (int) (offset % PAGE);
      int n = Math.min(length, PAGE - inPage);
      if (pages.containsKey(offset / PAGE) || !isZero(source, at, n)) {
        System.arraycopy(source, at, writable(offset / PAGE), inPage, n);
      }
      offset += n;
      at += n;
      length -= n;
    }
  }

  private static boolean isZero(byte[] bytes, int from, int length) {
    return Arrays.equals(bytes, from, from + length, ZEROS, 0, length);
  }

  private byte[] writable(long index) {
    Page page = pages.get(index);
    if (page == null || page.owner != this) {
      page = new Page(page == null ? new byte[PAGE] : page.bytes.clone(), this);
      pages.put(index, page);
    }
    return page.bytes;
  }

  /** Makes all bytes from a place on zero. */
  public void truncate(long size) {
    pages.keySet().removeIf(index -> index * PAGE >= size);
    int inPage = (int) (size % PAGE);
    if (inPage != 0 && pages.containsKey(size / PAGE)) {
      Arrays.fill(writable(size / PAGE), inPage, PAGE, (byte) 0);
    }
  }

  public void forEachPage(PageVisitor visitor) {
    pages.forEach((index, page) -> visitor.page(index * PAGE, page.bytes));
  }
}
