package io.pmstore.gc.model;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * The expected contents of the store. Each thing belongs to one of the program's threads, by its
 * id, and only that thread changes it. So its contents are known whatever the other threads do. Any
 * thing may refer to any.
 *
 * <p>The model keeps unreachable things until {@link #forgetUnreached}, because another thread may
 * have found them before.
 */
public final class GraphModel {
  private final int owners;
  private final AtomicLong lastNumber = new AtomicLong();
  private final Map<Long, Node> nodes = new ConcurrentHashMap<>();

  /** A model of a store with nothing but a root for each of some owners. */
  public GraphModel(int owners) {
    this.owners = owners;
    for (int owner = 0; owner < owners; owner++) {
      nodes.put(root(owner), new Node());
    }
    lastNumber.set(1);
  }

  /** A model of what was found, which nothing else refers to. */
  public GraphModel(int owners, Map<Long, Node> found) {
    this.owners = owners;
    nodes.putAll(found);
    lastNumber.set(found.keySet().stream().mapToLong(id -> id / owners).max().orElse(1));
  }

  long root(int owner) {
    return owners + owner;
  }

  int owners() {
    return owners;
  }

  int owner(long id) {
    return (int) (id % owners);
  }

  long newId(int owner) {
    return lastNumber.incrementAndGet() * owners + owner;
  }

  Map<Long, Node> nodes() {
    return nodes;
  }

  /** How many things it knows. */
  public int size() {
    return nodes.size();
  }

  /** How many collections there are; one that several nodes have is one. */
  int collections() {
    Set<Object> collections = Collections.newSetFromMap(new IdentityHashMap<>());
    for (Node node : nodes.values()) {
      Stream.of(node.list, node.map, node.set, node.sorted, node.linked)
          .filter(Objects::nonNull)
          .forEach(collections::add);
    }
    return collections.size();
  }

  List<Long> roots() {
    List<Long> roots = new ArrayList<>();
    for (int owner = 0; owner < owners; owner++) {
      roots.add(root(owner));
    }
    return roots;
  }

  /** What the roots and others reach. For a model that nobody changes, as are the others. */
  Set<Long> reached(Collection<Long> others) {
    Set<Long> reached = new HashSet<>(roots());
    reached.addAll(others);
    ArrayDeque<Long> next = new ArrayDeque<>(reached);
    while (!next.isEmpty()) {
      nodes
          .get(next.pop())
          .forEachTarget(
              target -> {
                if (reached.add(target)) {
                  next.push(target);
                }
              });
    }
    return reached;
  }

  /** Forgets what neither the roots reach nor others. */
  public void forgetUnreached(Collection<Long> others) {
    nodes.keySet().retainAll(reached(others));
  }

  /** A copy of what the roots reach, and others. */
  public Map<Long, Node> copy(Collection<Long> others) {
    Map<Long, Node> copy = new HashMap<>();
    reached(others).forEach(id -> copy.put(id, nodes.get(id).copy()));
    return copy;
  }
}
