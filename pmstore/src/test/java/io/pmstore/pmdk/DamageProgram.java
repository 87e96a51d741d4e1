package io.pmstore.pmdk;

import io.pmstore.PmStore;
import io.pmstore.StoreDamagedException;
import io.pmstore.StoreFormatException;
import io.pmstore.pmdk.Bank.Account;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;

/**
 * Damages copies of a store in every way and uses them. Prints, for each, its name and what came of
 * it: {@code refused}, {@code found} by a verification, or {@code unnoticed}, in which case all has
 * worked that a program does.
 */
final class DamageProgram {
  private static final byte[] SIGNATURE = "PMEMOBJ\0".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] NOTE = "note 1999".getBytes(StandardCharsets.UTF_8);
  // Lanes below 100 may be in use.
  private static final int FLIPS = Integer.getInteger("pmstore.traps.flips", 4);
  private static final int LANES = 0x2000;
  private static final int LANE = 3072;
  private static final int UNDO_ENTRIES = 1024;
  static final int CHUNKS = 0x302400;

  private DamageProgram() {}

  private interface Damage {
    void to(Path pool) throws IOException;
  }

  /** Takes the store to be copied, and the directory for a copy. */
  public static void main(String[] arguments) throws IOException {
    Path store = Path.of(arguments[0]);
    Path copy = Path.of(arguments[1]);
    for (Map.Entry<String, Damage> damage : damages().entrySet()) {
      copy(store, copy);
      damage.getValue().to(pool(copy));
      System.out.println(damage.getKey() + " " + outcome(copy));
    }
  }

  private static Map<String, Damage> damages() {
    long seed = Long.getLong("pmstore.seed", ThreadLocalRandom.current().nextLong());
    System.out.println("replay with -Dpmstore.seed=" + seed);
    Random random = new Random(seed);
    Map<String, Damage> damages = new LinkedHashMap<>();
    for (long size : new long[] {0, 4095, 1 << 20}) {
      damages.put("cut:" + size, pool -> cut(pool, size));
    }
    // Seen to end the process, to make it fail later, and to be refused by PMDK.
    damages.put("lane:next", pool -> flip(pool, LANES + 8, 3));
    damages.put("chunks:zeros", pool -> put(pool, CHUNKS, 0));
    damages.put("chunks:magic", pool -> flip(pool, CHUNKS, 3));
    for (int i = 0; i < FLIPS; i++) {
      long lane = LANES + LANE * random.nextLong(100, 1000);
      int bit = random.nextInt(64);
      long chunk = CHUNKS + 8L * random.nextInt(40);
      long value = random.nextLong() >>> random.nextInt(64) | 1;
      long any = random.nextInt(4 << 20) & -8L;
      damages.put("lane:%x:%d".formatted(lane, bit), pool -> flip(pool, lane + 8, bit));
      damages.put("chunk:%x:%x".formatted(chunk, value), pool -> change(pool, chunk, value));
      // A change to be carried out, where no log was: only the bits of the place.
      damages.put(
          "undo:%x:%d".formatted(lane, bit % 26),
          pool -> flip(pool, lane + UNDO_ENTRIES, bit % 26));
      damages.put("any:%x:%d".formatted(any, bit), pool -> flip(pool, any, bit));
    }
    // What verifications tell, and what nobody can: a value has no checksum.
    damages.put(
        "objects:zeros",
        pool -> {
          for (long at = find(pool, NOTE) & -4096, end = at + 4096; at < end; at += 8) {
            put(pool, at, 0);
          }
        });
    damages.put("value:note", pool -> flip(pool, find(pool, NOTE), 1));
    return damages;
  }

  private static String outcome(Path store) {
    try {
      if (!PmStore.verify(store).isSound()) {
        return "found";
      }
      use(store);
      use(store);
    } catch (StoreDamagedException | StoreFormatException e) {
      return "refused: " + e.getMessage();
    }
    return "unnoticed";
  }

  private static void use(Path store) {
    try (PmStore opened = Bank.open(store)) {
      use(opened);
    }
  }

  /** Reads everything, and writes much. */
  private static void use(PmStore store) {
    Bank bank = Bank.of(store);
    long sum = store.snapshot(bank::sum);
    if (sum != 10 * Account.BEGINNING) {
      throw new IllegalStateException("the sum is " + sum);
    }
    store.transaction(
        () -> {
          bank.transfer(0, 1, 1);
          for (long i = 0; i < 3000; i++) {
            bank.getNotes().put(i, "another note " + i);
          }
        });
    store.transaction(() -> bank.getNotes().keySet().removeIf(key -> key >= 2000));
    store.gc();
  }

  /** The first file of the pool, whatever it is called. */
  static Path pool(Path store) throws IOException {
    try (Stream<Path> files = Files.walk(store)) {
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
          ByteBuffer start = ByteBuffer.allocate(SIGNATURE.length);
          channel.read(start, 0);
          if (Arrays.equals(start.array(), SIGNATURE)) {
            return file;
          }
        }
      }
    }
    throw new IllegalStateException("no pool in " + store);
  }

  /** Copies a store that nobody has open. */
  static void copy(Path store, Path copy) throws IOException {
    if (Files.exists(copy)) {
      List<Path> old;
      try (Stream<Path> files = Files.walk(copy)) {
        old = files.sorted(Comparator.reverseOrder()).toList();
      }
      for (Path file : old) {
        Files.delete(file);
      }
    }
    List<Path> files;
    try (Stream<Path> all = Files.walk(store)) {
      files = new ArrayList<>(all.toList());
    }
    for (Path file : files) {
      Files.copy(
          file,
          copy.resolve(store.relativize(file).toString()),
          StandardCopyOption.COPY_ATTRIBUTES);
    }
  }

  private static void cut(Path pool, long size) throws IOException {
    try (FileChannel channel = FileChannel.open(pool, StandardOpenOption.WRITE)) {
      channel.truncate(size);
    }
  }

  private static void flip(Path pool, long offset, int bit) throws IOException {
    change(pool, offset, 1L << bit);
  }

  private static void change(Path pool, long offset, long bits) throws IOException {
    try (FileChannel channel = FileChannel.open(pool, StandardOpenOption.READ)) {
      ByteBuffer word = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
      channel.read(word, offset);
      put(pool, offset, word.getLong(0) ^ bits);
    }
  }

  private static void put(Path pool, long offset, long value) throws IOException {
    try (FileChannel channel = FileChannel.open(pool, StandardOpenOption.WRITE)) {
      ByteBuffer word = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(0, value);
      channel.write(word, offset);
    }
  }

  /** Where bytes are last found. */
  private static long find(Path pool, byte[] wanted) throws IOException {
    byte[] bytes = Files.readAllBytes(pool);
    for (int i = bytes.length - wanted.length; i >= 0; i--) {
      if (Arrays.equals(bytes, i, i + wanted.length, wanted, 0, wanted.length)) {
        return i;
      }
    }
    throw new IllegalStateException("not in " + pool);
  }
}
