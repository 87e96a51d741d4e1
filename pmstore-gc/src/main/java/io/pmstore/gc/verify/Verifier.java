package io.pmstore.gc.verify;

import io.pmstore.VerificationProgress;
import io.pmstore.VerificationReport;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.heap.Heap;
import io.pmstore.core.memory.HeapMemory;
import io.pmstore.gc.account.ClassUses;
import io.pmstore.gc.trace.ShapeTable;
import java.util.Optional;

/**
 * Verifies a heap: reads its allocation tables, walks everything reachable, and compares the sums.
 */
public final class Verifier {
  private Verifier() {}

  /**
   * Verifies a heap that nothing changes meanwhile.
   *
   * @param told how far it is
   */
  public static VerificationReport verify(Heap heap, VerificationProgress told) {
    HeapMemory memory = heap.memory();
    FaultLog faults = new FaultLog();
    SpaceMap space = new SpaceMap(memory, faults);
    WalkProgress progress = new WalkProgress(told, space.usedBytes(), memory.writableBytes());
    ShapeTable shapes = new ShapeTable();
    EnumTable enums = new EnumTable();
    HeapCheck check = new HeapCheck(memory, space, shapes, enums, faults, progress);
    DirectoryWalk directory = new DirectoryWalk(heap, check, shapes, enums, faults);
    directory.walkCatalogue();
    directory.walkRoots();

    Account account = Account.of(space, check.tracer().marks(), faults);
    ClassUses uses = check.uses();
    if (account.reachedObjects() != uses.objects() || account.reachedBytes() != uses.bytes()) {
      throw new IllegalStateException(
          ("the walk reached %d objects of %d bytes, and marked %d of %d: the heap was changed"
                  + " meanwhile, or verification is wrong; please report it")
              .formatted(
                  uses.objects(), uses.bytes(), account.reachedObjects(), account.reachedBytes()));
    }
    // Last: damaged objects and the paths to them tell more than damaged pages.
    heap.verifyBytes(
        new Engine.FaultVisitor() {
          @Override
          public void fault(long address, String found, String expected) {
            faults.add("page of the heap file at " + address, found, expected);
          }

          @Override
          public void faultOfFile(String place, String found, String expected) {
            faults.add(place, found, expected);
          }

          @Override
          public void compared(long end) {
            progress.compared(end);
          }
        });
    return new VerificationReport(
        memory.size(),
        uses.objects(),
        uses.bytes(),
        uses.sorted(),
        account.garbageObjects(),
        account.garbageBytes(),
        account.freeBytes(),
        account.overheadBytes(),
        Optional.ofNullable(heap.checksumsMade()),
        faults.count(),
        faults.kept());
  }
}
