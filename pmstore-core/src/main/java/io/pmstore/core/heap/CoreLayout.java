package io.pmstore.core.heap;

import io.pmstore.core.engine.EngineHost;
import io.pmstore.core.space.ExtentLayout;
import io.pmstore.core.space.ObjectLayout;
import io.pmstore.core.space.ReferenceMap;
import io.pmstore.core.space.ReferenceMaps;

/**
 * The heap's own objects: shape id 0, told apart by the kind among the flags in their header.
 *
 * <pre>
 *  superblock (flags 1), at a fixed address; the root of everything
 *   0        8        16       24              32               40                48
 *  +--------+--------+--------+---------------+----------------+-----------------+
 *  | header | magic  | version| first catalog.| last catalogue | first root entry|
 *  |        |        |        | entry         | entry          |                 |
 *  +--------+--------+--------+---------------+----------------+-----------------+
 *
 *  catalogue entry (flags 2)             root entry (flags 3)
 *   0        8        16                  0        8        16         24
 *  +--------+--------+-------+           +--------+--------+----------+--------+
 *  | header | next   | blob  |           | header | next   | name blob| object |
 *  +--------+--------+-------+           +--------+--------+----------+--------+
 *
 *  blob (flags 4)                        long blob (flags 5): parts of PART_MAX bytes, the last one shorter
 *   0        8          12                0        8              12        16
 *  +--------+----------+--------         +--------+--------------+---------+---------+----
 *  | header | length   | bytes           | header | length (i32) | zero    | part 0  | ...
 *  +--------+----------+--------         +--------+--------------+---------+---------+----
 * </pre>
 *
 * <p>A committed blob changes only by {@link Blobs#overwrite}.
 */
public final class CoreLayout {
  /** Kind of the superblock. */
  public static final int FLAGS_SUPERBLOCK = 1;

  /** Kind of a catalogue entry. */
  public static final int FLAGS_CATALOGUE_ENTRY = 2;

  /** Kind of a root entry. */
  public static final int FLAGS_ROOT_ENTRY = 3;

  /** Kind of a blob. */
  public static final int FLAGS_BLOB = 4;

  /** Kind of a long blob. */
  public static final int FLAGS_LONG_BLOB = 5;

  /** The address of the superblock. */
  public static final long SUPERBLOCK =
      (long) ExtentLayout.SUPERBLOCK_CHUNK << ExtentLayout.CHUNK_SHIFT;

  static final int SUPERBLOCK_MAGIC_OFFSET = 8;
  static final int SUPERBLOCK_VERSION_OFFSET = 16;

  /** Where the superblock has the first catalogue entry, or 0. */
  public static final int SUPERBLOCK_CATALOGUE_FIRST_OFFSET = 24;

  /** Where the superblock has the last catalogue entry, or 0. */
  public static final int SUPERBLOCK_CATALOGUE_LAST_OFFSET = 32;

  /** Where the superblock has the first root entry, or 0. */
  public static final int SUPERBLOCK_ROOTS_OFFSET = 40;

  static final int SUPERBLOCK_SIZE = 64;

  /** Where the heap has bytes that belong to the engine; see {@link EngineHost#notes}. */
  public static final long ENGINE_NOTES = SUPERBLOCK + SUPERBLOCK_SIZE;

  /** "pmsheap1", little-endian. */
  static final long MAGIC = 0x3170_6165_6873_6d70L;

  static final long VERSION = 1;

  /** Where an entry of either kind has the next one, or 0. */
  public static final int NEXT_OFFSET = 8;

  /** Where a catalogue entry has the blob of its contents. */
  public static final int ENTRY_BLOB_OFFSET = 16;

  /** The size of a catalogue entry, in bytes. */
  public static final int CATALOGUE_ENTRY_SIZE = 24;

  /** Where a root entry has the blob of its name, in UTF-8. */
  public static final int ROOT_NAME_OFFSET = 16;

  /** Where a root entry has its object, or 0. */
  public static final int ROOT_OBJECT_OFFSET = 24;

  /** The size of a root entry, in bytes. */
  public static final int ROOT_ENTRY_SIZE = 32;

  /** Where a blob of either kind has its length: an {@code int}, in bytes. */
  public static final int BLOB_LENGTH_OFFSET = 8;

  /** Where the bytes of a blob start. */
  public static final int BLOB_BYTES_OFFSET = 12;

  /** Where a long blob has its first part; 8 bytes a part. */
  public static final int LONG_BLOB_PARTS_OFFSET = 16;

  /** The most bytes of a blob in one object. */
  public static final int PART_MAX = (8 << 20) - BLOB_BYTES_OFFSET;

  static {
    assert SUPERBLOCK_SIZE + EngineHost.NOTES_SIZE <= ExtentLayout.CHUNK_SIZE;
    assert PART_MAX + BLOB_BYTES_OFFSET <= ObjectLayout.SIZE_MAX;
  }

  /** Adds where the heap's own objects have references. */
  static void addReferences(ReferenceMaps maps) {
    maps.addKind(
        FLAGS_SUPERBLOCK,
        references(
            SUPERBLOCK_CATALOGUE_FIRST_OFFSET,
            SUPERBLOCK_CATALOGUE_LAST_OFFSET,
            SUPERBLOCK_ROOTS_OFFSET));
    maps.addKind(FLAGS_CATALOGUE_ENTRY, references(NEXT_OFFSET, ENTRY_BLOB_OFFSET));
    maps.addKind(FLAGS_ROOT_ENTRY, references(NEXT_OFFSET, ROOT_NAME_OFFSET, ROOT_OBJECT_OFFSET));
    maps.addKind(FLAGS_BLOB, ReferenceMap.NONE);
    maps.addRows(FLAGS_LONG_BLOB, LONG_BLOB_PARTS_OFFSET);
  }

  private static ReferenceMap references(int... offsets) {
    return new ReferenceMap(offsets, new int[0]);
  }

  private CoreLayout() {}
}
