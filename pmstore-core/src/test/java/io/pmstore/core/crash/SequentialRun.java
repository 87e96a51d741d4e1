package io.pmstore.core.crash;

import io.pmstore.core.crash.CrashSimulator.Effort;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.heap.Heap;
import io.pmstore.crash.Disk;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Sessions of a program that uses a heap with one thread at a time, which may be any thread. At
 * every call of the medium the run examines what a power cut would leave.
 *
 * @param <F> what is found in an image
 */
public final class SequentialRun<F> implements CrashSimulator.Subject<F> {
  /**
   * The program.
   *
   * @param <F> what is found in an image
   */
  public interface Program<F> {
    /**
     * Puts a heap, and what belongs above it, on an engine.
     *
     * @param engine the engine
     * @return the heap
     */
    Heap open(Engine engine);

    /**
     * Reads an image, as the next process.
     *
     * @param heap of the image; may be written to
     * @param seed for choices
     * @return what is in it
     * @throws Exception if that never existed
     */
    F recover(Heap heap, long seed) throws Exception;

    /**
     * Compares with what is promised now.
     *
     * @param found what is in an image
     */
    void check(F found);

    /**
     * Counts changes of what is promised.
     *
     * @return a number that differs from an earlier one if {@link #check} may say something else
     */
    long promises();
  }

  /** What a program does while its store is open. */
  @FunctionalInterface
  public interface Session {
    /**
     * Does it.
     *
     * @param heap the heap, closed afterwards
     * @throws Exception to fail the run
     */
    void run(Heap heap) throws Exception;
  }

  private final EngineOpener opener;
  private final Path directory;
  private final Disk disk;
  private final Program<F> program;
  private final CrashSimulator<F> simulator;

  /**
   * Prepares a run.
   *
   * @param opener the engine
   * @param directory where real directories can be made, in memory if possible
   * @param disk an empty one
   * @param seed what is drawn from
   * @param effort how much is tried
   * @param program what runs
   */
  public SequentialRun(
      EngineOpener opener,
      Path directory,
      Disk disk,
      long seed,
      Effort effort,
      Program<F> program) {
    this.opener = opener;
    this.directory = directory;
    this.disk = disk;
    this.program = program;
    this.simulator = new CrashSimulator<>(this, seed, effort);
  }

  /**
   * Runs a session, with power cuts.
   *
   * @param session what is done in it
   * @throws CrashSimulator.PowerCutFailure if one leaves what it must not
   * @throws Exception what the session threw
   */
  public void run(Session session) throws Exception {
    run(program, session, call -> simulator.cutPower(disk));
  }

  /**
   * Runs a session of another program, without power cuts.
   *
   * @param before the program
   * @param session what is done in it
   * @throws Exception what the session threw
   */
  public void prepare(Program<F> before, Session session) throws Exception {
    run(before, session, call -> {});
  }

  private void run(Program<F> by, Session session, MediumCall.Listener listener) throws Exception {
    RecordingMedium medium = new RecordingMedium(disk, directory.resolve("live"), listener);
    OpenStore store = open(medium);
    Heap heap = by.open(store.engine());
    session.run(heap);
    heap.close();
  }

  /**
   * Opens a store without a background thread, which would call the medium beside the program. What
   * it does is done ahead of need, but for checkpoints, which a program as small as these needs at
   * the close only.
   */
  private OpenStore open(RecordingMedium medium) throws Exception {
    return OpenStore.open(opener, medium, medium.directory(), work -> new Thread(() -> {}));
  }

  @Override
  public F recover(Disk image, long seed) throws Exception {
    // The calling thread is in the middle of something else.
    FutureTask<F> task = new FutureTask<>(() -> recoverHere(image, seed));
    Thread.ofPlatform().name("recovery").start(task);
    try {
      return task.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Exception cause) {
        throw cause;
      }
      throw new AssertionError(e.getCause());
    }
  }

  private F recoverHere(Disk image, long seed) throws Exception {
    RecordingMedium medium =
        new RecordingMedium(image.stopRecording(), directory.resolve("image"), call -> {});
    OpenStore store = open(medium);
    try {
      return program.recover(program.open(store.engine()), seed);
    } finally {
      store.kill();
    }
  }

  @Override
  public void check(F found) {
    program.check(found);
  }

  @Override
  public long promises() {
    return program.promises();
  }

  /**
   * The simulator, for what it has counted.
   *
   * @return the simulator
   */
  public CrashSimulator<F> simulator() {
    return simulator;
  }
}
