package io.pmstore.oms.cluster;

import io.pmstore.NotLeaderException;
import io.pmstore.OutcomeUnknownException;
import io.pmstore.PmStore;
import io.pmstore.Replication;
import io.pmstore.ReplicationStatus;
import io.pmstore.StoreClosedException;
import io.pmstore.oms.domain.OrderSnapshot;
import io.pmstore.oms.flow.FlowEvent;
import io.pmstore.oms.targets.OmsService;
import io.pmstore.oms.targets.PmStoreService;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Applies orders and execution reports on a node while that node leads, as fast as the nodes
 * confirm them. A node that becomes the leader first reads how far the orders are, and goes on
 * there: so a report whose outcome nobody knows is either found, or applied then.
 */
final class Driver {
  /** How soon a new leader begins. Only {@link Replication#status} tells, and it costs little. */
  private static final long LOOK_MILLIS = 5;

  private final PmStore store;
  private final Replication replication;
  private final int threads;
  private final NodeOutput out;
  private volatile boolean stopped;
  private volatile @Nullable Thread thread;

  Driver(PmStore store, int threads, NodeOutput out) {
    this.store = store;
    this.replication = store.replication().orElseThrow();
    this.threads = threads;
    this.out = out;
  }

  void start() {
    Batches.events(0); // the classes and the code that make orders are loaded before they are due
    thread = Thread.ofPlatform().name("driver").start(() -> orEndProcess(this::drive));
  }

  /** Returns when nothing is on its way any more. */
  void stop() throws InterruptedException {
    stopped = true;
    Thread started = thread;
    if (started != null) {
      started.join();
    }
  }

  private interface Work {
    void run() throws InterruptedException;
  }

  /** A node that cannot do its work must not look like one that does. */
  private static void orEndProcess(Work work) {
    try {
      work.run();
    } catch (Throwable t) {
      t.printStackTrace(System.err);
      Runtime.getRuntime().halt(1);
    }
  }

  private void drive() throws InterruptedException {
    while (!stopped) {
      ReplicationStatus status = replication.status();
      if (status.role() == ReplicationStatus.Role.LEADER && status.ready()) {
        out.say(NodeOutput.LEADS + status.term());
        try {
          new Leadership(new PmStoreService(store)).run();
        } catch (NotLeaderException | OutcomeUnknownException e) {
          // another node will lead, or this one again
        }
      }
      Thread.sleep(LOOK_MILLIS);
    }
  }

  /** Where a thread is: in a batch, of which some reports are left. */
  private record Position(int batch, List<FlowEvent> rest) {}

  /** One time of leading. */
  private final class Leadership {
    private final OmsService service;
    private volatile boolean lost;

    Leadership(OmsService service) {
      this.service = service;
    }

    void run() throws InterruptedException {
      List<Position> positions = store.transaction(this::positions);
      List<Thread> workers = new ArrayList<>();
      for (Position each : positions) {
        workers.add(Thread.ofPlatform().name("oms").start(() -> orEndProcess(() -> work(each))));
      }
      for (Thread worker : workers) {
        worker.join();
      }
    }

    /** Reads where each thread goes on. */
    private List<Position> positions() {
      List<Position> positions = new ArrayList<>();
      for (int first = 0; first < threads; first++) {
        int batch = first;
        while (service.find(Batches.firstOrder(batch + threads)) != null) {
          batch += threads;
        }
        positions.add(
            new Position(
                batch, Batches.events(batch).stream().filter(event -> !isThere(event)).toList()));
      }
      return positions;
    }

    private boolean isThere(FlowEvent event) {
      OrderSnapshot order = service.find(event.orderId());
      return order != null && event.sequence() < order.reports().size();
    }

    private void work(Position from) {
      List<FlowEvent> events = from.rest();
      for (int batch = from.batch(); ; events = Batches.events(batch)) {
        for (FlowEvent event : events) {
          if (stopped || lost) {
            return;
          }
          if (!apply(event)) {
            lost = true;
            return;
          }
        }
        batch += threads;
      }
    }

    private boolean apply(FlowEvent event) {
      try {
        service.apply(event);
      } catch (NotLeaderException e) {
        return false;
      } catch (OutcomeUnknownException e) {
        out.unknown(event);
        return false;
      } catch (StoreClosedException e) {
        return false; // its heap was replaced; if the whole store is closed, the next status says
        // so
      }
      out.acknowledged(event);
      return true;
    }
  }
}
