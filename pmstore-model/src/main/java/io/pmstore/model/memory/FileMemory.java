package io.pmstore.model.memory;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.pmstore.core.medium.FileMedium;
import io.pmstore.core.medium.Media;
import io.pmstore.core.medium.Medium;
import io.pmstore.core.medium.MediumFile;
import io.pmstore.core.medium.PmemMedium;
import io.pmstore.model.profile.Profile;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * A file below a directory, mapped and written as pmstore does it. On a DAX file system or tmpfs it
 * is persistent memory, elsewhere a disk with its page cache. It is deleted when it is closed.
 */
public final class FileMemory implements ProbedMemory {
  /** The smallest file that shows anything of the memory behind the processor's caches. */
  public static final long BYTES_MIN = 32L << 20;

  private static final String NAME = "pmstore-probe";
  private static final int DIRECT_BLOCK = 4096;
  private static final double SPACE_LEFT = 0.9;
  private static final int LINE = 64;

  private final Path directory;
  private final Profile.Kind kind;
  private final MediumFile file;
  private final Arena arena = Arena.ofShared();
  private final MemorySegment memory;
  private final long bytes;
  private volatile long sink; // what was read, so that reading is not optimized away
  private long seed = 1;

  private FileMemory(Path directory, Profile.Kind kind, MediumFile file, long bytes)
      throws IOException {
    this.directory = directory;
    this.kind = kind;
    this.file = file;
    this.bytes = bytes;
    memory = file.map(0, bytes, arena);
  }

  /**
   * Makes the file.
   *
   * @param directory an existing directory
   * @param bytes the size of the file, at least {@link #BYTES_MIN}
   * @throws ProbeException if the directory cannot be measured
   */
  public static FileMemory create(Path directory, long bytes) {
    if (bytes < BYTES_MIN) {
      throw new ProbeException(
          "a region of %,d bytes is too small: the processor's caches would hide the memory. Give %,d at least, and more than twice the largest cache"
              .formatted(bytes, BYTES_MIN));
    }
    if (!Files.isDirectory(directory)) {
      throw new ProbeException(directory + " is not a directory");
    }
    if (!Files.isWritable(directory)) {
      throw new ProbeException(
          directory + " cannot be written: the probe needs a file of its own in it");
    }
    try {
      FileStore store = Files.getFileStore(directory);
      if (store.isReadOnly() || store.getUsableSpace() * SPACE_LEFT < bytes) {
        throw new ProbeException(
            "%s (%s) has %,d bytes free%s; the probe needs %,d. Make room, or give a smaller --size"
                .formatted(
                    directory,
                    store,
                    store.getUsableSpace(),
                    store.isReadOnly() ? " and is read-only" : "",
                    bytes));
      }
      boolean inMemory = store.type().equals("tmpfs") || Media.isDax(directory);
      Medium medium = inMemory ? new PmemMedium(directory) : new FileMedium(directory);
      if (medium.list().contains(NAME)) {
        throw new ProbeException(
            "%s is there already: another probe runs, or one was killed; delete the file"
                .formatted(directory.resolve(NAME)));
      }
      MediumFile file = medium.create(NAME);
      try {
        file.allocate(0, bytes, true);
        return new FileMemory(
            directory, inMemory ? Profile.Kind.MEMORY : Profile.Kind.DISK, file, bytes);
      } catch (IOException | RuntimeException e) {
        file.close();
        medium.delete(NAME);
        throw e;
      }
    } catch (IOException e) {
      throw new ProbeException("%s cannot be measured: %s".formatted(directory, e.getMessage()), e);
    }
  }

  @Override
  public Profile.Kind kind() {
    return kind;
  }

  @Override
  public long bytes() {
    return bytes;
  }

  @Override
  public int processors() {
    return Runtime.getRuntime().availableProcessors();
  }

  @Override
  public List<KnownCache> knownCaches() {
    return MachineFacts.caches();
  }

  @Override
  public Map<String, String> machine() {
    return MachineFacts.of(directory);
  }

  @Override
  public Chase chase(Ring ring, int chains) {
    for (int i = 0; i < ring.blocks(); i++) {
      memory.set(JAVA_LONG, ring.offset(i), ring.offset(ring.next(i)));
    }
    int[] starts = ring.starts(chains);
    long[] at = new long[chains];
    for (int i = 0; i < chains; i++) {
      at[i] = ring.offset(starts[i]);
    }
    return reads -> {
      long began = System.nanoTime();
      if (chains == 1) {
        at[0] = follow(at[0], reads);
      } else {
        follow(at, reads);
      }
      long nanos = System.nanoTime() - began;
      sink = at[0];
      return nanos;
    };
  }

  private long follow(long from, int reads) {
    MemorySegment bytesRead = memory;
    long at = from;
    for (int i = 0; i < reads; i++) {
      at = bytesRead.get(JAVA_LONG, at);
    }
    return at;
  }

  private void follow(long[] at, int reads) {
    MemorySegment bytesRead = memory;
    for (int i = 0; i < reads; i++) {
      for (int chain = 0; chain < at.length; chain++) {
        at[chain] = bytesRead.get(JAVA_LONG, at[chain]);
      }
    }
  }

  @Override
  public double writes(long region, int count) throws IOException {
    SplittableRandom random = new SplittableRandom(seed++);
    byte[] line = new byte[LINE];
    long lines = region / LINE;
    long began = System.nanoTime();
    for (int i = 0; i < count; i++) {
      file.write(random.nextLong(lines) * LINE, line, 0, LINE);
      file.sync();
    }
    return System.nanoTime() - began;
  }

  @Override
  public double stream(Stream stream) throws IOException, InterruptedException {
    return Threads.run(
        stream.threads(),
        thread -> {
          long part = bytes / stream.threads() / stream.blockBytes() * stream.blockBytes();
          Blocks blocks = new Blocks(stream, part, seed + thread);
          byte[] buffer = new byte[stream.blockBytes()];
          long base = thread * part;
          long read = 0;
          for (long done = 0; done < stream.bytes(); done += buffer.length) {
            long at = base + blocks.next();
            if (stream.isWrite()) {
              file.write(at, buffer, 0, buffer.length);
              if (kind == Profile.Kind.MEMORY) {
                file.sync();
              }
            } else {
              MemorySegment.copy(memory, JAVA_BYTE, at, buffer, 0, buffer.length);
              read += buffer[0];
            }
          }
          if (stream.isWrite() && kind == Profile.Kind.DISK) {
            file.sync(); // a disk would have a barrier for each block otherwise
          }
          return read;
        });
  }

  @Override
  public double appends(int threads, int each, boolean durable)
      throws IOException, InterruptedException {
    return new ProbeLog(file, bytes, kind == Profile.Kind.DISK).appends(threads, each, durable);
  }

  @Override
  public double handOffs(int count) throws InterruptedException {
    return Threads.handOffs(count);
  }

  @Override
  public double deviceReads(int count) throws IOException {
    if (kind == Profile.Kind.MEMORY) {
      return Double.NaN;
    }
    try (FileChannel channel =
        FileChannel.open(directory.resolve(NAME), StandardOpenOption.READ, direct())) {
      ByteBuffer buffer = ByteBuffer.allocateDirect(2 * DIRECT_BLOCK).alignedSlice(DIRECT_BLOCK);
      SplittableRandom random = new SplittableRandom(seed++);
      long blocks = bytes / DIRECT_BLOCK;
      long began = System.nanoTime();
      for (int i = 0; i < count; i++) {
        buffer.clear().limit(DIRECT_BLOCK);
        if (channel.read(buffer, random.nextLong(blocks) * DIRECT_BLOCK) != DIRECT_BLOCK) {
          throw new IOException("a read of the device was short");
        }
      }
      return System.nanoTime() - began;
    } catch (UnsupportedOperationException e) {
      throw new IOException("the file system refuses direct reads: " + e.getMessage(), e);
    }
  }

  /** The JDK's option for reads past the page cache, which is no part of its API. */
  private static OpenOption direct() throws IOException {
    try {
      Object[] options = Class.forName("com.sun.nio.file.ExtendedOpenOption").getEnumConstants();
      for (Object option : options) {
        if (option.toString().equals("DIRECT")) {
          return (OpenOption) option;
        }
      }
      throw new IOException("this JDK has no option for direct reads");
    } catch (ClassNotFoundException e) {
      throw new IOException("this JDK has no option for direct reads", e);
    }
  }

  @Override
  public void close() throws IOException {
    arena.close();
    file.close();
    Files.deleteIfExists(directory.resolve(NAME));
  }
}
