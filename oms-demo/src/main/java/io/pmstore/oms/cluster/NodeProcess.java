package io.pmstore.oms.cluster;

import io.pmstore.oms.kill.AckProtocol;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** The process of a node, as the one that started it sees it. Used by one thread. */
final class NodeProcess implements AutoCloseable {
  private static final Duration ANSWER_AT_MOST = Duration.ofSeconds(90);
  private static final String GONE = "gone";

  private final String id;
  private final Path log;
  private final Journal journal;
  private final Process process;
  private final PrintStream commands;
  private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
  private final Thread reader;

  /**
   * Starts it.
   *
   * @param log where its messages go
   * @param journal is told what the node tells
   */
  NodeProcess(String id, List<String> command, Path log, Journal journal) throws IOException {
    this.id = id;
    this.log = log;
    this.journal = journal;
    this.process =
        new ProcessBuilder(command)
            .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start();
    this.commands = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
    this.reader = Thread.ofPlatform().daemon().name("reader-" + id).start(this::read);
  }

  long pid() {
    return process.pid();
  }

  /** Reads to the end: what a node has told before it died counts. */
  private void read() {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.US_ASCII))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        AckProtocol.Acknowledgement report = AckProtocol.parse(line);
        if (report != null) {
          journal.acknowledged(id, report);
        } else if (line.startsWith(NodeOutput.LEADS)) {
          journal.leads(id);
        } else if (line.startsWith(NodeOutput.UNKNOWN)) {
          journal.unknown();
        } else {
          answers.add(line);
        }
      }
    } catch (IOException e) {
      answers.add("its output could not be read: " + e);
    } finally {
      answers.add(GONE);
    }
  }

  /**
   * Gives a command, and waits until it is done.
   *
   * @param expected what its answer begins with
   * @return the rest of the answer
   * @throws IOException if the node ends, or answers something else or not at all
   */
  String ask(String command, String expected) throws IOException, InterruptedException {
    commands.println(command);
    return answer(expected);
  }

  /** Waits for an answer. */
  String answer(String expected) throws IOException, InterruptedException {
    String answer = answers.poll(ANSWER_AT_MOST.toSeconds(), TimeUnit.SECONDS);
    if (answer == null || !answer.startsWith(expected)) {
      throw new IOException(
          "the node %s was to answer \"%s\", and %s; its messages are in %s"
              .formatted(
                  id,
                  expected.strip(),
                  answer == null
                      ? "did not within " + ANSWER_AT_MOST.toSeconds() + " s"
                      : answer.equals(GONE) ? "has ended" : "said \"" + answer + "\"",
                  log));
    }
    return answer.substring(expected.length());
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /**
   * Sends SIGKILL, through the handle: the process itself would also close the pipe, with
   * acknowledgements still in it.
   */
  void kill() {
    process.toHandle().destroyForcibly();
  }

  /** Waits until the process has ended and all that it told was heard. */
  void awaitEnd() throws InterruptedException {
    process.waitFor();
    reader.join();
  }

  /** Ends it, if it has not ended yet. */
  @Override
  public void close() {
    process.destroyForcibly();
    commands.close();
  }
}
