package io.pmstore.raft;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The nodes of a store in processes of their own: each in a network namespace, joined by a bridge,
 * if root runs the test and the system has namespaces; otherwise on the loopback network.
 */
final class Processes implements AutoCloseable {
  private static final AtomicLong NUMBERS = new AtomicLong();
  private static final int SECONDS_MAX = 60;

  /** An answer of a node: "ok", "notleader", "unknown", "error" or "gone", and the rest. */
  record Answer(String ending, String text) {}

  /** A process. */
  private static final class Running {
    final Process process;
    final PrintStream in;
    final ConcurrentHashMap<String, CompletableFuture<Answer>> asked = new ConcurrentHashMap<>();
    final CompletableFuture<Boolean> open = new CompletableFuture<>();
    volatile boolean gone;

    Running(Process process) {
      this.process = process;
      this.in = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
      Thread.ofVirtual().start(this::read);
    }

    private void read() {
      try (BufferedReader out =
          new BufferedReader(
              new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
        for (String line = out.readLine(); line != null; line = out.readLine()) {
          String[] words = line.split(" ", 3);
          if (line.equals("open")) {
            open.complete(true);
            continue;
          }
          CompletableFuture<Answer> answered = asked.remove(words[0]);
          if (answered != null) {
            answered.complete(new Answer(words[1], words.length > 2 ? words[2] : ""));
          }
        }
      } catch (IOException e) {
        // the process has ended
      }
      gone = true;
      open.complete(false);
      asked.values().forEach(each -> each.complete(new Answer("gone", "")));
    }
  }

  private final Path root;
  private final String name = "pmr" + (ProcessHandle.current().pid() % 10_000);
  private final boolean namespaces;
  private final Map<String, String> addresses = new LinkedHashMap<>();
  private final Map<String, Running> running = new ConcurrentHashMap<>();

  Processes(Path root, String... ids) throws Exception {
    this.root = root;
    this.namespaces = canMakeNamespaces();
    int number = 1;
    for (String id : ids) {
      addresses.put(
          id,
          namespaces
              ? "10.213." + (ProcessHandle.current().pid() % 250) + "." + number + ":7000"
              : "127.0.0.1:" + FreePorts.draw());
      if (namespaces) {
        addToNetwork(id, number);
      }
      number++;
    }
  }

  /** Returns true if nodes can be cut off. */
  boolean hasNamespaces() {
    return namespaces;
  }

  private boolean canMakeNamespaces() throws Exception {
    boolean can =
        runs("ip", "link", "add", name, "type", "bridge")
            && runs("ip", "link", "set", name, "up")
            && runs("ip", "netns", "add", name + "t");
    runs("ip", "netns", "del", name + "t");
    if (!can) {
      runs("ip", "link", "del", name);
    }
    return can;
  }

  private void addToNetwork(String id, int number) throws Exception {
    String space = name + id;
    require("ip", "netns", "add", space);
    require("ip", "link", "add", space, "type", "veth", "peer", "name", "eth0", "netns", space);
    require("ip", "link", "set", space, "master", name, "up");
    String host = addresses.get(id).split(":")[0];
    require("ip", "-n", space, "addr", "add", host + "/24", "dev", "eth0");
    require("ip", "-n", space, "link", "set", "eth0", "up");
    require("ip", "-n", space, "link", "set", "lo", "up");
  }

  private static boolean runs(String... command) throws Exception {
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      return process.waitFor(20, TimeUnit.SECONDS) && process.exitValue() == 0;
    } catch (IOException e) {
      return false; // there is no such command
    }
  }

  private static void require(String... command) throws Exception {
    if (!runs(command)) {
      throw new IllegalStateException("failed: " + String.join(" ", command));
    }
  }

  Path directory(String id) {
    return root.resolve(id);
  }

  /** Starts a node. */
  void start(String id) throws Exception {
    List<String> command = new ArrayList<>();
    if (namespaces) {
      command.addAll(List.of("ip", "netns", "exec", name + id));
    }
    command.addAll(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx192m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-cp",
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
            NodeMain.class.getName(),
            directory(id).toString(),
            id));
    addresses.forEach((each, address) -> command.add(each + "=" + address));
    File log = root.resolve(id + ".log").toFile();
    Running started =
        new Running(
            new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.appendTo(log))
                .start());
    running.put(id, started);
    if (!started.open.get(SECONDS_MAX, TimeUnit.SECONDS)) {
      throw new IllegalStateException(
          id + " did not start: " + java.nio.file.Files.readString(log.toPath()));
    }
  }

  List<String> ids() {
    return List.copyOf(addresses.keySet());
  }

  /** Asks a node; "gone" if it ends before it answers. */
  Answer ask(String id, String question) {
    Running node = running.get(id);
    if (node == null || node.gone) {
      return new Answer("gone", "");
    }
    String number = Long.toString(NUMBERS.incrementAndGet());
    CompletableFuture<Answer> answer = new CompletableFuture<>();
    node.asked.put(number, answer);
    synchronized (node.in) {
      node.in.println(number + " " + question);
    }
    if (node.gone) {
      answer.complete(new Answer("gone", ""));
    }
    try {
      return answer.get(SECONDS_MAX, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw new AssertionError(id + " does not answer: " + question, e);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** Kills a node, as kill -9 does. */
  void kill(String id) throws Exception {
    Running node = running.get(id);
    node.process.descendants().forEach(ProcessHandle::destroyForcibly);
    node.process.destroyForcibly().waitFor();
  }

  void signal(String id, String signal) throws Exception {
    require("kill", "-" + signal, Long.toString(running.get(id).process.pid()));
  }

  /** Cuts a node off from all others, both ways. */
  void cutOff(String id) throws Exception {
    require("ip", "link", "set", name + id, "down");
  }

  void join(String id) throws Exception {
    require("ip", "link", "set", name + id, "up");
  }

  /** Drops what a node sends; it still receives. */
  boolean mute(String id) throws Exception {
    return runs(
        "ip", "netns", "exec", name + id, "tc", "qdisc", "add", "dev", "eth0", "root", "netem",
        "loss", "100%");
  }

  void unmute(String id) throws Exception {
    require("ip", "netns", "exec", name + id, "tc", "qdisc", "del", "dev", "eth0", "root");
  }

  @Override
  public void close() {
    try {
      for (String id : running.keySet()) {
        kill(id);
      }
      if (namespaces) {
        for (String id : addresses.keySet()) {
          runs("ip", "link", "del", name + id);
          runs("ip", "netns", "del", name + id);
        }
        runs("ip", "link", "del", name);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
