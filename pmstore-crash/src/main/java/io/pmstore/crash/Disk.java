package io.pmstore.crash;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * A directory of files in memory that knows which of its contents are durable. A process sees
 * everything that was written; a power cut leaves one of the {@link CrashImages}.
 *
 * <p>Each change of the directory since its last sync has happened or not, independently; a rename
 * as a whole. A file has any of its lengths since its last sync.
 *
 * <p>Not thread-safe, except for the threads of one scheduler.
 */
public final class Disk {
  /** A change of the directory that is not durable. */
  public record NameChange(long stamp, String removed, String added, DiskFile file) {
    void apply(Map<String, DiskFile> names) {
      if (!removed.isEmpty() && names.get(removed) == file) {
        names.remove(removed);
      }
      if (!added.isEmpty()) {
        names.put(added, file);
      }
    }
  }

  private record Flush(DiskFile file, long unit, long stamp) {}

  private final FaultModel model;
  private final Barriers barriers;
  private final SortedMap<String, DiskFile> names;
  private final SortedMap<String, DiskFile> durableNames;
  private final List<NameChange> nameChanges = new ArrayList<>();
  private final Map<Thread, List<Flush>> flushed = new WeakHashMap<>();
  // When a barrier without effect was passed last, by the file; 0 is the directory.
  private final Map<Integer, Long> missed = new HashMap<>();
  private boolean recording = true;
  private long clock;
  private long changes;

  /**
   * Creates an empty directory.
   *
   * @param model what a power cut can do
   * @param barriers which of them have an effect
   */
  public Disk(FaultModel model, Barriers barriers) {
    this(model, barriers, new TreeMap<>());
  }

  public Disk(FaultModel model, Barriers barriers, SortedMap<String, DiskFile> names) {
    this.model = model;
    this.barriers = barriers;
    // Of an image, a background thread makes files while the test lists them.
    this.names = new ConcurrentSkipListMap<>(names);
    this.durableNames = new TreeMap<>(names);
  }

  /** What a power cut can do here. */
  public FaultModel model() {
    return model;
  }

  /**
   * Cuts the power.
   *
   * @param seed what is left is drawn from it
   * @return one of the images
   */
  public Disk cutPower(long seed) {
    CrashImages images = new CrashImages(this);
    int[] choice = new ImageChoices(images, 0, seed).next();
    return images.build(choice == null ? new int[0] : choice);
  }

  /** Another disk with the same bytes; all of both is durable. */
  public Disk copy() {
    if (!nameChanges.isEmpty() || names.values().stream().anyMatch(f -> !f.isDurable())) {
      throw new IllegalStateException("not all is durable");
    }
    SortedMap<String, DiskFile> copies = new TreeMap<>(names);
    copies.replaceAll((name, file) -> file.image(file.size()));
    return new Disk(model, barriers, copies);
  }

  /**
   * Makes every change durable at once, for a disk whose power is not cut any more. Returns this.
   */
  public Disk stopRecording() {
    recording = false;
    names.values().forEach(DiskFile::stopRecording);
    return this;
  }

  public Barriers barriers() {
    return barriers;
  }

  /** Notes that a barrier is passed; returns whether it has an effect. */
  public boolean pass(String kind, String file) {
    boolean effective = !recording || barriers.pass(kind, file);
    if (!effective) {
      missed.put(names.containsKey(file) ? names.get(file).id() : 0, clock);
    }
    return effective;
  }

  /** Up to when a file's changes would be durable if all barriers had an effect, or 0. */
  public long missed(int file) {
    return missed.getOrDefault(file, 0L);
  }

  /** Counts what could change an image: if it is the same as before, so are the images. */
  public long changes() {
    return changes;
  }

  /** The time: it goes on with every write. */
  public long clock() {
    return clock;
  }

  private long tick() {
    changes++;
    return ++clock;
  }

  // ---- the directory

  public SortedSet<String> list() {
    return new TreeSet<>(names.keySet());
  }

  public SortedMap<String, DiskFile> names() {
    return names;
  }

  public DiskFile find(String name) throws IOException {
    DiskFile file = names.get(name);
    if (file == null) {
      throw new NoSuchFileException(name);
    }
    return file;
  }

  public DiskFile create(String name) throws IOException {
    return create(name, model);
  }

  /**
   * Creates a file on a device of another kind than the directory's.
   *
   * @param of what a power cut can do to the contents of the file
   * @throws FileAlreadyExistsException if there is one of that name
   */
  public DiskFile create(String name, FaultModel of) throws IOException {
    if (names.containsKey(name)) {
      throw new FileAlreadyExistsException(name);
    }
    long stamp = tick();
    DiskFile file = new DiskFile((int) stamp, of);
    if (!recording) {
      file.stopRecording();
    }
    change(new NameChange(stamp, "", name, file));
    return file;
  }

  public void rename(String from, String to) throws IOException {
    change(new NameChange(tick(), from, to, find(from)));
  }

  public void delete(String name) throws IOException {
    change(new NameChange(tick(), name, "", find(name)));
  }

  private void change(NameChange change) {
    nameChanges.add(change);
    change.apply(names);
  }

  public void settleNames(long stamp) {
    changes++;
    while (!nameChanges.isEmpty() && nameChanges.getFirst().stamp <= stamp) {
      nameChanges.removeFirst().apply(durableNames);
    }
  }

  public SortedMap<String, DiskFile> durableNames() {
    return durableNames;
  }

  public List<NameChange> nameChanges() {
    return nameChanges;
  }

  // ---- files

  public void write(DiskFile file, long offset, byte[] source, int at, int length) {
    file.write(tick(), offset, source, at, length);
  }

  public void resize(DiskFile file, long size) {
    file.resize(tick(), size);
  }

  /** Makes durable what was written to a file up to a time. */
  public void settle(DiskFile file, long stamp) {
    changes++;
    file.settle(stamp);
  }

  /** Makes durable the length of a file, and the zeros that it got with it. */
  public void settleGrowth(DiskFile file, long from) {
    changes++;
    file.settleSize(clock);
    for (long unit : file.unsettledIn(from, file.size() - from)) {
      file.settleUnit(unit, clock);
    }
  }

  /** Starts to make durable what is in the cache lines of a range. */
  public void flush(DiskFile file, long offset, long length) {
    List<Flush> mine = flushed.computeIfAbsent(Thread.currentThread(), t -> new ArrayList<>());
    for (long unit : file.unsettledIn(offset, length)) {
      mine.add(new Flush(file, unit, clock));
    }
  }

  /** Makes durable what the calling thread has flushed. */
  public void fence() {
    List<Flush> mine = flushed.remove(Thread.currentThread());
    if (mine != null) {
      changes++;
      mine.forEach(flush -> flush.file.settleUnit(flush.unit, flush.stamp));
    }
  }
}
