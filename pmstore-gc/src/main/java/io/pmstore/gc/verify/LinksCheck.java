package io.pmstore.gc.verify;

/** Checks the links that keep the order of the entries of a linked map or set, and its two ends. */
final class LinksCheck {
  private static final String END_KIND = "pmstore.linked.end";
  private static final int END_ENTRY = 8;
  private static final long MIXER = 0x9e37_79b9_7f4a_7c15L;

  /** An end of the order, and an entry's link to its neighbour in that direction. */
  private enum End {
    FIRST("first", 24, "before", 8),
    LAST("last", 32, "after", 16);

    private final String field;
    private final int offset;
    private final String link;
    private final int linkOffset;

    End(String field, int offset, String link, int linkOffset) {
      this.field = field;
      this.offset = offset;
      this.link = link;
      this.linkOffset = linkOffset;
    }

    End other() {
      return this == FIRST ? LAST : FIRST;
    }
  }

  private final CollectionCheck check;
  private final NodeView nodes;
  private final String entryKind;
  private final int links;
  private long sum; // of the mixed addresses of all entries of the trie

  /**
   * Begins a check.
   *
   * @param entryKind the kind of its entries
   * @param links the offset of an entry's links
   */
  LinksCheck(CollectionCheck check, String entryKind, int links) {
    this.check = check;
    this.nodes = check.nodes;
    this.entryKind = entryKind;
    this.links = links;
  }

  private static long mixed(long address) {
    long mixed = address * MIXER;
    return (mixed ^ mixed >>> 29) * MIXER;
  }

  private long number(long entry) {
    return nodes.getLong(entry, links);
  }

  private long beside(long entry, End end) {
    return nodes.getLong(entry, links + end.linkOffset);
  }

  /** Returns the entry at an end, 0 if there is none, or -1 if the end itself is damaged. */
  private long at(End end) {
    long object = nodes.getLong(check.collection, end.offset);
    return nodes.is(object, END_KIND) ? nodes.getLong(object, END_ENTRY) : -1;
  }

  /** Checks the links of an entry of the trie. */
  void check(long entry) {
    sum += mixed(entry);
    for (End end : End.values()) {
      long beside = beside(entry, end);
      if (beside == 0) {
        long there = at(end);
        if (there != entry && there != -1) {
          check.fault(
              entry,
              end.link,
              "0, and %s has heap address %d".formatted(end.field, there),
              "0 only in the entry that %s has".formatted(end.field));
        }
      } else if (!nodes.is(beside, entryKind)) {
        check.fault(entry, end.link, nodes.describe(beside), "a " + entryKind + ", or 0");
      } else if (beside(beside, end.other()) != entry) {
        check.fault(
            entry,
            end.link,
            "heap address %d, whose %s is %d"
                .formatted(beside, end.other().link, beside(beside, end.other())),
            "an entry whose %s is %d".formatted(end.other().link, entry));
      } else if ((number(entry) < number(beside)) != (end == End.LAST)
          || number(entry) == number(beside)) {
        check.fault(
            entry,
            "number",
            "%d, and %d in the entry %s it".formatted(number(entry), number(beside), end.link),
            "numbers that grow");
      }
    }
  }

  /**
   * Checks the ends, and that only entries of the trie are between them; called after all entries.
   */
  void checkEnds(long entries) {
    for (End end : End.values()) {
      checkEnd(end, entries);
    }
    if (!check.hasFaults()) {
      long count = 0;
      long linked = 0;
      for (long at = at(End.FIRST); at != 0 && count <= entries; at = beside(at, End.LAST)) {
        if (!nodes.is(at, entryKind)) {
          return; // behind an entry that is not in the trie: reported with the end
        }
        linked += mixed(at);
        count++;
      }
      if (count != entries || linked != sum) {
        check.fault(
            "first",
            "a way along other entries than those that keys lead to, %d before its end or a second time"
                .formatted(count),
            "each of the %d entries once".formatted(entries));
      }
    }
  }

  private void checkEnd(End end, long entries) {
    long entry = at(end);
    if (entry == -1) {
      long object = nodes.getLong(check.collection, end.offset);
      if (object == 0 || !nodes.kind(object).isEmpty()) {
        check.fault(end.field, nodes.describe(object), "a " + END_KIND);
      }
    } else if (entry == 0) {
      if (entries != 0) {
        check.fault(end.field, "no entry", "one of the %d that there are".formatted(entries));
      }
    } else if (!nodes.is(entry, entryKind)) {
      check.fault(end.field, nodes.describe(entry), "a " + entryKind + ", or 0");
    } else if (entries == 0) {
      check.fault(end.field, nodes.describe(entry), "0, since there are no entries");
    } else if (beside(entry, end) != 0) {
      check.fault(
          end.field,
          "heap address %d, whose %s is %d".formatted(entry, end.link, beside(entry, end)),
          "an entry whose %s is 0".formatted(end.link));
    }
  }
}
