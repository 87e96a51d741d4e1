package io.pmstore.jmh.consensus.versions;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** A persistent list of records, the newest first, and a search tree in DRAM. */
final class VersionList implements VersionIndex {
  private final Region region;
  private final TreeMap<VersionKey, Element> tree = new TreeMap<>();
  private @Nullable Element newest;

  /** A record's place in the list. */
  private static final class Element {
    final long record;
    @Nullable Element newer;
    @Nullable Element older;

    Element(long record) {
      this.record = record;
    }
  }

  /** Reads the list that begins at a record. */
  VersionList(Region region, long root) {
    this.region = region;
    Element newer = null;
    for (long at = root; at != 0; at = Records.older(region, at)) {
      region.markUsed(at, Records.size(region, at));
      Element element = new Element(at);
      tree.put(Records.key(region, at), element);
      element.newer = newer;
      if (newer == null) {
        newest = element;
      } else {
        newer.older = element;
      }
      newer = element;
    }
  }

  @Override
  public void add(VersionKey key, long record) {
    Element element = new Element(record);
    Element before = newest;
    element.older = before;
    Records.initOlder(region, record, before == null ? 0 : before.record);
    if (before != null) {
      before.newer = element;
    }
    newest = element;
    tree.put(key, element);
  }

  @Override
  public void remove(VersionKey key) {
    Element element = tree.remove(key);
    if (element == null) {
      throw new IllegalArgumentException("there is no version " + key);
    }
    Element newer = element.newer;
    Element older = element.older;
    if (newer == null) {
      newest = older;
    } else {
      newer.older = older;
      Records.setOlder(region, newer.record, older == null ? 0 : older.record);
    }
    if (older != null) {
      older.newer = newer;
    }
  }

  @Override
  public long find(VersionKey key) {
    Element element = tree.get(key);
    return element == null ? 0 : element.record;
  }

  @Override
  public long floor(VersionKey key) {
    Map.Entry<VersionKey, Element> entry = tree.floorEntry(key);
    return entry == null || !entry.getKey().sameKey(key) ? 0 : entry.getValue().record;
  }

  @Override
  public void forEach(LongConsumer record) {
    for (Element at = newest; at != null; at = at.older) {
      record.accept(at.record);
    }
  }

  @Override
  public long root() {
    Element first = newest;
    return first == null ? 0 : first.record;
  }
}
