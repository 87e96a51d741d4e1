package io.pmstore.messages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.Persistent;
import io.pmstore.PmStore;
import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** A message advises what can be done, and what helps. */
class AdviceTest {
  @TempDir Path directory;
  private PmStore store;
  private Things things;

  /** A root. */
  @Persistent(root = "things")
  public static class Things {
    private Object any = "";
    private int count;
    private List<Object> list = new ArrayList<>();
    private Set<Object> set = new HashSet<>();

    public Object getAny() {
      return any;
    }

    public void setAny(Object any) {
      this.any = any;
    }

    public int getCount() {
      return count;
    }

    public void setCount(int count) {
      this.count = count;
    }

    public List<Object> getList() {
      return list;
    }

    public Set<Object> getSet() {
      return set;
    }
  }

  private record Pair(int one, int other) {}

  @BeforeEach
  void open() {
    store = PmStore.open(directory.resolve("store"));
    things = store.root(Things.class);
  }

  @AfterEach
  void close() {
    store.close();
  }

  private static String message(Executable action) {
    return String.valueOf(assertThrows(RuntimeException.class, action).getMessage());
  }

  private static void assertSays(String part, String notThis, Executable action) {
    String message = message(action);
    assertTrue(message.contains(part), message);
    assertFalse(message.contains(notThis), message);
  }

  @Test
  void whatNobodyCanAnnotateIsNotToBeAnnotated() {
    assertSays("with a property of this type", "annotate it", () -> store.create(String.class));
    assertSays("class of your own", "property of this", () -> store.create(Thread.class));
    assertSays("hold the collection in a property", "annotate it", () -> store.create(List.class));
    assertSays("hold the", "annotate it", () -> store.root("map", Map.class));
    assertSays("make it a property", "annotate it", () -> store.create(Pair.class));
    Object anonymous = new Object() {};
    assertSays("declare the class", "$1 with @Persistent", () -> things.setAny(anonymous));
  }

  @Test
  void onlyAFieldIsToBeTransient() {
    assertSays("mark the field transient", "leave it out", () -> things.setAny(new Thread()));
    for (Object value : List.of(new Thread(), new ReentrantLock(), new StringBuilder("x"))) {
      assertSays("; ", "the field", () -> things.getList().add(value));
      assertSays("; ", "the field", () -> things.getSet().add(value));
    }
    assertSays("use a constant of an enum", "field", () -> things.getList().add(new Object()));
    assertSays("PmStoreOptions.valueType", "field", () -> things.getList().add(this));
    assertSays("has it", "field", () -> things.setAny(new Object[] {new Thread()}));
  }

  @Test
  @SuppressWarnings("NullAway") // refused
  void aMessageSaysWhatItIsAbout() {
    Object[] circle = new Object[1];
    circle[0] = circle;
    assertSays("things.any: ", "object;", () -> things.setAny(circle));
    assertSays("if an array contains itself", "object;", () -> things.getList().add(circle));
    assertSays("list[0] is of", "list12", () -> things.getList().add(List.of(new Object())));
    assertSays("neither a value type", "give this", () -> things.getList().add(new Object()));
    assertSays("a collection cannot be", "use a value", () -> things.getSet().add(List.of(1)));
    assertSays("things.any: a collection", "null", () -> things.setAny(Set.of(List.of(1))));
    assertSays("things.any: an array", "null", () -> things.setAny(Map.of(new int[0], 1)));
    assertSays("a java.util.ArrayList", "annotate", () -> things.setAny(listWithAField()));
    things.getSet().add(new Pair(1, 2)); // the advice works
    assertSays("directory", "Cannot invoke", () -> PmStore.open(null));
    assertSays("class", "Cannot invoke", () -> store.create(null));
    assertSays("the object is null", "Cannot invoke", () -> store.persist(null));
    assertSays("the object is null; pass", "Cannot invoke", () -> store.copy(null));
    List<Things> lost = new ArrayList<>();
    assertSays(
        "the reason",
        "null",
        () ->
            store.transaction(
                () -> {
                  lost.add(store.create(Things.class));
                  throw new IllegalStateException("the reason");
                }));
    assertSays(
        "this object of class " + Things.class.getName(),
        "$Persistent",
        () -> lost.getFirst().setCount(1));
  }

  private static List<Object> listWithAField() {
    return new ArrayList<>() {
      private static final long serialVersionUID = 1L;

      @SuppressWarnings("unused") // refused
      private int count;
    };
  }

  /** Its equals writes. */
  private final class Writer {
    @Override
    public boolean equals(Object other) {
      things.setCount(things.getCount() + 1);
      return false;
    }

    @Override
    public int hashCode() {
      return 0;
    }
  }

  @Test
  void aWriteInCodeThatAReadCallsIsPossibleInATransaction() {
    things.getList().add("x");
    assertSays(
        "put the operation into store.transaction(...)",
        "read-only",
        () -> things.getList().contains(new Writer()));
    store.transaction(() -> things.getList().contains(new Writer()));
    assertEquals(1, things.getCount());
  }

  @Test
  void whatBelongsToAnotherStoreIsCopiedThere() {
    try (PmStore other = PmStore.open(directory.resolve("other"))) {
      Things others = other.root(Things.class);
      assertSays("its own store", "$Persistent", () -> store.copy(others));
      assertSays("PmStore.copy", "its values", () -> things.setAny(others));
      things.setAny(other.copy(others));
      assertSays("snapshot", "before using the second one", () -> store.snapshot(others::getCount));
    }
    assertSays("plain object", "its own store", () -> store.copy(new Object()));
  }

  @Test
  void aStoreOfFilesIsNotOpenedWithLlpl() {
    store.close();
    assertSays(
        "open it with Storage.FILE",
        "choose another directory",
        () ->
            PmStore.open(
                directory.resolve("store"), PmStoreOptions.defaults().storage(Storage.LLPL)));
    assertSays("open it again", "restore", () -> things.getCount());
    assertSays("open it again", "restore", () -> store.create(Things.class));
  }
}
