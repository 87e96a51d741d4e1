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
        arguments(Refused.CanBeCloned.class, "it is Cloneable"),
        arguments(Persistent.class, "it is no class or interface"),
        arguments(int.class, "it is no class or interface"),
        arguments(String[].class, "it is no class or interface"));
  }

  static Stream<Arguments> members() {
    return Stream.of(
        arguments(Refused.FinalAccessor.class, "accessor getX is final", "remove final"),
        arguments(Refused.StaticAccessor.class, "accessor getX is static", "instance method"),
        arguments(Refused.FinalField.class, "field names is final", "remove final"),
        arguments(
            Refused.GetterOnly.class,
            "field x has the getter getX but no setter",
            "add void setX(int)"),
        arguments(
            Refused.SetterOnly.class, "field x has the setter setX but no getter", "add getX()"),
        arguments(
            Refused.NoAccessors.class, "field x has no getter and setter", "add getX() and setX"),
        arguments(Refused.NotPrivate.class, "field x is not private", "make it private"),
        arguments(
            Refused.WithArray.class,
            "property x[] is of type java.lang.StringBuilder",
            "transient"),
        arguments(
            Refused.WithRecord.class,
            "property x.text is of type java.lang.StringBuilder",
            "transient"),
        arguments(
            Refused.WithArrayList.class,
            "property x is of type java.util.ArrayList",
            "declare it as Collection, List"),
        arguments(
            Refused.WithHashMap.class,
            "property x is of type java.util.HashMap",
            "declare it as java.util.Map"),
        arguments(Refused.WithOther.class, "neither a value type nor annotated", "annotate "),
        arguments(
            Refused.GetterWithoutSetter.class, "getter getX has no setter", "declare the setter"),
        arguments(
            Refused.SetterWithoutGetter.class, "setter setX has no getter", "declare the getter"),
        arguments(Refused.Method.class, "method compute is abstract", "default implementation"),
        arguments(
            Refused.HalfDefault.class, "one is abstract and one is not", "make both abstract"));
  }

  static Stream<Arguments> lines() {
    return Stream.of(
        arguments(
            Refused.CheckingSetter.class,
            "method setX does more than assign the field x",
            "let the accessor only"),
        arguments(
            Refused.LazyGetter.class,
            "method getMap does more than return the field map",
            "let the accessor only"),
        arguments(
            Refused.OtherSetter.class,
            "does more than return the field x",
            "let the accessor only"),
        arguments(
            Refused.MethodReads.class,
            "method twice reads the field x directly",
            "call getX() there"),
        arguments(
            Refused.MethodWrites.class,
            "method add reads the field x directly",
            "call getX() there"),
        arguments(
            Refused.EqualsReads.class,
            "method equals reads the field name directly",
            "call getName()"),
        arguments(
            Refused.LambdaReads.class,
            "a lambda of method supplier reads the field x directly",
            "call getX()"),
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
        arguments(Refused.FarSuperCall.class, "method reset calls super.setX", "without super"),
        arguments(Refused.SuperCall.class, "method sum calls super.getY", "without super"),
        arguments(
            Refused.InheritedMethod.class,
            "method clear of " + Refused.UncheckedBase.class.getName() + " writes the field z",
            "call setZ(...)"),
        arguments(
            Refused.OverriddenGetter.class,
            "method getX does more than return",
            "let the accessor only"));
  }

  private static String refusal(Class<?> type) {
    String message =
        assertThrows(ClassRefusedException.class, () -> BeanDiscovery.discover(type)).getMessage();
    assertTrue(message.contains(" " + type.getName() + " cannot be kept in a store: "), message);
    return message;
  }

  @ParameterizedTest
  @MethodSource("classes")
  void aClassIsRefusedByName(Class<?> type, String what) {
    String message = refusal(type);
    assertTrue(message.contains(what), message);
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
    assertEquals("Refused.java", bean.sourceFile());
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
}
