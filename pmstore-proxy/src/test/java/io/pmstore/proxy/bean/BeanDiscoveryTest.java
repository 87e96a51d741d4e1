package io.pmstore.proxy.bean;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.pmstore.ClassRefusedException;
import io.pmstore.Persistent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class BeanDiscoveryTest {
  private static final Path SOURCE = Path.of("src/test/java/io/pmstore/proxy/bean/Refused.java");

  static Stream<Arguments> classes() {
    return Stream.of(
        arguments(Refused.NotAnnotated.class, "it is not annotated with @Persistent"),
        arguments(Refused.Final.class, "it is final"),
        arguments(Refused.Inner.class, "it is an inner class"),
        arguments(Refused.privateClass(), "it is private"),
        arguments(Refused.Record.class, "it is a record"),
        arguments(Refused.Enumeration.class, "it is an enum"),
        arguments(Refused.Sealed.class, "it is sealed"),
        arguments(Refused.localClass(), "it is declared inside a method"),
        arguments(Persistent.class, "it is no class or interface"),
        arguments(int.class, "it is no class or interface"),
        arguments(String[].class, "it is no class or interface"));
  }

  static Stream<Arguments> members() {
    return Stream.of(
        arguments(Refused.FinalAccessor.class, "accessor getX is final", "remove final"),
        arguments(
            Refused.WithArray.class,
            "property x[] is of type java.lang.StringBuilder",
            "use a String"),
        arguments(
            Refused.WithRecord.class,
            "property x.text is of type java.lang.StringBuilder",
            "use a String"),
        arguments(
            Refused.WithNames.class,
            "property x is of type io.pmstore.proxy.bean.Refused$Names",
            "declare it as Collection, List"),
        arguments(
            Refused.WithConcurrentHashMap.class,
            "property x is of type java.util.concurrent.ConcurrentHashMap",
            "declare it as java.util.concurrent.ConcurrentMap"),
        arguments(
            Refused.WithEnumMap.class,
            "property x is of type java.util.EnumMap",
            "declare it as java.util.Map"),
        arguments(
            Refused.WithAttributes.class,
            "property x is of type java.util.jar.Attributes",
            "declare it as java.util.Map"),
        arguments(
            Refused.WithElementsOfItsOwn.class,
            "what it holds is handed out as java.util.List, not as",
            "declare it with java.util.List"),
        arguments(
            Refused.WithElements.class,
            "what it holds is handed out as java.util.Map, not as java.util.HashMap",
            "declare it with java.util.Map"),
        arguments(
            Refused.WithElementsInRecord.class,
            "property x.list is of type java.util.Optional<java.util.ArrayList<java.lang.String>>",
            "declare it with java.util.List"),
        arguments(
            Refused.WithElementsOfInterface.class,
            "property x is of type java.util.Set<java.util.concurrent.CopyOnWriteArraySet",
            "declare it with java.util.SequencedSet"),
        arguments(Refused.WithOther.class, "neither a value type nor annotated", "annotate "),
        arguments(
            Refused.GetterWithoutSetter.class,
            "getter getX has no setter with one parameter of type int that returns nothing",
            "declare the setter"),
        arguments(
            Refused.SetterWithoutGetter.class, "setter setX has no getter", "declare the getter"),
        arguments(Refused.Method.class, "method compute is abstract", "default implementation"),
        arguments(
            Refused.HalfDefault.class, "one is abstract and one is not", "make both abstract"),
        arguments(
            Refused.WithUpdater.class,
            "the static initializer makes an updater for the field next",
            "make it transient"),
        arguments(
            Refused.WithVarHandle.class,
            "method handle makes a VarHandle for the field next",
            "make it transient"),
        arguments(Refused.TransientOnNothing.class, "@Transient method getTotal", "on the field"),
        arguments(Refused.TransientOfInterface.class, "getX is @Transient", "use a class"),
        arguments(Refused.StaticOnLoad.class, "@OnLoad method loaded is static", "instance method"),
        arguments(
            Refused.OnLoadOfInterface.class, "loaded is declared in interface", "in the class"),
        arguments(
            Refused.Finalizer.class,
            "method finalize may write, and the JVM runs it whenever it collects a Java object",
            "remove it"),
        arguments(
            Refused.SkipList.class,
            "property map is of type java.util.concurrent.ConcurrentNavigableMap",
            "declare it as java.util.NavigableMap"),
        arguments(
            Refused.OnLoadWithParameter.class,
            "@OnLoad method loaded takes or returns something",
            "void loaded()"));
  }

  static Stream<Arguments> lines() {
    return Stream.of(
        arguments(
            Refused.InnerReads.class,
            "method read of "
                + Refused.InnerReads.class.getName()
                + "$Reader reads the field x directly",
            "call getX()"),
        arguments(
            Refused.NestWrites.class,
            "method reset of " + Refused.class.getName() + " writes the field x directly",
            "call setX(...)"),
        arguments(
            Refused.CopyConstructor.class,
            "a constructor reads the field x directly",
            "call getX()"),
        arguments(
            Refused.ConstructorWrites.class,
            "a constructor writes the field x directly",
            "call setX(...)"),
        arguments(
            Refused.ReflectiveEquals.class,
            "method equals calls reflectionEquals of ",
            "name the properties there"),
        arguments(Refused.FinalMethod.class, "method twice is final", "remove final"),
        arguments(
            Refused.StaticMethod.class,
            "static method sum reads the field x directly",
            "make it an instance method"),
        arguments(
            Refused.StaticThroughHelper.class,
            "method twice is static, and method half reads the field x directly",
            "make it an instance method"),
        arguments(
            Refused.StaticComparator.class,
            "a lambda of a constructor or initializer reads the field name directly",
            "call an accessor"),
        arguments(
            Refused.LambdaInConstructor.class,
            "a lambda of a constructor or initializer reads the field x directly",
            "call an accessor"),
        arguments(
            Refused.AnonymousInConstructor.class,
            "method getAsInt of "
                + Refused.AnonymousInConstructor.class.getName()
                + "$1 reads the field x directly",
            "call an accessor"),
        arguments(
            Refused.NestCallsHelper.class,
            "calls a private method of " + Refused.NestCallsHelper.class.getName(),
            "not private"),
        arguments(
            Refused.RecordReads.class,
            "method of of " + Refused.RecordReads.class.getName() + "$Snapshot reads the field x",
            "call an accessor"));
  }

  /** As a store does that has no codecs. */
  private static void discover(Class<?> type) {
    for (BeanProperty property : BeanDiscovery.discover(type).properties()) {
      PropertyTypes.check(type, property.name(), property.type(), unknown -> false);
    }
  }

  private static String refusal(Class<?> type) {
    String message = assertThrows(ClassRefusedException.class, () -> discover(type)).getMessage();
    assertTrue(message.contains(" " + type.getName() + " cannot be kept in a store: "), message);
    return message;
  }

  @ParameterizedTest
  @MethodSource("classes")
  void aClassIsRefusedByName(Class<?> type, String what) {
    String message = refusal(type);
    assertTrue(message.contains(what), message);
  }

  @Test
  void aClassThatEnhancementCanKeepIsToldOfIt() {
    for (Class<?> type :
        List.of(
            Refused.Final.class,
            Refused.Inner.class,
            Refused.privateClass(),
            Refused.Sealed.class,
            Refused.localClass())) {
      String message = refusal(type);
      assertTrue(message.endsWith(", or enhance it with pmstore-enhance"), message);
    }
  }

  @ParameterizedTest
  @MethodSource("members")
  void aMemberIsRefusedByName(Class<?> type, String what, String remedy) {
    String message = refusal(type);
    assertTrue(message.contains(what) && message.contains(remedy), message);
  }

  @ParameterizedTest
  @MethodSource("lines")
  void codeIsRefusedByMethodAndLine(Class<?> type, String what, String remedy) throws IOException {
    String message = refusal(type);
    assertTrue(message.contains(what) && message.contains(remedy), message);
    List<String> source = Files.readAllLines(SOURCE);
    int line =
        IntStream.range(0, source.size())
                .filter(i -> source.get(i).endsWith("// " + type.getSimpleName()))
                .findFirst()
                .orElseThrow()
            + 1;
    assertTrue(message.contains("(Refused.java:" + line + ")"), message);
  }

  @Test
  void whatWorksIsNotRefused() {
    BeanClass bean = BeanDiscovery.discover(Refused.Allowed.class);
    assertEquals(
        List.of("text", "x", "active"),
        bean.properties().stream().map(BeanProperty::name).toList());
    assertEquals(
        List.of("x", "y"),
        BeanDiscovery.discover(Refused.Good.class).properties().stream()
            .map(BeanProperty::name)
            .toList());
  }

  @Test
  void aPackagePrivateAccessorOfAnotherPackageIsRefused() {
    String message = refusal(FarFromHome.class);
    assertTrue(message.contains("can be overridden in its own package only"), message);
  }

  @Persistent
  static class FarFromHome extends io.pmstore.proxy.identity.PackagePrivateAccessors {}

  /** The accessors there have the same names, and override none of those. */
  @Test
  void packagePrivateAccessorsOfAnotherPackageAreRefusedBesideOnesOfTheSameNames() {
    String message = refusal(FarAndNear.class);
    assertTrue(
        message.contains(
            "getX of io.pmstore.proxy.identity.PackagePrivateAccessors can be overridden in its own"
                + " package only"),
        message);
  }

  @Persistent
  static class FarAndNear extends io.pmstore.proxy.identity.PackagePrivateAccessors {
    private int x;

    int getX() {
      return x;
    }

    void setX(int x) {
      this.x = x;
    }
  }
}
