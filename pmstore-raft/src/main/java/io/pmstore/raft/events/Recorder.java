package io.pmstore.raft.events;

import io.pmstore.ReplicationStatus;
import java.util.Optional;
import java.util.function.Supplier;
import jdk.jfr.FlightRecorder;
import jdk.jfr.FlightRecorderListener;
import org.jspecify.annotations.Nullable;

/**
 * Records the events of one node. The first use of an event class initializes Flight Recorder,
 * which takes time. So this class uses no event class before a recording was started. Thread-safe.
 */
public final class Recorder implements AutoCloseable {
  private final String store;
  private final String node;
  private @Nullable State last; // guarded by this
  private volatile @Nullable Lag lag;

  private record State(String role, String leader) {}

  /**
   * Creates the recorder of a node.
   *
   * @param store the directory of the node
   * @param node its id
   */
  public Recorder(String store, String node) {
    this.store = store;
    this.node = node;
  }

  /**
   * Begins to record the lag, whenever a recording runs.
   *
   * @param status returns the status of the node, or nothing if it has none now; called by a thread
   *     of Flight Recorder
   */
  public void start(Supplier<Optional<ReplicationStatus>> status) {
    Lag started =
        new Lag(() -> status.get().ifPresent(known -> new LagEvent(store, known).commit()));
    lag = started;
    FlightRecorder.addListener(started); // calls it at once if Flight Recorder is initialized
  }

  /** Waits for Flight Recorder, and then has it ask for the lag. */
  private static final class Lag implements FlightRecorderListener {
    private final Runnable hook;
    private volatile boolean ended;

    Lag(Runnable hook) {
      this.hook = hook;
    }

    @Override
    public void recorderInitialized(FlightRecorder recorder) {
      FlightRecorder.addPeriodicEvent(LagEvent.class, hook);
      if (ended) {
        FlightRecorder.removePeriodicEvent(hook);
      }
    }

    void end() {
      ended = true;
      FlightRecorder.removeListener(this);
      if (FlightRecorder.isInitialized()) {
        FlightRecorder.removePeriodicEvent(hook);
      }
    }
  }

  /**
   * Records a role if it, or the leader, is another one than before.
   *
   * @param role of the node now
   * @param leader the id of the leader, or null if none is known
   */
  public void role(String role, @Nullable String leader, long term) {
    State now = new State(role, leader == null ? "" : leader);
    State before;
    synchronized (this) {
      before = last;
      last = now;
    }
    if (!now.equals(before) && FlightRecorder.isInitialized()) {
      new RoleChangeEvent(
              store, node, before == null ? "" : before.role(), now.role(), now.leader(), term)
          .commit();
    }
  }

  /** Begins the event of a heap that is copied. Returns null if nothing is recorded. */
  public @Nullable HeapCopyEvent heapCopy() {
    return FlightRecorder.isInitialized() ? HeapCopyEvent.started() : null;
  }

  /**
   * Ends the event of a heap that is copied.
   *
   * @param copy from {@link #heapCopy}
   * @param source the id of the node that was copied
   * @param heapBytes the size of the heap
   * @param transferredBytes what was carried over the network
   * @param index of the last entry that the copy has
   */
  public void ended(
      @Nullable HeapCopyEvent copy,
      String source,
      long heapBytes,
      long transferredBytes,
      long index) {
    if (copy != null) {
      copy.ended(store, node, source, heapBytes, transferredBytes, index);
    }
  }

  /**
   * Records an entry that does nothing.
   *
   * @param index of the entry
   * @param term that the log has for it
   * @param validatedTerm in which its transaction was validated
   */
  public void stale(long index, long term, long validatedTerm) {
    if (FlightRecorder.isInitialized()) {
      new StaleEntryEvent(store, node, index, term, validatedTerm).commit();
    }
  }

  /** Records no lag any more. */
  @Override
  public void close() {
    Lag started = lag;
    if (started != null) {
      started.end();
    }
  }
}
