package io.pmstore.proxy.layer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.Persistent;
import io.pmstore.RolledBackException;
import io.pmstore.proxy.fixture.StoreTest;
import io.pmstore.spi.PersistentObject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A clone of a persistent object is a new persistent object with the same values. */
class CloneTest extends StoreTest {
  /** Where the objects are kept. */
  @Persistent(root = "keeper")
  static class Keeper {
    private List<Part> parts = new ArrayList<>();

    List<Part> getParts() {
      return parts;
    }
  }

  /** Says that it can be cloned, and leaves it to {@code Object}. */
  @Persistent
  static class Part implements Cloneable {
    private @Nullable String name;
    private long weight;
    private double price;
    private boolean open;
    private TimeUnit unit = TimeUnit.DAYS;
    private int[] sizes = {1, 2};
    private List<String> tags = new ArrayList<>();
    private @Nullable Part next;
    private transient int uses = 3;

    Part same() throws CloneNotSupportedException {
      return (Part) clone();
    }

    Part filled(String with) {
      name = with;
      weight = 1L << 40;
      price = 2.5;
      open = true;
      unit = TimeUnit.HOURS;
      sizes = new int[] {3, with.length()};
      tags = new ArrayList<>(List.of(with));
      next = next == null ? new Part() : next;
      return this;
    }

    @Nullable Part next() {
      return next;
    }

    String show() {
      return name + weight + price + open + unit + sizes[0] + sizes[1] + tags + uses;
    }
  }

  /** Clones as most classes do, and goes deeper. */
  @Persistent
  static class Machine extends Part {
    private List<Part> parts = new ArrayList<>();
    private int clones;

    @Override
    public Machine clone() {
      try {
        Machine made = (Machine) super.clone();
        made.parts = new ArrayList<>();
        for (Part part : parts) {
          made.parts.add(part.same());
        }
        clones++;
        made.clones = 0;
        return made;
      } catch (CloneNotSupportedException e) {
        throw new AssertionError(e);
      }
    }

    void addPart(String name) {
      parts.add(new Part().filled(name));
    }

    Part firstPart() {
      return parts.getFirst();
    }

    String state() {
      return parts.size() + " parts, " + clones + " clones";
    }
  }

  /** Clones what its superclass clones. */
  @Persistent
  static class Robot extends Machine {
    private String owner = "nobody";

    @Override
    public Robot clone() {
      Robot made = (Robot) super.clone();
      made.owner = "a clone of " + owner;
      return made;
    }

    @Override
    String state() {
      return owner + ", " + super.state();
    }
  }

  /** Assigns what it fills afterwards. */
  @Persistent
  static class Board implements Cloneable {
    private int[][] rows = {{1, 2}, {3, 4}};
    private List<String> names = new ArrayList<>();

    List<String> getNames() {
      return names;
    }

    String show() {
      return Arrays.deepToString(rows) + names;
    }

    @Override
    public Board clone() {
      try {
        Board made = (Board) super.clone();
        made.rows = new int[rows.length][];
        for (int i = 0; i < rows.length; i++) {
          made.rows[i] = rows[i].clone();
        }
        List<String> copies = new ArrayList<>();
        made.names = copies;
        copies.addAll(names);
        return made;
      } catch (CloneNotSupportedException e) {
        throw new AssertionError(e);
      }
    }
  }

  /** Cannot be cloned. */
  @Persistent
  static class Single extends Holding {
    Object tried() throws CloneNotSupportedException {
      return copy();
    }
  }

  /** Tries what its class does not allow. */
  @Persistent
  static class Holding {
    private int x;

    Object copy() throws CloneNotSupportedException {
      x++;
      return super.clone();
    }
  }

  private List<Part> parts() {
    return store().root(Keeper.class).getParts();
  }

  @Test
  void aCloneIsOneTransaction() {
    Board board = store().create(Board.class);
    board.getNames().add("a");
    Board made = board.clone();
    assertEquals("[[1, 2], [3, 4]][a]", made.show());
    List<Board> inTransaction = new ArrayList<>();
    store().transaction(() -> inTransaction.add(board.clone()));
    assertEquals("[[1, 2], [3, 4]][a]", inTransaction.getLast().show());
  }

  @Test
  void aCloneHasTheSameValuesAndAnIdentityOfItsOwn() throws CloneNotSupportedException {
    Part plain = new Part().filled("wheel");
    parts().add(plain);
    Part part = parts().getFirst();
    Part clone = part.same();
    assertNotSame(part, clone);
    assertNotEquals(part, clone);
    assertTrue(clone instanceof PersistentObject);
    assertEquals(plain.show(), clone.show());
    assertSame(part.next(), clone.next());
    parts().add(clone);
    clone.filled("other");
    assertEquals(plain.show(), part.show());
    reopen();
    assertEquals(2, parts().size());
    assertNotSame(parts().get(0), parts().get(1));
    assertSame(parts().get(0).next(), parts().get(1).next());
    assertTrue(parts().get(0).show().startsWith("wheel"));
    assertTrue(parts().get(1).show().startsWith("other"));
  }

  @Test
  void whatACloneMethodDoesNextIsDoneToTheClone() {
    parts().add(new Robot());
    Robot robot = (Robot) parts().getFirst();
    robot.addPart("arm");
    Robot clone = robot.clone();
    assertEquals("nobody, 1 parts, 1 clones", robot.state());
    assertEquals("a clone of nobody, 1 parts, 0 clones", clone.state());
    assertNotSame(robot.firstPart(), clone.firstPart());
    clone.addPart("leg");
    assertEquals("nobody, 1 parts, 1 clones", robot.state());
    parts().add(clone);
    reopen();
    assertEquals("nobody, 1 parts, 1 clones", ((Robot) parts().get(0)).state());
    assertEquals("a clone of nobody, 2 parts, 0 clones", ((Robot) parts().get(1)).state());
  }

  @Test
  void aPlainObjectIsClonedByJava() throws CloneNotSupportedException {
    Part plain = new Part().filled("plain");
    Part clone = plain.same();
    assertEquals(plain.show(), clone.show());
    assertEquals(Part.class, clone.getClass());
  }

  @Test
  void aCloneIsPartOfTheTransaction() {
    parts().add(new Robot());
    Robot robot = (Robot) parts().getFirst();
    List<Robot> made = new ArrayList<>();
    rolledBack(() -> made.add(robot.clone()));
    assertThrows(RolledBackException.class, () -> made.getFirst().state());
    assertEquals("nobody, 0 parts, 0 clones", robot.state());
  }

  @Test
  void whatIsNotCloneableIsNotCloned() {
    Single single = store().create(Single.class);
    assertThrows(CloneNotSupportedException.class, single::tried);
  }
}
