package io.pmstore.documents;

import io.pmstore.Persistent;
import io.pmstore.PmStore;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** The example of docs/collections.md. */
public final class CollectionsExample {
  private CollectionsExample() {}

  /** The root. */
  @Persistent(root = "desk")
  public static class Desk {
    private Map<String, Integer> positions = new HashMap<>();
    private Set<String> halted = new HashSet<>();
    private Queue<String> inbox = new ArrayDeque<>();
    private ConcurrentMap<String, List<String>> notes = new ConcurrentHashMap<>();

    public Map<String, Integer> getPositions() {
      return positions;
    }

    public void setPositions(Map<String, Integer> positions) {
      this.positions = positions;
    }

    public Set<String> getHalted() {
      return halted;
    }

    public void setHalted(Set<String> halted) {
      this.halted = halted;
    }

    public Queue<String> getInbox() {
      return inbox;
    }

    public void setInbox(Queue<String> inbox) {
      this.inbox = inbox;
    }

    public ConcurrentMap<String, List<String>> getNotes() {
      return notes;
    }

    public void setNotes(ConcurrentMap<String, List<String>> notes) {
      this.notes = notes;
    }
  }

  static void run(PmStore store) {
    Desk desk = store.root(Desk.class);
    desk.getInbox().add("PETR4");
    store.transaction(
        () -> {
          String symbol = desk.getInbox().poll(); // taken and counted, or neither
          desk.getPositions().merge(symbol, 1, Integer::sum);
          desk.getNotes().computeIfAbsent(symbol, s -> new ArrayList<>()).add("from the inbox");
        });
    Set<String> suspended = store.newSet();
    suspended.addAll(List.of("VALE3", "OIBR3"));
    desk.setHalted(suspended); // not a copy: this very set
  }
}
