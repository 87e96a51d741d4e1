package io.pmstore.proxy.collection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.pmstore.StoreDamagedException;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** A damaged node of a list is reported. No iteration ends early because of it. */
class DamagedListTest {
  private static final int SIZE = 3_000; // a root, inner nodes and leaves
  private static final int INSIDE = 1_400; // an element of the root's second child

  private final TestStore store = new TestStore();
  private final PersistentList<Long> list = store.newList();

  /** The root says that its second child begins behind the elements that are looked for. */
  private void damage(int start) {
    list.addAll(LongStream.range(0, SIZE).boxed().toList());
    assertEquals(INSIDE, list.get(INSIDE));
    long root = store.heap.getLong(list.contents().address(), ListShapes.LIST_ROOT);
    store.heap.putInt(root, ListShapes.listStart(1), start);
  }

  @Test
  void elementsBeforeTheFirstChildInTheRange() {
    damage(SIZE - 1);
    assertThrows(StoreDamagedException.class, () -> list.listIterator(INSIDE).hasNext());
    assertThrows(StoreDamagedException.class, () -> list.listIterator(INSIDE).previous());
  }

  @Test
  void aPartOfTheElements() {
    damage(INSIDE + 10);
    assertThrows(StoreDamagedException.class, () -> list.listIterator(INSIDE).hasNext());
    assertThrows(StoreDamagedException.class, () -> list.subList(INSIDE, SIZE).toArray());
  }
}
