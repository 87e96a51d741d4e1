package io.pmstore.model.observe;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The methods of pmstore through which accesses go. This class is the only one that knows them. All
 * are instance methods, so their parameters begin at slot 1.
 */
final class Gates {
  private static final String MEMORY = "io.pmstore.core.memory.HeapMemory";
  private static final String LOCKS = "io.pmstore.core.tx.LockTable";
  private static final String PMEM = "io.pmstore.core.medium.PmemMediumFile";
  private static final String FILE = "io.pmstore.core.medium.FileMediumFile";

  /** What a gate tells. */
  enum Call {
    READ,
    WRITE,
    VERSION,
    FILE_WRITE,
    SYNC
  }

  /**
   * A method.
   *
   * @param length how many bytes it accesses, where its parameters do not tell
   * @param lengthSlot the slot of the parameter that tells, or -1
   */
  record Gate(
      String type, String method, String parameters, Call call, int length, int lengthSlot) {
    String name() {
      return type.substring(type.lastIndexOf('.') + 1) + "." + method;
    }
  }

  private static final String BYTES = "(long,byte[],int,int)";

  private static final List<Gate> ALL =
      List.of(
          new Gate(MEMORY, "getByte", "(long)", Call.READ, 1, -1),
          new Gate(MEMORY, "getShort", "(long)", Call.READ, 2, -1),
          new Gate(MEMORY, "getChar", "(long)", Call.READ, 2, -1),
          new Gate(MEMORY, "getInt", "(long)", Call.READ, 4, -1),
          new Gate(MEMORY, "getLong", "(long)", Call.READ, 8, -1),
          new Gate(MEMORY, "read", BYTES, Call.READ, 0, 5),
          new Gate(MEMORY, "putLong", "(long,long)", Call.WRITE, 8, -1),
          new Gate(LOCKS, "word", "(int)", Call.VERSION, 0, -1),
          new Gate(LOCKS, "tryLock", "(int,long,long)", Call.VERSION, 0, -1),
          new Gate(LOCKS, "unlock", "(int,long)", Call.VERSION, 0, -1),
          new Gate(PMEM, "write", BYTES, Call.FILE_WRITE, 0, 5),
          new Gate(FILE, "write", BYTES, Call.FILE_WRITE, 0, 5),
          new Gate(FILE, "writeRelaxed", BYTES, Call.FILE_WRITE, 0, 5),
          new Gate(PMEM, "sync", "()", Call.SYNC, 0, -1),
          new Gate(FILE, "sync", "()", Call.SYNC, 0, -1));

  /** The classes that have gates. */
  static final Set<String> CLASSES =
      ALL.stream().map(Gate::type).collect(Collectors.toUnmodifiableSet());

  /** The gates without which a store's accesses to its heap would not be counted. */
  static final Set<String> REQUIRED =
      Set.of("HeapMemory.getLong", "HeapMemory.putLong", "LockTable.word");

  private Gates() {}

  /**
   * Returns a gate, or null if the method is none.
   *
   * @param descriptor parameters in parentheses and the result, with simple names
   */
  static @Nullable Gate of(String type, String method, String descriptor) {
    for (Gate gate : ALL) {
      if (gate.type.equals(type)
          && gate.method.equals(method)
          && descriptor.startsWith(gate.parameters)) {
        return gate;
      }
    }
    return null;
  }
}
