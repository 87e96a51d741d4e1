package io.pmstore.core.tx.history;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One thread's part of a history. For use by that thread, and afterwards by another one. */
public final class Recorder {
  private final String thread;
  private final List<Attempt> attempts = new ArrayList<>();
  private @Nullable Attempt current;

  /**
   * Makes an empty one.
   *
   * @param thread who it belongs to, for messages
   */
  public Recorder(String thread) {
    this.thread = thread;
  }

  /** A body begins, for the first time or once more. */
  public void begin() {
    rolledBack();
    current = new Attempt(thread);
    attempts.add(current);
  }

  /**
   * The body did something.
   *
   * @param event what
   */
  public void did(Event event) {
    if (current == null) {
      throw new IllegalStateException("not inside a body");
    }
    current.did(event);
  }

  /** The transaction returned. */
  public void committed() {
    if (current != null) {
      current.committed();
      current = null;
    }
  }

  /** The transaction threw, or the attempt before this one failed. */
  public void rolledBack() {
    if (current != null) {
      current.rolledBack();
      current = null;
    }
  }

  /**
   * What was recorded.
   *
   * @return all attempts, in their order
   */
  public List<Attempt> attempts() {
    return attempts;
  }
}
