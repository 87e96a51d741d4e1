package io.pmstore.proxy.facade;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.proxy.bean.CollectionClasses;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.LinkedList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Facades inherit no method of a JDK class that would read the fields of that class, in the JDK
 * that runs the test.
 */
final class FacadeMethodsTest {
  /** Those that nothing does the work of: only methods call them that are overridden too. */
  private static final Set<String> REFUSED =
      Set.of("Hashtable.rehash", "Properties.rehash", "LinkedHashMap.removeEldestEntry");

  @TestFactory
  List<DynamicTest> everyMethodThatCanBeInheritedIsOverridden() {
    return ofEach(
        type -> {
          Class<?> generated = FacadeClass.of(type).generated();
          for (Method method : inherited(type)) {
            String what = type.getSimpleName() + "." + method;
            assertFalse(Modifier.isFinal(method.getModifiers()), () -> what + " is final");
            Method own = generated.getDeclaredMethod(method.getName(), method.getParameterTypes());
            assertEquals(method.getReturnType(), own.getReturnType(), what);
            assertEquals(
                Modifier.isSynchronized(method.getModifiers()),
                Modifier.isSynchronized(own.getModifiers()),
                what);
          }
        });
  }

  @TestFactory
  List<DynamicTest> theBuildHasGeneratedIt() {
    return ofEach(
        type ->
            assertEquals(
                FacadeCode.name(type, Facade.class), FacadeClass.of(type).generated().getName()));
  }

  /** As on a JDK whose class has methods that the one of the build did not have. */
  @Test
  void aClassThatLacksAMethodIsNotUsed() throws IllegalAccessException {
    Class<?> built = FacadeClass.of(ArrayList.class).generated();
    assertTrue(FacadeClass.overridesAll(built, ArrayList.class));
    assertFalse(FacadeClass.overridesAll(built, LinkedList.class));
    Class<?> another =
        MethodHandles.lookup()
            .defineClass(
                FacadeCode.of(ArrayList.class, Facade.class, built.getName() + "OfThisJdk"));
    assertTrue(FacadeClass.overridesAll(another, ArrayList.class));
  }

  @TestFactory
  List<DynamicTest> everyMethodOfThisJdkDoesSomething() {
    return ofEach(
        type -> {
          Set<String> refused = new TreeSet<>();
          for (Method method : Methods.overridable(type)) {
            if (Methods.copier(type, method) == null
                && Methods.extra(type, method) == null
                && Methods.ofInterface(type, method) == null) {
              refused.add(type.getSimpleName() + "." + method.getName());
            }
          }
          refused.removeAll(REFUSED);
          assertEquals(Set.of(), refused);
        });
  }

  @TestFactory
  List<DynamicTest> everyExtraStandsForAMethod() {
    return ofEach(
        type -> {
          List<String> overridden = new ArrayList<>();
          Methods.overridable(type).forEach(method -> overridden.add(key(method, 0)));
          for (Class<?> extras : Extras.of(type)) {
            for (Method extra : extras.getDeclaredMethods()) {
              Class<?>[] parameters = extra.getParameterTypes();
              boolean helps =
                  Modifier.isPrivate(extra.getModifiers())
                      || extra.isSynthetic()
                      || parameters.length == 0
                      || Set.of("of", "newPlain", "plainCopy", "state").contains(extra.getName());
              boolean isOfMoreThanOneClass = extras == ListExtras.class || extras == Extras.class;
              assertTrue(
                  helps || isOfMoreThanOneClass || overridden.contains(key(extra, 1)),
                  () -> extra + " stands for no method of " + type);
            }
          }
        });
  }

  private static String key(Method method, int from) {
    List<Class<?>> parameters = List.of(method.getParameterTypes());
    return method.getName() + parameters.subList(from, parameters.size());
  }

  /** By another way than the generator's: class by class, and by what Class.getMethods shows. */
  private static List<Method> inherited(Class<?> type) {
    List<Method> methods = new ArrayList<>();
    for (Class<?> at = type; at != Object.class; at = at.getSuperclass()) {
      methods.addAll(List.of(at.getDeclaredMethods()));
    }
    methods.addAll(List.of(type.getMethods()));
    methods.removeIf(
        method ->
            Modifier.isStatic(method.getModifiers())
                || method.isBridge()
                || !(Modifier.isPublic(method.getModifiers())
                    || Modifier.isProtected(method.getModifiers()))
                || (method.getDeclaringClass() == Object.class
                    && Modifier.isFinal(method.getModifiers())));
    // Of those with the same parameters the one of the nearest class.
    List<String> seen = new ArrayList<>();
    methods.removeIf(
        method -> {
          boolean isFirst = !seen.contains(key(method, 0));
          seen.add(key(method, 0));
          return !isFirst;
        });
    return methods;
  }

  private interface Check {
    void of(Class<?> type) throws Exception;
  }

  private static List<DynamicTest> ofEach(Check check) {
    return CollectionClasses.all().stream()
        .map(type -> DynamicTest.dynamicTest(type.getName(), () -> check.of(type)))
        .toList();
  }
}
