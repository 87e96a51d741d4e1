package io.pmstore.gc.model;

import io.pmstore.Persistent;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SequencedMap;
import java.util.Set;

/**
 * An object of the graph. Its values follow from its id and its version, so any reader can tell
 * whether it is whole.
 */
@Persistent
public class Thing {
  private long id;
  private long version;
  private String text;
  private Tag tag;
  private Thing next;
  private Thing other;
  private List<Thing> list;
  private Map<Long, Thing> map;
  private Set<String> set;
  private NavigableMap<String, Thing> sorted;
  private SequencedMap<String, Thing> linked;

  /** Gives it other values. */
  void write(long ofId, long toVersion) {
    id = ofId;
    version = toVersion;
    text = text(ofId, toVersion);
    tag = tag(ofId, toVersion);
  }

  /** Throws if what is there is not what was written at once; true while nobody writes. */
  void check() {
    long now = version;
    if (id <= 0 || !text(id, now).equals(text) || !tag(id, now).equals(tag)) {
      throw new AssertionError(
          "thing %d of version %d has text %s and tag %s".formatted(id, now, text, tag));
    }
  }

  private static String text(long id, long version) {
    return switch ((int) ((id * 7 + version) % 5)) {
      case 0 -> "t" + (id * 31 + version) % 1000; // in line
      case 1 -> "thing " + id + " of version " + version + ", a text that is out of line";
      case 2 -> "\u0416\u0438\u0437\u043d\u044c " + id + " \u2014 " + version;
      case 3 -> ("long " + id + "/" + version + " ").repeat(20 + (int) (version % 50));
      default -> "";
    };
  }

  private static Tag tag(long id, long version) {
    boolean isLong = (id + version) % 3 == 0;
    return new Tag(version, isLong ? "the tag of thing " + id + ", which is out of line" : "" + id);
  }

  public long getId() {
    return id;
  }

  public void setId(long id) {
    this.id = id;
  }

  public long getVersion() {
    return version;
  }

  public void setVersion(long version) {
    this.version = version;
  }

  public String getText() {
    return text;
  }

  public void setText(String text) {
    this.text = text;
  }

  public Tag getTag() {
    return tag;
  }

  public void setTag(Tag tag) {
    this.tag = tag;
  }

  public Thing getNext() {
    return next;
  }

  public void setNext(Thing next) {
    this.next = next;
  }

  public Thing getOther() {
    return other;
  }

  public void setOther(Thing other) {
    this.other = other;
  }

  public List<Thing> getList() {
    return list;
  }

  public void setList(List<Thing> list) {
    this.list = list;
  }

  public Map<Long, Thing> getMap() {
    return map;
  }

  public void setMap(Map<Long, Thing> map) {
    this.map = map;
  }

  public Set<String> getSet() {
    return set;
  }

  public void setSet(Set<String> set) {
    this.set = set;
  }

  public NavigableMap<String, Thing> getSorted() {
    return sorted;
  }

  public void setSorted(NavigableMap<String, Thing> sorted) {
    this.sorted = sorted;
  }

  public SequencedMap<String, Thing> getLinked() {
    return linked;
  }

  public void setLinked(SequencedMap<String, Thing> linked) {
    this.linked = linked;
  }
}
