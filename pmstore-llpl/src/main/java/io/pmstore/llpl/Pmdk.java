package io.pmstore.llpl;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.pmstore.core.memory.NativeCalls;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;

/**
 * Calls of PMDK and of the operating system that LLPL does not offer: they control when a pool
 * grows, and by how much. Loaded at the first use, when LLPL has loaded the library.
 */
@SuppressWarnings("restricted") // the module is meant to be run with native access enabled
final class Pmdk {
  private static final SymbolLookup LIBRARY =
      SymbolLookup.libraryLookup("libpmemobj.so.1", Arena.global());
  private static final MethodHandle CTL_EXEC = ctl("pmemobj_ctl_exec");
  private static final MethodHandle CTL_SET = ctl("pmemobj_ctl_set");
  private static final MethodHandle RESERVE =
      NativeCalls.handle(
          LIBRARY,
          "pmemobj_reserve",
          FunctionDescriptor.of(
              MemoryLayout.structLayout(JAVA_LONG, JAVA_LONG),
              ADDRESS,
              ADDRESS,
              JAVA_LONG,
              JAVA_LONG));
  private static final MethodHandle CANCEL =
      NativeCalls.handle(
          LIBRARY, "pmemobj_cancel", FunctionDescriptor.ofVoid(ADDRESS, ADDRESS, JAVA_LONG));
  private static final MethodHandle ERROR =
      NativeCalls.handle(LIBRARY, "pmemobj_errormsg", FunctionDescriptor.of(ADDRESS));
  private static final MemorySegment UNSHARE = NativeCalls.function("unshare");

  private static final long ALLOCATION_MAX = 0x3_FFDF_FFC0L;
  private static final long ACTION_SIZE = 128;
  private static final long MESSAGE_LENGTH_MAX = 8192;
  private static final int CLONE_FS = 0x200;

  private Pmdk() {}

  private static MethodHandle ctl(String name) {
    return NativeCalls.handle(
        LIBRARY, name, FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS));
  }

  /** Keeps PMDK from making an open pool larger on its own. */
  static void keepFromGrowing(long pool) {
    if (control(CTL_SET, pool, "heap.size.granularity", 0) != 0) {
      throw new IllegalStateException("PMDK cannot be kept from growing a pool: " + error());
    }
  }

  /**
   * Makes an open pool larger by one part.
   *
   * @param size of the part, whose file is there
   * @return whether it is; if not, {@link #error} says why, and trying again does harm
   */
  static boolean extend(long pool, long size) {
    findFree(pool);
    return control(CTL_EXEC, pool, "heap.size.extend", size) == 0;
  }

  /**
   * Has PMDK look at all of the pool, which it does in steps when it needs room: it joins a new
   * part only with free room that it has seen. Asks for more than there is, or for a moment for all
   * of an empty zone.
   */
  private static void findFree(long pool) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment action = arena.allocate(ACTION_SIZE, 8);
      MemorySegment address = MemorySegment.ofAddress(pool);
      MemorySegment found =
          (MemorySegment)
              RESERVE.invokeExact((SegmentAllocator) arena, address, action, ALLOCATION_MAX, 0L);
      if (found.get(JAVA_LONG, 8) != 0) {
        CANCEL.invokeExact(address, action, 1L);
      }
    } catch (Throwable e) {
      throw NativeCalls.unexpected(e);
    }
  }

  private static int control(MethodHandle call, long pool, String name, long argument) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment value = arena.allocate(JAVA_LONG);
      value.set(JAVA_LONG, 0, argument);
      return (int)
          call.invokeExact(
              MemorySegment.ofAddress(pool),
              arena.allocateFrom(name, StandardCharsets.US_ASCII),
              value);
    } catch (Throwable e) {
      throw NativeCalls.unexpected(e);
    }
  }

  /** What PMDK says of the calling thread's last failure. */
  static String error() {
    try {
      MemorySegment text = (MemorySegment) ERROR.invokeExact();
      return text.reinterpret(MESSAGE_LENGTH_MAX).getString(0, StandardCharsets.UTF_8);
    } catch (Throwable e) {
      throw NativeCalls.unexpected(e);
    }
  }

  /**
   * Gives the calling thread a working directory of its own, where the system lets it: PMDK goes
   * into a pool's directory for a moment when it reads it, and would take along all threads.
   */
  static void separateWorkingDirectory() {
    try (Arena arena = Arena.ofConfined()) {
      long ignored =
          NativeCalls.call(UNSHARE, arena.allocate(NativeCalls.CALL_STATE), CLONE_FS, 0, 0, 0);
    }
  }
}
