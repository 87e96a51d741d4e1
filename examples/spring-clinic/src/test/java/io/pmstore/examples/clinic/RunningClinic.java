package io.pmstore.examples.clinic;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The clinic in a JVM of its own, and a client of it. */
final class RunningClinic implements AutoCloseable {
  private static final Pattern STARTED = Pattern.compile("Tomcat started on port (\\d+)");
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private final HttpClient client = HttpClient.newHttpClient();
  private final Process process;
  private final List<String> output = new ArrayList<>();
  private final BlockingQueue<Integer> ports = new LinkedBlockingQueue<>();
  private int port;

  private RunningClinic(List<String> command) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    process = builder.start();
    Thread.ofVirtual().start(this::read);
  }

  /** Starts the clinic with options of the JVM that say what to run. */
  static RunningClinic start(Path directory, List<String> what, String... arguments)
      throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx256m", "-XX:TieredStopAtLevel=1")); // a short life
    command.addAll(what);
    command.addAll(
        List.of(
            "--server.port=0", "--server.address=127.0.0.1", "--pmstore.directory=" + directory));
    command.addAll(List.of(arguments));
    RunningClinic clinic = new RunningClinic(command);
    try {
      clinic.awaitPort();
      return clinic;
    } catch (Exception | Error e) {
      clinic.kill();
      throw e;
    }
  }

  private void read() {
    try (BufferedReader reader = process.inputReader()) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        synchronized (output) {
          output.add(line);
        }
        Matcher started = STARTED.matcher(line);
        if (started.find()) {
          ports.add(Integer.valueOf(started.group(1)));
        }
      }
    } catch (IOException e) {
      synchronized (output) {
        output.add("the output ends: " + e);
      }
    }
  }

  /** Waits until the clinic has started, or has started again in its JVM. */
  void awaitPort() throws InterruptedException {
    Integer next = ports.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    if (next == null) {
      throw new IllegalStateException("the clinic did not start:\n" + output());
    }
    port = next;
  }

  String output() {
    synchronized (output) {
      return String.join("\n", output);
    }
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).timeout(PATIENCE);
  }

  String get(String path) throws IOException, InterruptedException {
    return body(client.send(request(path).GET().build(), BodyHandlers.ofString()), 200);
  }

  int statusOf(String path) throws IOException, InterruptedException {
    return client.send(request(path).GET().build(), BodyHandlers.ofString()).statusCode();
  }

  String post(String path, String json) throws IOException, InterruptedException {
    HttpRequest request =
        request(path)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(json))
            .build();
    return body(client.send(request, BodyHandlers.ofString()), 201);
  }

  String put(String path, String text) throws IOException, InterruptedException {
    HttpRequest request =
        request(path)
            .header("Content-Type", "text/plain")
            .PUT(BodyPublishers.ofString(text))
            .build();
    return body(client.send(request, BodyHandlers.ofString()), 200);
  }

  private String body(HttpResponse<String> response, int expected) throws IOException {
    if (response.statusCode() != expected) {
      throw new IOException(
          response.uri() + ": " + response.statusCode() + " " + response.body() + "\n" + output());
    }
    return response.body();
  }

  /** Kills the process: it has no chance to close the store. */
  void kill() {
    process.destroyForcibly();
    process.onExit().join();
  }

  /** Ends the process as an operator does, and returns its exit code. */
  int stop() {
    process.destroy();
    return process.onExit().join().exitValue();
  }

  @Override
  public void close() {
    kill();
    client.shutdownNow();
  }
}
