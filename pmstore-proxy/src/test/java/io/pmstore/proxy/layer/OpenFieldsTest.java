package io.pmstore.proxy.layer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.ClassRefusedException;
import io.pmstore.NotPersistableException;
import io.pmstore.Persistent;
import io.pmstore.PmStore;
import io.pmstore.proxy.bean.BeanDiscovery;
import io.pmstore.proxy.fixture.StoreTest;
import io.pmstore.proxy.layer.far.Fresh;
import io.pmstore.proxy.layer.far.FreshAndUsed;
import io.pmstore.proxy.layer.far.Measured;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Fields that are not private: stored like others, unless other classes access them directly. */
class OpenFieldsTest extends StoreTest {
  /** Where the objects are kept. */
  @Persistent(root = "keeper")
  static class Keeper {
    private @Nullable Document kept;

    @Nullable Document getKept() {
      return kept;
    }

    void setKept(Document kept) {
      this.kept = kept;
    }
  }

  private Document kept() {
    return Objects.requireNonNull(store().root(Keeper.class).getKept());
  }

  /** The fields of an entity as many write it. */
  @Persistent
  static class Document {
    protected String title = "untitled";
    public int revision;
    long size;
    protected transient int reads = 7;
    public static int made;

    Document() {
      made++;
    }

    String getTitle() {
      return title;
    }

    void setTitle(String title) {
      this.title = title;
    }
  }

  /** Uses what it inherits, as its own and of others. */
  @Persistent
  static class Report extends Document {
    protected String author = "";

    int getRevision() {
      return revision;
    }

    void setRevision(int revision) {
      this.revision = revision;
    }

    void revise(String by) {
      author = by;
      revision++;
      super.size += title.length();
    }

    Supplier<String> line() {
      return () -> title + " " + revision + " " + size + " by " + author;
    }

    ToIntFunction<Report> newer() {
      return other -> other.revision - revision;
    }

    boolean isOlder(Report other) {
      return revision < other.revision || size < other.size;
    }
  }

  /** Hides a field, with one that is not kept. */
  @Persistent
  static class Draft extends Report {
    transient String title = "draft";

    String both() {
      return title + ", " + super.title + ", " + ((Document) this).title;
    }
  }

  @Test
  void fieldsAreKeptWhateverTheirAccess() {
    Draft plain = new Draft();
    plain.setTitle("Q3");
    plain.revise("me");
    store().root(Keeper.class).setKept(plain);
    for (int round = 0; round < 2; round++) {
      Draft kept = (Draft) kept();
      assertEquals(plain.line().get(), kept.line().get());
      assertEquals(plain.getRevision(), kept.getRevision());
      plain.revise("you" + round);
      kept.revise("you" + round);
      kept.setRevision(kept.getRevision() + 1);
      plain.setRevision(plain.getRevision() + 1);
      assertEquals(plain.line().get(), kept.line().get());
      assertEquals(0, kept.newer().applyAsInt(kept));
      Report other = store().create(Report.class);
      assertTrue(other.isOlder(kept));
      assertEquals(kept.getRevision(), other.newer().applyAsInt(kept));
      assertEquals((round == 0 ? "draft" : "null") + ", Q3, Q3", kept.both());
      reopen();
    }
  }

  /** Uses a field of another package in a class inside, for which the compiler makes a method. */
  @Persistent(root = "sized")
  static class Sized extends Measured {
    Supplier<Long> later() {
      return new Supplier<>() {
        @Override
        public Long get() {
          return size++;
        }
      };
    }
  }

  @Test
  void aClassInsideUsesWhatTheOneAroundInherits() {
    Sized sized = store().root(Sized.class);
    sized.grow();
    assertEquals(4, sized.later().get());
    reopen();
    assertEquals(5, store().root(Sized.class).later().get());
  }

  /** Its fields are used elsewhere. */
  @Persistent
  static class Used extends UsedBase {
    private int own;
  }

  /** Uses no field of its own. */
  @Persistent
  static class Trusting extends Used {}

  /** Is trusted. */
  @Persistent(trustFields = true)
  static class Trusted extends UsedBase {
    int count() {
      return used;
    }
  }

  @Test
  void aUseElsewhereIsRefusedByMethodAndLine() {
    for (Class<?> type : List.of(UsedBase.class, Used.class, Trusting.class)) {
      String message =
          assertThrows(ClassRefusedException.class, () -> store().create(type)).getMessage();
      assertTrue(
          message.contains("field used" + (type == UsedBase.class ? "" : " of "))
              && message.contains(
                  "is not private, and method use of "
                      + UsedBase.class.getPackageName()
                      + ".UserOfFields writes it directly (UserOfFields.java:"),
          message);
    }
    assertEquals(0, store().create(Trusted.class).count());
  }

  @ParameterizedTest
  @ValueSource(
      classes = {
        UserOfFields.ByPlainSubclass.class,
        UserOfFields.ByStaticMethod.class,
        UserOfFields.ByConstructor.class
      })
  void aUseBySubclassesIsRefusedWhereItIsNotCopied(Class<?> type) {
    String message =
        assertThrows(ClassRefusedException.class, () -> BeanDiscovery.discover(type)).getMessage();
    assertTrue(
        message.contains("field x of ") && message.contains(" is not private, and "), message);
  }

  @Test
  void aConstructorThatNobodyCallsIsForPlainObjects() throws ReflectiveOperationException {
    UserOfFields.ByUncalledConstructor kept =
        store().create(UserOfFields.ByUncalledConstructor.class);
    assertEquals("0one", kept.read());
    // What no code here does, as that of another jar may do.
    UncalledConstructor wrong =
        UncalledConstructor.class
            .getDeclaredConstructor(ByUncalledConstructorBase.class)
            .newInstance(kept);
    String message =
        assertThrows(NotPersistableException.class, () -> store().persist(wrong)).getMessage();
    assertTrue(message.contains("PmStore.check names the constructor"), message);
    String warnings = PmStore.check(UserOfFields.ByUncalledConstructor.class).warnings().toString();
    assertTrue(
        warnings.contains(
            "a constructor of "
                + UncalledConstructor.class.getName()
                + " reads the field x of "
                + ByUncalledConstructorBase.class.getName()
                + " directly (UncalledConstructor.java:"),
        warnings);
  }

  /** Inherits a method that nobody calls, and that nobody outside of its package can override. */
  @Persistent(root = "fresh")
  static class Entity extends Fresh {
    private int visits;

    int visit() {
      return ++visits;
    }
  }

  /** Inherits such a method, and one that calls it. */
  @Persistent(trustFields = true)
  static class EntityInUse extends FreshAndUsed {}

  @Test
  void aPackagePrivateMethodOfAnotherPackageThatNobodyCallsIsLeftAlone() {
    Entity entity = store().root(Entity.class);
    assertTrue(entity.isNew());
    entity.visit();
    reopen();
    assertTrue(store().root(Entity.class).isNew());
    assertEquals(2, store().root(Entity.class).visit());
    String warnings = PmStore.check(Entity.class).warnings().toString();
    assertTrue(
        warnings.contains("method markNotNew of " + Fresh.class.getName() + " can be overridden"),
        warnings);
    String message =
        assertThrows(ClassRefusedException.class, () -> store().create(EntityInUse.class))
            .getMessage();
    assertTrue(
        message.contains(", and method saved of " + FreshAndUsed.class.getName() + " calls it ("),
        message);
  }

  @Test
  void aPlainSubclassMayUseItsOwn() {
    assertEquals(0, store().create(UserOfFields.ByItself.class).read());
  }

  /** Loads test classes as a program does that makes classes while it runs: from nowhere. */
  private static final class FromNowhere extends ClassLoader {
    FromNowhere() {
      super(OpenFieldsTest.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (!name.equals(UsedBase.class.getName())) {
        return super.loadClass(name, resolve);
      }
      Class<?> known = findLoadedClass(name);
      if (known != null) {
        return known;
      }
      try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
        if (in == null) {
          throw new ClassNotFoundException(name);
        }
        byte[] bytes = in.readAllBytes();
        return defineClass(name, bytes, 0, bytes.length);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  @Test
  void whereClassesCannotBeListedTheMessageSaysWhatToDo() throws ClassNotFoundException {
    Class<?> type = new FromNowhere().loadClass(UsedBase.class.getName());
    String message =
        assertThrows(ClassRefusedException.class, () -> BeanDiscovery.discover(type)).getMessage();
    assertTrue(
        message.contains("cannot be listed") && message.contains("trustFields = true"), message);
  }
}
