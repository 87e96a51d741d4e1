package io.pmstore.proxy.convert;

import io.pmstore.Persistent;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A typical class: some of its collections keep the insertion order, and some of them declare so.
 */
@Persistent(root = "album")
public class Album {
  private Map<String, Object> tracks = new LinkedHashMap<>();
  private Set<String> artists = new LinkedHashSet<>();
  private SequencedMap<String, Integer> lengths = new LinkedHashMap<>();
  private SequencedSet<String> labels = new LinkedHashSet<>();
  private @Nullable Object extra;

  public Map<String, Object> getTracks() {
    return tracks;
  }

  public void setTracks(Map<String, Object> tracks) {
    this.tracks = tracks;
  }

  public Set<String> getArtists() {
    return artists;
  }

  public void setArtists(Set<String> artists) {
    this.artists = artists;
  }

  public SequencedMap<String, Integer> getLengths() {
    return lengths;
  }

  public void setLengths(SequencedMap<String, Integer> lengths) {
    this.lengths = lengths;
  }

  public SequencedSet<String> getLabels() {
    return labels;
  }

  public void setLabels(SequencedSet<String> labels) {
    this.labels = labels;
  }

  public @Nullable Object getExtra() {
    return extra;
  }

  public void setExtra(@Nullable Object extra) {
    this.extra = extra;
  }
}
