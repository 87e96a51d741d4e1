package io.pmstore.proxy.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.pmstore.FormerNames;
import io.pmstore.Persistent;
import java.util.List;
import net.bytebuddy.ByteBuddy;
import org.junit.jupiter.api.Test;

/** A class that a store names is looked for once, however often its objects are read. */
final class ClassFinderTest {
  /** Finds one class, and counts how often a caller asks for others. */
  private static final class OneClass extends ClassLoader {
    private final String name;
    private int asked;

    OneClass(String name) {
      super(ClassFinderTest.class.getClassLoader());
      this.name = name;
    }

    @Override
    protected Class<?> findClass(String wanted) throws ClassNotFoundException {
      if (!wanted.equals(name)) {
        asked++;
        throw new ClassNotFoundException(wanted);
      }
      byte[] bytes = new ByteBuddy().subclass(Object.class).name(name).make().getBytes();
      return defineClass(name, bytes, 0, bytes.length);
    }
  }

  @Test
  void aClassIsLookedForOnce() throws ClassNotFoundException {
    OneClass first = new OneClass("acme.First");
    OneClass second = new OneClass("acme.Second");
    ClassFinder finder = new ClassFinder();
    finder.learn(first.loadClass("acme.First"));
    Class<?> wanted = second.loadClass("acme.Second");
    finder.learn(wanted);
    for (int i = 0; i < 10; i++) {
      assertSame(wanted, finder.find("acme.Second"));
    }
    assertEquals(1, first.asked);
  }

  @Persistent
  abstract static sealed class Asset {
    @FormerNames("acme.Engine")
    static final class Machine extends Asset {}
  }

  sealed interface Payment {
    @FormerNames("acme.Cheque")
    record Transfer(int number) implements Payment {}
  }

  record Invoice(Payment payment) {}

  @Test
  void whatASealedTypePermitsIsFoundUnderItsFormerName() {
    for (Class<?> sealed : List.of(Asset.class, Payment.class, Invoice.class)) {
      ClassFinder finder = new ClassFinder();
      finder.learn(sealed);
      String former = sealed == Asset.class ? "acme.Engine" : "acme.Cheque";
      Class<?> now = sealed == Asset.class ? Asset.Machine.class : Payment.Transfer.class;
      assertSame(now, finder.find(former), sealed::getName);
    }
  }
}
