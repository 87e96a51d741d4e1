package io.pmstore.jmh.commit;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.pmstore.core.medium.MediumFile;
import io.pmstore.core.medium.PmemMedium;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;

/** The bare barrier of persistent memory: a copy, the write-back of its cache lines, a fence. */
@SuppressWarnings("restricted") // it calls libpmem
public final class PmemLog implements AutoCloseable {
  private static final MethodHandle FLUSH =
      function("pmem_flush", FunctionDescriptor.ofVoid(ADDRESS, JAVA_LONG));
  private static final MethodHandle DRAIN = function("pmem_drain", FunctionDescriptor.ofVoid());

  private final int size;
  private final MediumFile file;
  private final MemorySegment log;
  private final AtomicLong appended = new AtomicLong();

  /**
   * Makes the log.
   *
   * @param directory for its file {@code log}
   * @param size of it, in bytes; records are written over the first ones when it is full
   */
  public PmemLog(Path directory, int size) throws IOException {
    this.size = size;
    file = new PmemMedium(directory).create("log");
    file.allocate(0, size, true);
    log = file.map(0, size, Arena.global()); // a call with memory that can be unmapped costs more;
  }

  private static MethodHandle function(String name, FunctionDescriptor descriptor) {
    SymbolLookup library = SymbolLookup.libraryLookup("libpmem.so.1", Arena.global());
    return Linker.nativeLinker()
        .downcallHandle(library.findOrThrow(name), descriptor, Linker.Option.critical(false));
  }

  /**
   * Makes a record durable.
   *
   * @param record of a length that divides the log's size
   */
  public void append(byte[] record) {
    MemorySegment target = log.asSlice(appended.getAndAdd(record.length) % size, record.length);
    MemorySegment.copy(record, 0, target, JAVA_BYTE, 0, record.length);
    try {
      FLUSH.invokeExact(target, (long) record.length);
      DRAIN.invokeExact();
    } catch (Throwable e) {
      throw new IllegalStateException("a call of libpmem threw", e);
    }
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
