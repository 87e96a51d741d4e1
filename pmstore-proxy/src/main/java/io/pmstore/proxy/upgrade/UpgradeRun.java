package io.pmstore.proxy.upgrade;

import io.pmstore.PmStoreException;
import io.pmstore.StoreClosedException;
import io.pmstore.TransactionTooLargeException;
import io.pmstore.Upgrade;
import io.pmstore.core.engine.Uninterruptibles;
import io.pmstore.core.events.Recorder;
import io.pmstore.core.events.UpgradeEvent;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** One run of {@link io.pmstore.PmStore#upgrade}, on a thread of its own. */
final class UpgradeRun implements Upgrade {
  private static final int BATCH = 256;

  private final StoreUpgrade.Walk work;
  private final String store;
  private final Thread thread;
  private final CountDownLatch end = new CountDownLatch(1);
  private volatile boolean cancelled;
  private final AtomicLong upgraded = new AtomicLong();
  private volatile @Nullable Throwable failure;

  /**
   * Prepares a run.
   *
   * @param store what recordings call the store
   */
  UpgradeRun(StoreUpgrade.Walk work, String store) {
    this.work = work;
    this.store = store;
    thread = Thread.ofPlatform().name("pmstore-upgrade").daemon().unstarted(this::run);
  }

  void start() {
    thread.start();
  }

  private void run() {
    @Nullable UpgradeEvent event = Recorder.upgrade();
    try {
      for (List<Long> found = work.next(); found != null; found = work.next()) {
        for (int from = 0; from < found.size(); from += BATCH) {
          upgrade(found.subList(from, Math.min(found.size(), from + BATCH)));
        }
        failIfCancelled();
      }
      work.finish();
    } catch (Throwable t) {
      failure = t;
    } finally {
      if (event != null) {
        Throwable reason = failure;
        event.ended(store, upgraded.get(), reason == null ? "" : reason.toString());
      }
      end.countDown();
    }
  }

  private void failIfCancelled() {
    if (cancelled) {
      throw new PmStoreException("it was cancelled");
    }
  }

  /**
   * Upgrades objects. Halves what is too large for one transaction: migration functions may make
   * any number of objects.
   */
  private void upgrade(List<Long> objects) {
    failIfCancelled();
    try {
      upgraded.addAndGet(work.upgrade(objects));
    } catch (TransactionTooLargeException e) {
      if (objects.size() == 1) {
        throw e;
      }
      upgrade(objects.subList(0, objects.size() / 2));
      upgrade(objects.subList(objects.size() / 2, objects.size()));
    }
  }

  @Override
  public double progress() {
    return isDone() && failure == null ? 1 : Math.min(work.progress(), 0.999);
  }

  @Override
  public long upgraded() {
    return upgraded.get();
  }

  @Override
  public boolean isDone() {
    return end.getCount() == 0;
  }

  @Override
  public void await() throws InterruptedException {
    end.await();
    check();
  }

  @Override
  public boolean await(Duration timeout) throws InterruptedException {
    if (!end.await(timeout.toNanos(), TimeUnit.NANOSECONDS)) {
      return false;
    }
    check();
    return true;
  }

  /** Throws if the run ended with a failure. */
  private void check() {
    Throwable cause = failure;
    if (cause == null) {
      return;
    }
    String message =
        "the upgrade ended after %d objects: %s; what was upgraded stays so, and another run goes on"
            .formatted(upgraded.get(), cause.getMessage());
    throw cause instanceof StoreClosedException
        ? new StoreClosedException(message, cause)
        : new PmStoreException(message, cause);
  }

  /** Waits until the thread of the run has ended, also if the caller is interrupted. */
  void join() {
    Uninterruptibles.join(thread);
  }

  @Override
  public void cancel() {
    cancelled = true;
  }
}
