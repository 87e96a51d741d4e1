package io.pmstore.gc.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.NavigableMap;
import java.util.Random;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * A thread of the program: it changes its own things at random, finds those of others on random
 * walks, links any of them, keeps and drops Java references. Each changing transaction gives its
 * owner's root the next version.
 */
public final class Mutator {
  private static final int OPERATIONS_MAX = 8;
  private static final int WALK_MAX = 12;
  private static final int HELD_MAX = 40;
  private static final int LIST_MAX = 50;
  private static final int KEYS = 60;
  private static final int CHAIN_MAX = 40;
  private static final int LONG_CHAIN = 600; // more than a commit frees

  private final GraphModel model;
  private final int owner;
  private final Random random;
  private final int sizeWanted;
  private final Map<Long, Thing> held = new HashMap<>();
  private final List<Thing> roots = new ArrayList<>();
  private Session session;

  private static final class Undo extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /**
   * Prepares it.
   *
   * @param owner the number of the owner
   * @param sizeWanted from so many things on it makes fewer new ones
   */
  public Mutator(GraphModel model, int owner, Random random, int sizeWanted) {
    this.model = model;
    this.owner = owner;
    this.random = random;
    this.sizeWanted = sizeWanted;
  }

  /** Uses a store from now on; Java references to things of an earlier one are dropped. */
  public void open(Session opened) {
    held.clear();
    roots.clear();
    session = opened;
    for (long id : model.roots()) {
      Thing root = opened.root("thing " + id);
      opened.transaction(
          () -> {
            if (root.getId() == 0) {
              root.write(id, 0);
            }
            return null;
          });
      roots.add(root);
    }
  }

  /** The things for which it has Java references, without the roots, by id. */
  public Map<Long, Thing> held() {
    return held;
  }

  /** What the roots reach, and what things do that are held, read through the API. */
  public Map<Long, Node> read() {
    List<Thing> from = new ArrayList<>(roots);
    from.addAll(held.values());
    return GraphReader.read(from);
  }

  /** How many transactions of its owner the store holds that have changed something. */
  public long version() {
    return roots.get(owner).getVersion();
  }

  /** Does something. */
  public void step() {
    switch (random.nextInt(20)) {
      case 0, 1 -> drop(1);
      case 2 -> drop(random.nextInt(HELD_MAX));
      case 3, 4 -> checkHeld();
      case 5 -> readSnapshot();
      default -> transaction();
    }
  }

  /** Lets go of some Java references. */
  public void drop(int count) {
    List<Long> ids = new ArrayList<>(held.keySet());
    for (int i = 0; i < count && !ids.isEmpty(); i++) {
      held.remove(ids.remove(random.nextInt(ids.size())));
    }
  }

  /** Reads outside of transactions what nobody else changes, inside one what others do. */
  private void checkHeld() {
    held.forEach(
        (id, thing) -> {
          if (model.owner(id) == owner) {
            thing.check();
            Node node = model.nodes().get(id);
            assertEquals(id, thing.getId());
            assertEquals(node.version, thing.getVersion());
            assertEquals(node.next, id(thing.getNext()));
            assertEquals(node.other, id(thing.getOther()));
          } else {
            session.transaction(
                () -> {
                  thing.check();
                  return null;
                });
          }
        });
  }

  private void readSnapshot() {
    Map<Long, Thing> taken = new HashMap<>();
    Map<Long, Node> found =
        session.snapshot(
            () -> {
              Thing thing = walk(random);
              taken.put(thing.getId(), thing);
              return GraphReader.read(roots);
            });
    found.forEach(
        (id, node) -> {
          if (model.owner(id) == owner) {
            assertEquals(model.nodes().get(id), node, "thing " + id + " in a snapshot");
          }
        });
    hold(taken);
  }

  /** Runs a transaction, which may be rolled back. */
  public void transaction() {
    long choices = random.nextLong();
    try {
      Attempt attempt =
          session.transaction(
              () -> {
                Attempt begun = new Attempt(new Random(choices));
                begun.run();
                return begun;
              });
      attempt.changes.forEach(Runnable::run);
      hold(attempt.taken);
    } catch (Undo e) {
      // nothing has happened
    }
  }

  /** Holds some that it finds. In a transaction or a snapshot. */
  void findAndHold() {
    for (int left = HELD_MAX / 4; left > 0; left--) {
      Thing thing = walk(random);
      held.put(thing.getId(), thing);
    }
  }

  /** Has Java references to some things, by their ids. */
  void hold(Map<Long, Thing> taken) {
    taken.forEach(
        (id, thing) -> {
          Thing known = held.put(id, thing);
          if (known != null) {
            assertSame(known, thing, "one object of the store is one Java object");
          }
        });
    drop(held.size() - HELD_MAX);
  }

  private static long id(Thing thing) {
    return thing == null ? 0 : thing.getId();
  }

  private static String text(String name, int number) {
    return number % 2 == 0
        ? name + number
        : name + " " + number + ", whose text is so long that it lies out of line";
  }

  // ---- walks

  /** A thing that can be reached. In a transaction or a snapshot. */
  private Thing walk(Random choices) {
    Thing at = roots.get(choices.nextInt(roots.size()));
    for (int left = choices.nextInt(WALK_MAX); left > 0; left--) {
      Thing next = neighbour(at, choices);
      if (next == null) {
        break;
      }
      at = next;
    }
    at.check();
    return at;
  }

  private static Thing neighbour(Thing at, Random choices) {
    switch (choices.nextInt(6)) {
      case 0 -> {
        return at.getNext();
      }
      case 1 -> {
        return at.getOther();
      }
      case 2 -> {
        List<Thing> list = at.getList();
        return list == null || list.isEmpty() ? null : list.get(choices.nextInt(list.size()));
      }
      case 3 -> {
        Map<Long, Thing> map = at.getMap();
        return map == null ? null : map.get((long) choices.nextInt(KEYS));
      }
      case 4 -> {
        SequencedMap<String, Thing> linked = at.getLinked();
        Entry<String, Thing> entry = linked == null ? null : linked.lastEntry();
        return entry == null ? null : entry.getValue();
      }
      default -> {
        NavigableMap<String, Thing> sorted = at.getSorted();
        Entry<String, Thing> entry =
            sorted == null ? null : sorted.ceilingEntry(text("key", choices.nextInt(KEYS)));
        return entry == null ? null : entry.getValue();
      }
    }
  }

  /** One run of a transaction's body, and what it does to the model if it is committed. */
  private final class Attempt {
    private final Random choices;
    private final List<Runnable> changes = new ArrayList<>();
    private final Map<Long, Thing> taken = new HashMap<>();

    Attempt(Random choices) {
      this.choices = choices;
    }

    void run() {
      rewrite(roots.get(owner));
      for (int left = 1 + choices.nextInt(OPERATIONS_MAX); left > 0; left--) {
        operate(holder());
      }
      if (choices.nextInt(12) == 0) {
        throw new Undo();
      }
    }

    private void operate(Thing holder) {
      switch (choices.nextInt(17)) {
        case 0, 1 -> setNext(holder, target());
        case 2, 3 -> {
          Thing target = target();
          holder.setOther(target);
          long id = id(target);
          change(holder, node -> node.other = id);
        }
        case 4 -> {
          if (holder != roots.get(owner)) {
            rewrite(holder);
          }
        }
        case 5, 6 -> changeList(holder);
        case 7, 8 -> changeMap(holder);
        case 9 -> changeSet(holder);
        case 10, 11 -> changeSorted(holder);
        case 12 -> setNext(holder, chain());
        case 13 -> replace(holder);
        case 14, 15 -> changeLinked(holder);
        default -> {
          Thing found = walk(choices);
          taken.put(found.getId(), found);
        }
      }
    }

    private void change(Thing thing, Consumer<Node> how) {
      long id = thing.getId();
      changes.add(() -> how.accept(model.nodes().get(id)));
    }

    private void rewrite(Thing thing) {
      long version = thing.getVersion() + 1;
      thing.write(thing.getId(), version);
      change(thing, node -> node.version = version);
    }

    private void setNext(Thing holder, Thing target) {
      holder.setNext(target);
      long id = id(target);
      change(holder, node -> node.next = id);
    }

    // ---- things

    private boolean isMine(Thing thing) {
      return model.owner(thing.getId()) == owner;
    }

    /** One of its own things. */
    private Thing holder() {
      Thing root = roots.get(owner);
      return switch (choices.nextInt(5)) {
        case 0 -> root;
        case 1 -> {
          Thing one = anyHeld();
          yield one != null && isMine(one) ? one : root;
        }
        default -> {
          Thing found = walk(choices);
          yield isMine(found) ? found : root;
        }
      };
    }

    private Thing anyHeld() {
      List<Thing> all = new ArrayList<>(held.values());
      return all.isEmpty() ? null : all.get(choices.nextInt(all.size()));
    }

    private boolean isCrowded() {
      return model.size() > sizeWanted;
    }

    private Thing target() {
      int kind = choices.nextInt(isCrowded() ? 20 : 10);
      return kind < 4 ? newThing() : kind < 6 ? walk(choices) : kind < 7 ? anyHeld() : null;
    }

    private Thing newThing() {
      long id = model.newId(owner);
      boolean isPlain = choices.nextBoolean();
      Thing thing = isPlain ? new Thing() : session.create();
      thing.write(id, 1);
      Node node = new Node();
      node.version = 1;
      changes.add(() -> model.nodes().put(id, node));
      if (choices.nextInt(3) == 0) {
        Thing other = walk(choices);
        thing.setOther(other);
        node.other = other.getId();
      }
      if (!isPlain && choices.nextInt(3) == 0) {
        taken.put(id, thing);
      }
      return thing;
    }

    private Thing chain() {
      boolean isLong = !isCrowded() && choices.nextInt(8) == 0;
      Thing first = null;
      for (int left = isLong ? LONG_CHAIN : choices.nextInt(CHAIN_MAX); left > 0; left--) {
        Thing thing = newThing();
        setNext(thing, first);
        first = thing;
      }
      return first;
    }

    // ---- collections

    private void changeList(Thing holder) {
      if (holder.getList() == null) {
        holder.setList(new ArrayList<>());
        change(holder, node -> node.list = new ArrayList<>());
      }
      List<Thing> list = holder.getList();
      int size = list.size();
      int kind = size > LIST_MAX ? 5 : choices.nextInt(6);
      if (kind < 3 || size == 0) {
        Thing target = target();
        int index = kind == 0 ? choices.nextInt(size + 1) : size;
        list.add(index, target);
        long id = id(target);
        change(holder, node -> node.list.add(index, id));
      } else if (kind == 3) {
        Thing target = target();
        int index = choices.nextInt(size);
        list.set(index, target);
        long id = id(target);
        change(holder, node -> node.list.set(index, id));
      } else if (kind == 4) {
        int index = choices.nextInt(size);
        list.remove(index);
        change(holder, node -> node.list.remove(index));
      } else {
        int from = choices.nextInt(size);
        list.subList(from, size).clear();
        change(holder, node -> node.list.subList(from, size).clear());
      }
    }

    private void changeMap(Thing holder) {
      if (holder.getMap() == null) {
        holder.setMap(new HashMap<>());
        change(holder, node -> node.map = new HashMap<>());
      }
      Map<Long, Thing> map = holder.getMap();
      long key = choices.nextInt(KEYS);
      int kind = choices.nextInt(30);
      if (kind == 0) {
        map.clear();
        change(holder, node -> node.map.clear());
      } else if (kind < 20) {
        Thing target = target();
        map.put(key, target);
        long id = id(target);
        change(holder, node -> node.map.put(key, id));
      } else {
        map.remove(key);
        change(holder, node -> node.map.remove(key));
      }
    }

    private void changeSet(Thing holder) {
      if (holder.getSet() == null) {
        holder.setSet(new HashSet<>());
        change(holder, node -> node.set = new HashSet<>());
      }
      Set<String> set = holder.getSet();
      String element = text("element", choices.nextInt(KEYS));
      int kind = choices.nextInt(30);
      if (kind == 0) {
        set.clear();
        change(holder, node -> node.set.clear());
      } else if (kind < 20) {
        set.add(element);
        change(holder, node -> node.set.add(element));
      } else {
        set.remove(element);
        change(holder, node -> node.set.remove(element));
      }
    }

    private void changeSorted(Thing holder) {
      if (holder.getSorted() == null) {
        holder.setSorted(new TreeMap<>());
        change(holder, node -> node.sorted = new TreeMap<>());
      }
      NavigableMap<String, Thing> sorted = holder.getSorted();
      String key = text("key", choices.nextInt(KEYS));
      int kind = choices.nextInt(30);
      if (kind == 0) {
        sorted.clear();
        change(holder, node -> node.sorted.clear());
      } else if (kind < 18) {
        Thing target = target();
        sorted.put(key, target);
        long id = id(target);
        change(holder, node -> node.sorted.put(key, id));
      } else if (kind < 24) {
        sorted.remove(key);
        change(holder, node -> node.sorted.remove(key));
      } else {
        sorted.pollFirstEntry();
        change(holder, node -> node.sorted.pollFirstEntry());
      }
    }

    private void changeLinked(Thing holder) {
      if (holder.getLinked() == null) {
        holder.setLinked(new LinkedHashMap<>());
        change(holder, node -> node.linked = new LinkedHashMap<>());
      }
      SequencedMap<String, Thing> linked = holder.getLinked();
      String key = text("key", choices.nextInt(KEYS));
      int kind = choices.nextInt(30);
      if (kind == 0) {
        linked.clear();
        change(holder, node -> node.linked.clear());
      } else if (kind < 18) {
        Thing target = target();
        long id = id(target);
        switch (kind) {
          case 1, 2 -> {
            linked.putFirst(key, target);
            change(holder, node -> node.linked.putFirst(key, id));
          }
          case 3, 4 -> {
            linked.putLast(key, target);
            change(holder, node -> node.linked.putLast(key, id));
          }
          default -> {
            linked.put(key, target);
            change(holder, node -> node.linked.put(key, id));
          }
        }
      } else if (kind < 24) {
        linked.remove(key);
        change(holder, node -> node.linked.remove(key));
      } else if (kind < 27) {
        linked.pollFirstEntry();
        change(holder, node -> node.linked.pollFirstEntry());
      } else {
        linked.pollLastEntry();
        change(holder, node -> node.linked.pollLastEntry());
      }
    }

    /** Gives a thing the collections of another one, or none, so that one loses all at once. */
    private void replace(Thing holder) {
      Thing from = choices.nextInt(3) == 0 ? null : holder();
      long id = id(from);
      switch (choices.nextInt(5)) {
        case 0 -> {
          holder.setList(from == null ? null : from.getList());
          change(holder, node -> node.list = id == 0 ? null : model.nodes().get(id).list);
        }
        case 1 -> {
          holder.setMap(from == null ? null : from.getMap());
          change(holder, node -> node.map = id == 0 ? null : model.nodes().get(id).map);
        }
        case 2 -> {
          holder.setSet(from == null ? null : from.getSet());
          change(holder, node -> node.set = id == 0 ? null : model.nodes().get(id).set);
        }
        case 3 -> {
          holder.setLinked(from == null ? null : from.getLinked());
          change(holder, node -> node.linked = id == 0 ? null : model.nodes().get(id).linked);
        }
        default -> {
          holder.setSorted(from == null ? null : from.getSorted());
          change(holder, node -> node.sorted = id == 0 ? null : model.nodes().get(id).sorted);
        }
      }
    }
  }
}
