package io.pmstore.logged;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Collects the messages of one logger. The logger prints none of them until {@link #close}. */
public final class LoggedWarnings implements AutoCloseable {
  private final LinkedBlockingQueue<String> messages = new LinkedBlockingQueue<>();
  private final Logger logger;

  /** Takes the name of the class that logs. */
  public LoggedWarnings(String name) {
    logger = Logger.getLogger(name);
    logger.setFilter(this::collect);
  }

  private boolean collect(LogRecord record) {
    messages.add(record.getMessage());
    return false;
  }

  /** Returns the messages so far, without those that {@link #take} has returned. */
  public List<String> messages() {
    return List.copyOf(messages);
  }

  /** Waits for a message, and returns it. */
  public String take() throws InterruptedException {
    return messages.take();
  }

  /** Fails if there is not one message, or if it lacks a part. */
  public static void assertNames(List<String> found, String... parts) {
    assertEquals(1, found.size(), found::toString);
    for (String part : parts) {
      assertTrue(found.getFirst().contains(part), found::toString);
    }
  }

  @Override
  public void close() {
    logger.setFilter(null);
  }
}
