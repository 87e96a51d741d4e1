package io.pmstore.core.tx.history;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Who has to come before whom, and why: Adya's direct serialization graph, and real time. */
final class DependencyGraph {
  /** Why one node comes before another. */
  enum Kind {
    /** It wrote the version before the other's. */
    WW,
    /** The other read what it wrote. */
    WR,
    /** It read a version that the other replaced. */
    RW,
    /** It had ended when the other began. */
    REAL_TIME
  }

  /** One reason for an order. */
  record Edge(int from, int to, Kind kind, String why) {}

  private final List<List<Edge>> edges = new ArrayList<>();

  int addNode() {
    edges.add(new ArrayList<>());
    return edges.size() - 1;
  }

  void add(int from, int to, Kind kind, String why) {
    if (from != to) {
      edges.get(from).add(new Edge(from, to, kind, why));
    }
  }

  /** A cycle of edges of some kinds, as short as can be from its first node; empty if none. */
  List<Edge> findCycle(EnumSet<Kind> kinds) {
    int[] component = components(kinds);
    List<Edge> shortest = List.of();
    boolean[] tried = new boolean[edges.size()];
    for (int node = 0; node < component.length; node++) {
      if (!tried[component[node]]) {
        List<Edge> cycle = cycleThrough(node, component, kinds);
        if (!cycle.isEmpty()) {
          tried[component[node]] = true;
          if (shortest.isEmpty() || cycle.size() < shortest.size()) {
            shortest = cycle;
          }
        }
      }
    }
    return shortest;
  }

  /** Breadth first, inside the node's strongly connected component. */
  private List<Edge> cycleThrough(int start, int[] component, Set<Kind> kinds) {
    @Nullable Edge[] reachedBy = new @Nullable Edge[edges.size()];
    Deque<Integer> queue = new ArrayDeque<>(List.of(start));
    while (!queue.isEmpty()) {
      for (Edge edge : edges.get(queue.poll())) {
        int to = edge.to();
        if (!kinds.contains(edge.kind())
            || component[to] != component[start]
            || reachedBy[to] != null) {
          continue;
        }
        reachedBy[to] = edge;
        if (to == start) {
          return pathTo(start, reachedBy);
        }
        queue.add(to);
      }
    }
    return List.of();
  }

  private static List<Edge> pathTo(int start, @Nullable Edge[] reachedBy) {
    Deque<Edge> path = new ArrayDeque<>();
    int at = start;
    do {
      Edge edge = reachedBy[at];
      path.push(edge);
      at = edge.from();
    } while (at != start);
    return List.copyOf(path);
  }

  /** The strongly connected components (Tarjan 1972), without recursion. */
  private int[] components(Set<Kind> kinds) {
    int n = edges.size();
    int[] component = new int[n];
    int[] index = new int[n];
    int[] low = new int[n];
    int[] next = new int[n];
    Arrays.fill(component, -1);
    Arrays.fill(index, -1);
    Deque<Integer> open = new ArrayDeque<>();
    Deque<Integer> path = new ArrayDeque<>();
    int visited = 0;
    int found = 0;
    for (int root = 0; root < n; root++) {
      if (index[root] >= 0) {
        continue;
      }
      path.push(root);
      while (!path.isEmpty()) {
        int node = path.peek();
        if (index[node] < 0) {
          index[node] = low[node] = visited++;
          open.push(node);
        }
        boolean down = false;
        List<Edge> out = edges.get(node);
        while (next[node] < out.size() && !down) {
          Edge edge = out.get(next[node]);
          int to = edge.to();
          if (!kinds.contains(edge.kind()) || component[to] >= 0) {
            next[node]++;
          } else if (index[to] < 0) {
            path.push(to); // and look at this edge again afterwards
            down = true;
          } else {
            low[node] = Math.min(low[node], low[to]);
            next[node]++;
          }
        }
        if (!down) {
          path.pop();
          if (low[node] == index[node]) {
            int member;
            do {
              member = open.pop();
              component[member] = found;
            } while (member != node);
            found++;
          }
        }
      }
    }
    return component;
  }
}
