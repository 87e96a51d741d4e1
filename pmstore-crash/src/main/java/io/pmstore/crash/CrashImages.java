package io.pmstore.crash;

import io.pmstore.crash.Disk.NameChange;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.StringJoiner;
import java.util.TreeMap;

/**
 * The images that a power cut could leave of a disk at this moment: one version of everything that
 * is not durable. An image is named by its choice: the version of each {@link Aspect}, 0 being the
 * oldest. Valid until the disk changes.
 */
public final class CrashImages {
  private static final int ASPECTS_SHOWN_MAX = 12;

  /** Something that is not durable. */
  public sealed interface Aspect {
    int versions();

    /** The newest version that is not younger than a time. */
    int upTo(long stamp);

    /** When a version came to be; 0 for the oldest. */
    long stamp(int version);

    /** The file that it belongs to, by number; 0 for the directory. */
    int group();
  }

  private record UnitAspect(DiskFile file, long unit, UnitHistory history) implements Aspect {
    @Override
    public int versions() {
      return history.size();
    }

    @Override
    public int upTo(long stamp) {
      return history.lastUpTo(stamp);
    }

    @Override
    public long stamp(int version) {
      return history.get(version).stamp();
    }

    @Override
    public int group() {
      return file.id();
    }
  }

  private record SizeAspect(DiskFile file) implements Aspect {
    @Override
    public int versions() {
      return file.sizeVersions();
    }

    @Override
    public int upTo(long stamp) {
      return file.sizeUpTo(stamp);
    }

    @Override
    public long stamp(int version) {
      return file.sizeStamp(version);
    }

    @Override
    public int group() {
      return file.id();
    }
  }

  private record NameAspect(NameChange change) implements Aspect {
    @Override
    public int versions() {
      return 2;
    }

    @Override
    public int upTo(long stamp) {
      return change.stamp() <= stamp ? 1 : 0;
    }

    @Override
    public long stamp(int version) {
      return version == 0 ? 0 : change.stamp();
    }

    @Override
    public int group() {
      return 0;
    }
  }

  private final Disk disk;
  private final List<Aspect> aspects = new ArrayList<>();
  private final Map<Integer, String> fileNames = new LinkedHashMap<>();

  public CrashImages(Disk disk) {
    this.disk = disk;
    Map<DiskFile, String> files = new LinkedHashMap<>();
    disk.durableNames().forEach((name, file) -> files.put(file, name));
    for (NameChange change : disk.nameChanges()) {
      aspects.add(new NameAspect(change));
      files.putIfAbsent(change.file(), change.added());
    }
    files.forEach(
        (file, name) -> {
          fileNames.put(file.id(), name);
          if (file.sizeVersions() > 1) {
            aspects.add(new SizeAspect(file));
          }
          file.unsettled().forEach((unit, h) -> aspects.add(new UnitAspect(file, unit, h)));
        });
  }

  public List<Aspect> aspects() {
    return aspects;
  }

  /** Whether a barrier without effect would have made something of it durable. */
  public boolean isMissed(Aspect aspect) {
    return aspect.stamp(1) <= disk.missed(aspect.group());
  }

  /** How many there are; some may be alike. */
  public double count() {
    double product = 1;
    for (Aspect aspect : aspects) {
      product *= aspect.versions();
    }
    return product;
  }

  /** The same for images that are alike, and (but for luck that nobody has) only for those. */
  public long hash(int[] choice) {
    Map<DiskFile, long[]> states = new HashMap<>(); // hash, size
    SortedMap<String, DiskFile> names = new TreeMap<>(disk.durableNames());
    long[] state = new long[2];
    DiskFile last = null;
    for (int i = 0; i < choice.length; i++) {
      switch (aspects.get(i)) {
        case NameAspect(NameChange change) -> {
          if (choice[i] == 1) {
            change.apply(names);
          }
        }
        case SizeAspect(DiskFile file) -> state(states, file)[1] = file.sizeVersion(choice[i]);
        case UnitAspect(DiskFile file, long unit, UnitHistory history) -> {
          if (file != last) { // a look-up for each unit would take long
            state = state(states, file);
            last = file;
          }
          state[0] += history.hash(choice[i]);
        }
      }
    }
    long hash = 0;
    for (Map.Entry<String, DiskFile> entry : names.entrySet()) {
      long[] found = state(states, entry.getValue());
      hash += UnitHistory.mix(found[0] + UnitHistory.mix(found[1] + entry.getKey().hashCode()));
    }
    return hash;
  }

  private static long[] state(Map<DiskFile, long[]> states, DiskFile file) {
    return states.computeIfAbsent(file, f -> new long[] {f.settledHash(), f.size()});
  }

  /** Makes an image: a disk on which all is durable. */
  public Disk build(int[] choice) {
    SortedMap<String, DiskFile> names = new TreeMap<>(disk.durableNames());
    Map<DiskFile, Long> sizes = new LinkedHashMap<>();
    for (int i = 0; i < choice.length; i++) {
      if (aspects.get(i) instanceof NameAspect(NameChange change) && choice[i] == 1) {
        change.apply(names);
      } else if (aspects.get(i) instanceof SizeAspect(DiskFile file)) {
        sizes.put(file, file.sizeVersion(choice[i]));
      }
    }
    Map<DiskFile, DiskFile> images = new LinkedHashMap<>();
    names.replaceAll(
        (name, file) ->
            images.computeIfAbsent(file, f -> f.image(sizes.getOrDefault(f, f.size()))));
    for (int i = 0; i < choice.length; i++) {
      if (aspects.get(i) instanceof UnitAspect(DiskFile file, long unit, UnitHistory history)
          && choice[i] != history.size() - 1
          && images.containsKey(file)) {
        images.get(file).put(unit, history.get(choice[i]).bytes());
      }
    }
    return new Disk(disk.model(), disk.barriers(), names);
  }

  /** What an image lacks, for messages. */
  public String describe(int[] choice) {
    StringJoiner text = new StringJoiner(", ");
    int lacking = 0;
    for (int i = 0; i < choice.length; i++) {
      Aspect aspect = aspects.get(i);
      if (choice[i] == aspect.versions() - 1 || ++lacking > ASPECTS_SHOWN_MAX) {
        continue;
      }
      text.add(
          switch (aspect) {
            case NameAspect(NameChange c) -> "'%s' -> '%s'".formatted(c.removed(), c.added());
            case SizeAspect(DiskFile file) ->
                "%s has %d bytes".formatted(fileNames.get(file.id()), file.sizeVersion(choice[i]));
            case UnitAspect(DiskFile file, long unit, UnitHistory history) ->
                "%s at %d has version %d of %d"
                    .formatted(
                        fileNames.get(file.id()),
                        unit * file.model().unit(),
                        choice[i],
                        history.size() - 1);
          });
    }
    return "%d of %d units are not the newest: %s%s"
        .formatted(lacking, aspects.size(), text, lacking > ASPECTS_SHOWN_MAX ? ", ..." : "");
  }
}
