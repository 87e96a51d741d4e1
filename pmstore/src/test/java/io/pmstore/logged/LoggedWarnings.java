package io.pmstore.logged;

import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Keeps what a logger is told, instead of printing it, until it is closed. */
public final class LoggedWarnings extends Handler implements AutoCloseable {
  private final ConcurrentLinkedQueue<String> messages = new ConcurrentLinkedQueue<>();
  private final Logger logger;

  /** Takes the name of the class that logs. */
  public LoggedWarnings(String name) {
    logger = Logger.getLogger(name);
    logger.setUseParentHandlers(false);
    logger.addHandler(this);
  }

  /** Returns the messages so far. */
  public List<String> messages() {
    return List.copyOf(messages);
  }

  @Override
  public synchronized void publish(LogRecord record) {
    messages.add(record.getMessage());
    notifyAll();
  }

  /** Waits for a message. */
  public synchronized void await() throws InterruptedException {
    while (messages.isEmpty()) {
      wait();
    }
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    logger.removeHandler(this);
    logger.setUseParentHandlers(true);
  }
}
