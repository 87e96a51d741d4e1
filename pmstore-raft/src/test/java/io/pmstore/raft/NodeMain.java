package io.pmstore.raft;

import io.pmstore.NotLeaderException;
import io.pmstore.OutcomeUnknownException;
import io.pmstore.PmStore;
import io.pmstore.PmStoreOptions;
import io.pmstore.Replication;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** A node in a process of its own, which does what its standard input says. */
final class NodeMain {
  private NodeMain() {}

  /** Arguments: directory, id, and each member as id=host:port. */
  public static void main(String[] arguments) throws Exception {
    RaftSettings settings =
        RaftSettings.node(arguments[1])
            .logEntries(200)
            .electionTimeout(Duration.ofMillis(500))
            .outcomeTimeout(Duration.ofSeconds(3));
    for (int i = 2; i < arguments.length; i++) {
      String[] member = arguments[i].split("[=:]");
      settings = settings.member(member[0], member[1], Integer.parseInt(member[2]));
    }
    PmStore store =
        PmStore.open(Path.of(arguments[0]), settings.options(PmStoreOptions.defaults()));
    System.out.println("open");
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      String[] words = line.split(" ");
      Thread.ofVirtual().start(() -> answer(store, words));
    }
    System.exit(0); // the one who asked has gone
  }

  private static void answer(PmStore store, String[] words) {
    String answer;
    try {
      answer = "ok " + execute(store, store.replication().orElseThrow(), words);
    } catch (NotLeaderException e) {
      answer = "notleader " + e.getMessage();
    } catch (OutcomeUnknownException e) {
      answer = "unknown " + e.getMessage();
    } catch (Throwable t) {
      answer = "error " + t;
    }
    String one = answer.replace('\n', ' ');
    synchronized (System.out) {
      System.out.println(words[0] + " " + one);
      System.out.flush();
    }
    if (words[1].equals("close")) {
      System.exit(0);
    }
  }

  private static Object execute(PmStore store, Replication replication, String[] words) {
    return switch (words[1]) {
      case "get" -> replication.map("map").get(words[2]).orElse("-");
      case "set" -> replication.map("map").set(words[2], words[3]).orElse("-");
      case "cas" ->
          replication
              .map("map")
              .compareAndSet(
                  words[2],
                  words[3].equals("-") ? Optional.empty() : Optional.of(words[3]),
                  words[4]);
      case "localget" -> // a transaction that only reads, on this node
          store.<String, RuntimeException>transaction(
              () -> store.root("map", MapRoot.class).getEntries().getOrDefault(words[2], "-"));
      case "init" -> {
        store.transaction(
            () -> {
              Bank bank = store.root(Bank.class);
              for (int i = bank.getAccounts().size(); i < Integer.parseInt(words[2]); i++) {
                Bank.Account account = store.create(Bank.Account.class);
                account.setNumber(i);
                account.setBalance(100);
                bank.getAccounts().add(account);
              }
            });
        yield "";
      }
      case "transfer" -> {
        store.transaction(
            () -> {
              Bank bank = store.root(Bank.class);
              Bank.Account from = bank.getAccounts().get(Integer.parseInt(words[2]));
              Bank.Account to = bank.getAccounts().get(Integer.parseInt(words[3]));
              long amount = Long.parseLong(words[4]);
              from.setBalance(from.getBalance() - amount);
              to.setBalance(to.getBalance() + amount);
            });
        yield "";
      }
      case "sum" ->
          store.<Long, RuntimeException>snapshot(
              () ->
                  store.root(Bank.class).getAccounts().stream()
                      .mapToLong(Bank.Account::getBalance)
                      .sum());
      case "digest" -> {
        Replication.Digest digest = replication.digest();
        yield digest.index() + " " + digest.sha256();
      }
      case "role" -> replication.status().role() + " " + replication.status().ready();
      case "applied" -> replication.status().applied();
      case "status" -> replication.status();
      case "lead" -> {
        replication.transferLeadership(words[2]);
        yield "";
      }
      case "close" -> {
        store.close();
        yield "";
      }
      default -> throw new IllegalArgumentException(words[1]);
    };
  }
}
