package io.pmstore.proxy.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.ClassRefusedException;
import io.pmstore.Persistent;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Which comparators have names, and what happens when a named one no longer exists. */
class ComparatorNamesTest {
  /** Has constants, and fields that are none. */
  @Persistent
  static class Item {
    static final Comparator<Item> SECOND_NAME = Comparator.comparingInt(item -> item.rank);
    static final Object FIRST_NAME = SECOND_NAME;
    static final String NONE = "none";
    static Comparator<Item> changing = Comparator.comparingInt(item -> -item.rank);
    private int rank;
    final Comparator<Item> own = Comparator.comparingInt(item -> 2 * item.rank);
  }

  private final ClassFinder classes = new ClassFinder();
  private final NamedComparators names = new NamedComparators(classes);

  @Test
  void aConstantOfAKnownClassHasTheFirstOfItsNames() {
    assertNull(names.nameOf(Item.SECOND_NAME), "the class is not known yet");
    classes.learn(Item.class);
    String name = Objects.requireNonNull(names.nameOf(Item.SECOND_NAME));
    assertEquals(Item.class.getName() + "#FIRST_NAME", name);
    assertSame(Item.SECOND_NAME, names.find(name));
    assertNull(names.nameOf(Item.changing), "another run may have another");
    assertNull(names.nameOf(new Item().own), "of one object");
    assertNull(names.nameOf(Comparator.comparingInt((Item item) -> item.rank)));
  }

  @Test
  void aNameThatLeadsToNoComparatorIsToldOf() {
    classes.learn(Item.class);
    for (String field : List.of("OF_OLD", "NONE", "changing", "own", "rank")) {
      String message =
          assertThrows(
                  ClassRefusedException.class, () -> names.find(Item.class.getName() + "#" + field))
              .getMessage();
      assertTrue(message.contains("the order of the comparator " + field + " of class"), message);
      assertTrue(message.contains("put it back, with the same order"), message);
    }
    assertThrows(ClassRefusedException.class, () -> names.find("com.acme.Gone#BY_PRICE"));
  }
}
