package io.pmstore.jmh.consensus.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** The main class of a process with members; {@link Processes} starts it and asks it. */
public final class MemberMain {
  static final String OPEN = "open";
  static final String LEADS = "leads";
  static final String TRANSFER = "transfer";

  private static final int ARGUMENTS = 6;

  private MemberMain() {}

  static List<String> arguments(MemberSettings settings) {
    return List.of(
        settings.contender().name(),
        settings.id(),
        settings.ports().toString(),
        settings.directory().toString(),
        settings.medium(),
        Long.toString(settings.regionBytes()));
  }

  private static MemberSettings settings(List<String> arguments) {
    Map<String, Integer> ports = new TreeMap<>();
    String all = arguments.get(2);
    for (String each : all.substring(1, all.length() - 1).split(", ", -1)) {
      String[] parts = each.split("=", -1);
      ports.put(parts[0], Integer.valueOf(parts[1]));
    }
    return new MemberSettings(
        Contender.valueOf(arguments.get(0)),
        arguments.get(1),
        ports,
        Path.of(arguments.get(3)),
        arguments.get(4),
        Long.parseLong(arguments.get(5)));
  }

  /** Transfers the leadership; returns in one line what came of it. */
  static String transfer(Member from, String to) {
    try {
      from.transferLeadership(to);
      return "done";
    } catch (IOException | RuntimeException e) {
      return e.toString().replaceAll("\\s+", " ");
    }
  }

  /**
   * Opens members, answers questions and closes them at the end of standard input.
   *
   * @param args as {@link #arguments} makes them, for each member
   * @throws IOException if a member cannot be opened, or fails
   */
  public static void main(String[] args) throws IOException {
    Map<Contender, Member> members = new EnumMap<>(Contender.class);
    try (BufferedReader in = new BufferedReader(new InputStreamReader(System.in, UTF_8))) {
      List<String> all = List.of(args);
      for (int i = 0; i < all.size(); i += ARGUMENTS) {
        MemberSettings settings = settings(new ArrayList<>(all.subList(i, i + ARGUMENTS)));
        members.put(settings.contender(), settings.open());
      }
      System.out.println(OPEN);
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        String[] words = line.split(" ", -1);
        Member member = Objects.requireNonNull(members.get(Contender.valueOf(words[1])));
        if (words[0].equals(TRANSFER)) {
          System.out.println(transfer(member, words[2]));
        } else {
          System.out.println(member.leads());
        }
      }
      for (Member each : members.values()) {
        each.close();
      }
    } catch (Throwable t) {
      t.printStackTrace();
      Runtime.getRuntime().halt(1); // servers have threads that do not end
    }
    System.exit(0);
  }
}
