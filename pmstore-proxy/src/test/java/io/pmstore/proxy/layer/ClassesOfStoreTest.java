package io.pmstore.proxy.layer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.ClassRefusedException;
import io.pmstore.Persistent;
import io.pmstore.proxy.fixture.Order;
import io.pmstore.proxy.fixture.StoreTest;
import java.util.Map;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.description.annotation.AnnotationDescription;
import net.bytebuddy.dynamic.DynamicType;
import net.bytebuddy.dynamic.loading.ByteArrayClassLoader;
import org.junit.jupiter.api.Test;

/**
 * What a store does with classes of a program that have changed, are missing, or cannot be
 * instantiated.
 */
class ClassesOfStoreTest extends StoreTest {
  private static final String NAME = "org.example.Thing";

  /** A version of a class with one property, in a class loader of its own. */
  private static Class<?> version(Class<?> typeOfSize) throws ClassNotFoundException {
    try (DynamicType.Unloaded<Object> made =
        new ByteBuddy()
            .subclass(Object.class)
            .name(NAME)
            .annotateType(AnnotationDescription.Builder.ofType(Persistent.class).build())
            .defineProperty("size", typeOfSize)
            .make()) {
      return new ByteArrayClassLoader(
              ClassesOfStoreTest.class.getClassLoader(),
              Map.of(NAME, made.getBytes()),
              ByteArrayClassLoader.PersistenceHandler.MANIFEST)
          .loadClass(NAME);
    }
  }

  @Test
  void aClassThatChangedIsRefusedWithBothShapes() throws Exception {
    Class<?> first = version(int.class);
    Object thing = store().root("thing", first);
    first.getMethod("setSize", int.class).invoke(thing, 5);
    reopen();
    String message =
        assertThrows(ClassRefusedException.class, () -> store().root("thing", version(short.class)))
            .getMessage();
    assertTrue(message.contains("! int size     | short size"), message);
    assertTrue(message.contains("give a migration function for \"size\""), message);
    reopen();
    Class<?> again = version(int.class);
    assertNotSame(first, again);
    Object read = store().root("thing", again);
    assertEquals(5, again.getMethod("getSize").invoke(read));
  }

  @Test
  void aClassThatIsGoneIsNamedWhenAnObjectOfItIsRead() throws Exception {
    Order order = store().root(Order.class);
    order.setQuantity(3);
    order.setNote(store().create(version(int.class)));
    reopen();
    Order again = store().root(Order.class);
    assertEquals(3, again.getQuantity());
    String message = assertThrows(ClassRefusedException.class, again::getNote).getMessage();
    assertTrue(message.contains(NAME) && message.contains("was not found"), message);
  }

  @Persistent
  static class NoDefaultConstructor {
    private int size;

    NoDefaultConstructor(int size) {
      this.size = size;
    }

    public int getSize() {
      return size;
    }

    public void setSize(int size) {
      this.size = size;
    }
  }

  @Persistent
  abstract static class Abstract {}

  @Test
  void aConstructorIsNeededOnlyToMakeAnObject() {
    String message =
        assertThrows(ClassRefusedException.class, () -> store().create(NoDefaultConstructor.class))
            .getMessage();
    assertTrue(
        message.contains("NoDefaultConstructor has no constructor without arguments"), message);
    Order order = store().root(Order.class);
    order.setNote(new NoDefaultConstructor(7));
    reopen();
    Object note = store().root(Order.class).getNote();
    assertTrue(note instanceof NoDefaultConstructor);
    assertEquals(7, ((NoDefaultConstructor) note).getSize());
    message =
        assertThrows(ClassRefusedException.class, () -> store().create(Abstract.class))
            .getMessage();
    assertTrue(message.contains("is abstract"), message);
  }
}
