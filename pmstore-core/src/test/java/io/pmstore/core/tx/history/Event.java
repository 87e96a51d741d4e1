package io.pmstore.core.tx.history;

import java.util.List;

/**
 * One thing that a body did to one object. Objects only ever gain elements, and each element is
 * added once in a whole history: so what is read tells which writes were seen and which were not
 * (Kingsbury, Alvaro: Elle, 2020).
 */
public sealed interface Event {
  /**
   * Which object.
   *
   * @return its name
   */
  String object();

  /**
   * An element was added.
   *
   * @param object the object
   * @param element the element; at the end, if the object keeps an order
   */
  record Added(String object, long element) implements Event {}

  /**
   * All elements were read.
   *
   * @param object the object
   * @param elements what was read
   * @param ordered true if the object keeps the order in which elements were added
   */
  record Read(String object, List<Long> elements, boolean ordered) implements Event {
    /** Keeps a copy. */
    public Read {
      elements = List.copyOf(elements);
    }
  }

  /**
   * One element was looked for.
   *
   * @param object the object
   * @param element the element
   * @param found whether it was there
   */
  record Probed(String object, long element, boolean found) implements Event {}
}
