package io.pmstore.proxy.layer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.Persistent;
import io.pmstore.proxy.fixture.StoreTest;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.NotSerializableException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** {@code equals} that compares classes, as IDEs generate it, and the default {@code toString}. */
class ObjectMethodsTest extends StoreTest {

  /** As IntelliJ IDEA and Eclipse write it. */
  @Persistent
  static class Tag implements Comparable<Tag> {
    private final String name;

    Tag(String name) {
      this.name = name;
    }

    @Override
    public boolean equals(@Nullable Object o) {
      if (this == o) {
        return true;
      }
      if (o == null || getClass() != o.getClass()) {
        return false;
      }
      Tag tag = (Tag) o;
      return Objects.equals(name, tag.name);
    }

    @Override
    public int hashCode() {
      return 31 * getClass().getName().hashCode() + Objects.hash(name);
    }

    @Override
    public String toString() {
      return getClass().getSimpleName() + " " + name;
    }

    @Override
    public int compareTo(Tag other) {
      return name.compareTo(other.name);
    }
  }

  /** Another class with the same contents. */
  @Persistent
  static class SpecialTag extends Tag {
    SpecialTag(String name) {
      super(name);
    }
  }

  /** Touches no field in {@code equals}. */
  @Persistent
  static class ByGetter {
    private long id;

    ByGetter(long id) {
      this.id = id;
    }

    long getId() {
      return id;
    }

    @Override
    public boolean equals(@Nullable Object o) {
      return o != null && getClass() == o.getClass() && getId() == ((ByGetter) o).getId();
    }

    @Override
    public int hashCode() {
      return getClass().hashCode();
    }
  }

  /** Asks for classes in methods that touch no field, and through helpers of each kind. */
  @Persistent
  abstract static class Animal implements Comparable<Animal> {
    private final String name;

    Animal(String name) {
      this.name = name;
    }

    String getName() {
      return name;
    }

    protected boolean isOfSameClass(@Nullable Object o) {
      return o != null && getClass() == o.getClass();
    }

    private String type() {
      return getClass().getSimpleName();
    }

    static String typeOf(Animal of) {
      return of.getClass().getSimpleName();
    }

    String types() {
      return type() + typeOf(this);
    }

    @Override
    public int compareTo(Animal o) {
      int byClass = getClass().getName().compareTo(o.getClass().getName());
      return byClass != 0 ? byClass : getName().compareTo(o.getName());
    }

    @Override
    public boolean equals(@Nullable Object o) {
      return isOfSameClass(o) && name.equals(((Animal) o).getName());
    }

    @Override
    public int hashCode() {
      return name.hashCode();
    }
  }

  @Persistent
  static class Cat extends Animal {
    Cat(String name) {
      super(name);
    }

    @Override
    String types() {
      return "cat:" + super.types();
    }
  }

  @Persistent
  static class Dog extends Animal {
    Dog(String name) {
      super(name);
    }
  }

  /** Has no text. */
  @Persistent(root = "shelf")
  static class Shelf {
    private long shelfId = 17;
    private String name = "x".repeat(100);
    private double width = 2;
    private @Nullable Shelf next;
    private final List<Tag> tags = new ArrayList<>();
    private final Set<Object> set = new HashSet<>();
    private final Set<Tag> sorted = new TreeSet<>();
    private final Set<Animal> animals = new TreeSet<>();

    void close() {
      next = this;
    }

    List<Tag> tags() {
      return tags;
    }

    Set<Object> set() {
      return set;
    }

    Set<Tag> sorted() {
      return sorted;
    }

    Set<Animal> animals() {
      return animals;
    }
  }

  @Test
  void equalsByClassHoldsBetweenPersistentAndPlainObjects() {
    for (Object plain : List.of(new Tag("a"), new ByGetter(5))) {
      Object kept = store().persist(plain);
      assertTrue(kept.equals(plain));
      assertTrue(kept.equals(kept));
      assertEquals(plain.hashCode(), kept.hashCode());
    }
    Tag kept = store().persist(new Tag("a"));
    assertEquals("Tag a", kept.toString());
    assertNotEquals(kept, new Tag("b"));
    assertNotEquals(kept, store().persist(new SpecialTag("a")));
    assertNotEquals(kept, new SpecialTag("a"));
    assertNotEquals(store().persist(new ByGetter(1)), new ByGetter(2));
  }

  @Test
  void collectionsFindPersistentElementsByPlainOnes() {
    Shelf shelf = store().root(Shelf.class);
    shelf.tags().add(new Tag("a"));
    shelf.set().add(new Tag("b"));
    shelf.set().add(new ByGetter(3));
    shelf.sorted().addAll(List.of(new Tag("c"), new Tag("d"), new Tag("e")));
    for (int i = 0; i < 2; i++) {
      Shelf now = store().root(Shelf.class);
      assertTrue(now.tags().contains(new Tag("a")));
      assertEquals(0, now.tags().indexOf(new Tag("a")));
      assertFalse(now.tags().contains(new SpecialTag("a")));
      assertTrue(now.set().contains(new Tag("b")));
      assertTrue(now.set().contains(new ByGetter(3)));
      assertFalse(now.set().contains(new ByGetter(4)));
      assertTrue(now.sorted().contains(new Tag("c")));
      assertTrue(now.sorted().contains(new Tag("e")));
      assertFalse(now.sorted().contains(new Tag("f")));
      reopen();
    }
  }

  @Test
  void eachMethodSeesTheUsersClassWhetherItTouchesAFieldOrNot() {
    Shelf shelf = store().root(Shelf.class);
    assertTrue(shelf.animals().addAll(List.of(new Cat("a"), new Dog("b"), new Cat("c"))));
    shelf.set().addAll(List.of(new Cat("a"), new Dog("a")));
    for (int i = 0; i < 2; i++) {
      Shelf now = store().root(Shelf.class);
      assertFalse(now.animals().add(new Cat("a")));
      assertTrue(now.animals().contains(new Dog("b")));
      assertFalse(now.animals().contains(new Dog("c")));
      assertEquals(
          List.of("cat:CatCat", "cat:CatCat", "DogDog"),
          now.animals().stream().map(Animal::types).toList());
      assertTrue(now.set().contains(new Cat("a")));
      assertFalse(now.set().contains(new Cat("b")));
      reopen();
    }
  }

  @Test
  void aClassWithoutATextShowsWhatNamesItsObjects() {
    Shelf shelf = store().root(Shelf.class);
    shelf.close();
    String text = shelf.toString();
    assertTrue(
        text.matches(
            "\\Qio.pmstore.proxy.layer.ObjectMethodsTest$Shelf[name=\\Ex{60}\\Q..., shelfId=17]@\\E"
                + "\\d+"),
        text);
    assertEquals(text, store().call(shelf::toString));
    Shelf[] dead = new Shelf[1];
    rolledBack(() -> dead[0] = store().create(Shelf.class));
    assertNotNull(dead[0]);
    assertTrue(dead[0].toString().contains("Shelf that cannot be read: "), dead[0].toString());
    store().heap.close();
    assertTrue(shelf.toString().contains("Shelf that cannot be read: "), shelf.toString());
  }

  /** Serializable, without a word about it. */
  @Persistent
  static class Parcel implements Serializable {
    private static final long serialVersionUID = 1L;

    private String label = "parcel";

    String getLabel() {
      return label;
    }
  }

  /** An interface that is serializable. */
  @Persistent
  interface Stamp extends Serializable {
    int getValue();

    void setValue(int value);
  }

  /** Is replaced by what its author chose. */
  @Persistent
  static class Replaced implements Serializable {
    private static final long serialVersionUID = 1L;

    private String label = "replaced";

    protected Object writeReplace() {
      return label;
    }
  }

  @Test
  void javaSerializationOfAPersistentObjectIsToldToSerializeACopy() throws Exception {
    assertEquals("parcel", ((Parcel) serialized(new Parcel())).getLabel());
    assertEquals("replaced", serialized(store().create(Replaced.class)));
    for (Class<?> type : List.of(Parcel.class, Stamp.class)) {
      Object persistent = store().create(type);
      String message =
          String.valueOf(
              assertThrows(
                      NotSerializableException.class,
                      () -> serialized(new ArrayList<>(List.of(persistent))))
                  .getMessage());
      assertEquals(
          type.getName()
              + ": a persistent object's values are in the store, not in its fields; serialize a"
              + " copy, which PmStore.copy makes",
          message);
    }
  }

  private static Object serialized(Object object) throws IOException, ClassNotFoundException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    new ObjectOutputStream(bytes).writeObject(object);
    return new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject();
  }
}
