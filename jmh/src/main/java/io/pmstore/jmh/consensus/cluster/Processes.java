package io.pmstore.jmh.consensus.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.pmstore.oms.run.FreePorts;
import io.pmstore.oms.run.JvmCommand;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * Groups of three members, the first of each in this process and the others in two more. For one
 * thread.
 */
public final class Processes implements AutoCloseable {
  /** The id of the members in this process. */
  public static final String HERE = "n1";

  private final Map<Contender, Member> here = new EnumMap<>(Contender.class);
  private final Map<String, Other> others = new TreeMap<>();

  /** Opens the groups. */
  public Processes(List<Contender> contenders, Path root, String medium, long regionBytes)
      throws IOException {
    List<String> ids = new ArrayList<>();
    contenders.forEach(each -> Group.IDS.forEach(id -> ids.add(each + " " + id)));
    Map<String, Integer> free = FreePorts.draw(ids);
    List<MemberSettings> settings = new ArrayList<>();
    for (Contender each : contenders) {
      Map<String, Integer> ports = new TreeMap<>();
      Group.IDS.forEach(id -> ports.put(id, free.get(each + " " + id)));
      for (String id : Group.IDS) {
        settings.add(
            new MemberSettings(
                each, id, ports, root.resolve(each.name()).resolve(id), medium, regionBytes));
      }
    }
    try {
      for (String id : Group.IDS) {
        List<MemberSettings> ofOne = settings.stream().filter(s -> s.id().equals(id)).toList();
        if (id.equals(HERE)) {
          for (MemberSettings each : ofOne) {
            here.put(each.contender(), each.open());
          }
        } else {
          others.put(id, new Other(ofOne));
        }
      }
      for (Other other : others.values()) {
        other.expect(MemberMain.OPEN);
      }
    } catch (Throwable t) {
      close();
      throw t;
    }
  }

  /** Returns the member of a group in this process. */
  public Member here(Contender group) {
    return Objects.requireNonNull(here.get(group));
  }

  /** Moves the leadership of a group, and waits until all members say so. */
  public void makeLeader(Contender group, String id) throws IOException, InterruptedException {
    long begin = System.nanoTime();
    String last = "nobody led"; // a transfer may be refused; then it is tried again
    while (!leads(group, id)) {
      for (String each : Group.IDS) {
        if (!each.equals(id) && leads(group, each)) {
          last = transfer(group, each, id);
        }
      }
      Group.pause(begin, id + " of " + group + " does not lead (" + last + ")");
    }
  }

  private boolean leads(Contender group, String id) throws IOException {
    return id.equals(HERE)
        ? here(group).leads()
        : Boolean.parseBoolean(other(id).ask(MemberMain.LEADS + " " + group));
  }

  private String transfer(Contender group, String from, String to) throws IOException {
    return from.equals(HERE)
        ? MemberMain.transfer(here(group), to)
        : other(from).ask(MemberMain.TRANSFER + " " + group + " " + to);
  }

  private Other other(String id) {
    return Objects.requireNonNull(others.get(id));
  }

  /** A process with a member of each group. It ends when its standard input does. */
  private static final class Other {
    final Process process;
    final BufferedReader from;
    final PrintWriter to;

    Other(List<MemberSettings> settings) throws IOException {
      List<String> arguments = new ArrayList<>();
      settings.forEach(each -> arguments.addAll(MemberMain.arguments(each)));
      process =
          new ProcessBuilder(JvmCommand.of(MemberMain.class, arguments))
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      from = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
      to = new PrintWriter(new OutputStreamWriter(process.getOutputStream(), UTF_8), true);
    }

    String ask(String question) throws IOException {
      to.println(question);
      return read();
    }

    void expect(String answer) throws IOException {
      String found = read();
      if (!found.equals(answer)) {
        throw new IOException("a process with members says \"%s\"".formatted(found));
      }
    }

    private String read() throws IOException {
      String line = from.readLine();
      if (line == null) {
        throw new IOException("a process with members has ended; see its output");
      }
      return line;
    }

    void end() throws IOException {
      to.close();
      try {
        if (!process.waitFor(30, TimeUnit.SECONDS)) {
          process.destroyForcibly();
          throw new IOException("a process with members did not end, and was killed");
        }
      } catch (InterruptedException e) {
        process.destroyForcibly();
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  public void close() throws IOException {
    for (Member member : here.values()) {
      member.close();
    }
    for (Other other : others.values()) {
      other.end();
    }
  }
}
