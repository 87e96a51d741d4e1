package io.pmstore.enhance.sample;

import io.pmstore.Persistent;
import io.pmstore.Transient;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** The root. */
@Persistent(root = "shop")
public class Shop extends Named {
  public Map<Long, Order> orders = new HashMap<>();
  public Set<Sheet> sheets = new HashSet<>();
  public Map<Long, Sheet> sheetsByNumber = new HashMap<>();
  public Order last;
  public Node first;
  public Sheet sheet = new Sheet();
  @Transient public int visits;

  /** A private nested class, linked in a ring. */
  private static final class Ring implements Node {
    private final String text;
    private Node next;

    Ring(String text, Node next) {
      this.text = text;
      this.next = next == null ? this : next;
    }

    @Override
    public String text() {
      return text;
    }

    @Override
    public Node next() {
      return next;
    }
  }

  /** One of a ring. */
  public interface Node {
    String text();

    Node next();
  }

  /** Makes a ring, of a private class that is persistent by the annotation here. */
  @Persistent
  private static final class Link implements Node {
    private final String text;
    private Node next = this;

    Link(String text) {
      this.text = text;
    }

    @Override
    public String text() {
      return text;
    }

    @Override
    public Node next() {
      return next;
    }
  }

  /** Returns the first of two plain objects that refer to each other. */
  public static Node ring(String one, String other) {
    Link first = new Link(one);
    Link second = new Link(other);
    first.next = second;
    second.next = first;
    return first;
  }

  /** Returns one that no store keeps. */
  public static Node unkept() {
    return new Ring("unkept", null);
  }
}
