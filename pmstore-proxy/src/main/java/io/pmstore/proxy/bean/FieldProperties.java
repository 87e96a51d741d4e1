package io.pmstore.proxy.bean;

import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.invoke.MethodType;
import java.lang.reflect.AccessFlag;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The properties of a class that is no interface: its instance fields that are not transient, those
 * of its superclasses included. Methods that touch them are overridden in the generated class.
 */
final class FieldProperties {
  private final Refusal refusal;
  private final Class<?> type;
  private final Accessors accessors;
  private final ClassFiles files;
  private final List<ClassCode> hierarchy = new ArrayList<>();
  private final List<Field> transients = new ArrayList<>();

  FieldProperties(Refusal refusal, Accessors accessors) {
    this.refusal = refusal;
    this.type = refusal.type();
    this.accessors = accessors;
    this.files = new ClassFiles(refusal);
  }

  BeanClass discover() {
    List<Class<?>> classes = new ArrayList<>();
    for (Class<?> k = type; k != null && k != Object.class; k = k.getSuperclass()) {
      classes.addFirst(k);
    }
    ClassCode code = null;
    for (Class<?> k : classes) {
      ClassModel model = files.of(k);
      FieldKinds fields = new FieldKinds(refusal, k, model);
      transients.addAll(fields.transients());
      code = new ClassCode(k, model, files.nest(k), code, fields.persistent());
      hierarchy.addFirst(code);
    }
    Map<String, MethodOverride> touching = touching();
    Map<String, Method> getters = new HashMap<>();
    Map<String, Method> setters = new HashMap<>();
    for (MethodOverride one : touching.values()) {
      String field = trivialField(one.owner(), one.method());
      if (field != null) {
        (one.reads() ? getters : setters).merge(field, method(one), this::better);
      }
    }
    Map<String, BeanProperty> byField = properties(getters, setters);
    for (ClassCode one : hierarchy) {
      new UncopiableCode(refusal, one, byField).check();
    }
    List<MethodOverride> overrides = new ArrayList<>();
    for (MethodOverride one : touching.values()) {
      String field = trivialField(one.owner(), one.method());
      BeanProperty property = field == null ? null : byField.get(field);
      MethodOverride override = new MethodOverride(one.owner(), one.method(), property);
      checkOverridable(override);
      overrides.add(override);
    }
    return BeanClass.of(
        type,
        new ArrayList<>(byField.values()),
        code,
        overrides,
        transients,
        OnLoadMethods.of(refusal));
  }

  /** The methods that a call reaches and that touch persistent fields, by name and descriptor. */
  private Map<String, MethodOverride> touching() {
    Map<String, @Nullable MethodOverride> reached = new LinkedHashMap<>();
    for (ClassCode code : hierarchy) {
      for (MethodModel method : code.model().methods()) {
        String key = ClassCode.key(method);
        boolean isVirtual =
            !method.flags().has(AccessFlag.STATIC)
                && !method.flags().has(AccessFlag.PRIVATE)
                && !key.startsWith("<");
        if (isVirtual && !reached.containsKey(key) && !forwards(code, key, method)) {
          reached.put(key, code.touches(key) ? new MethodOverride(code, method, null) : null);
        }
      }
    }
    Map<String, MethodOverride> touching = new LinkedHashMap<>();
    reached.forEach(
        (key, override) -> {
          if (override != null) {
            touching.put(key, override);
          }
        });
    return touching;
  }

  /**
   * Says whether the compiler made the method only to make the inherited one public, as it does
   * where that is in a package-private class.
   */
  private static boolean forwards(ClassCode code, String key, MethodModel method) {
    return method.flags().has(AccessFlag.BRIDGE)
        && code.usesOf(key).stream()
            .anyMatch(
                use ->
                    use instanceof CodeUse.Call call
                        && call.isSpecial()
                        && call.method().equals(key));
  }

  /** The persistent field that a method does nothing but return or assign, or null. */
  private static @Nullable String trivialField(ClassCode owner, MethodModel method) {
    if (method.flags().has(AccessFlag.SYNCHRONIZED)) {
      return null;
    }
    String field =
        method.methodTypeSymbol().parameterCount() == 0
            ? TrivialAccessors.fieldReturned(owner.model(), method)
            : TrivialAccessors.fieldAssigned(owner.model(), method);
    boolean fits = method.methodTypeSymbol().parameterCount() < 2;
    return field == null || !fits || !owner.persistentFields().containsKey(field)
        ? null
        : owner.type().getName() + "." + field;
  }

  private static Method method(MethodOverride override) {
    for (Method method : override.owner().type().getDeclaredMethods()) {
      if (ClassCode.key(override.method())
          .equals(
              method.getName()
                  + MethodType.methodType(method.getReturnType(), method.getParameterTypes())
                      .descriptorString())) {
        return method;
      }
    }
    throw new IllegalStateException(override + " is in the class file but not in the class");
  }

  /** Of two methods that do the same, the one that names a property. */
  private Method better(Method one, Method other) {
    String name = accessors.propertyOf(one);
    String otherName = accessors.propertyOf(other);
    if (name == null || otherName == null) {
      return name == null ? other : one;
    }
    return name.compareTo(otherName) <= 0 ? one : other;
  }

  private Map<String, BeanProperty> properties(
      Map<String, Method> getters, Map<String, Method> setters) {
    Map<String, BeanProperty> byField = new LinkedHashMap<>();
    Map<String, Field> byName = new HashMap<>();
    for (ClassCode code : hierarchy) {
      for (Field field : code.persistentFields().values()) {
        String key = code.type().getName() + "." + field.getName();
        Method getter = getters.get(key);
        Method setter = setters.get(key);
        String name = name(field, getter, setter);
        requireGetter(field, name, getter, setter);
        Field other = byName.put(name, field);
        if (other != null) {
          throw refusal.because(
              "fields %s and %s are both property %s"
                  .formatted(describe(other), describe(field), name),
              "rename one of them, or the accessors of one");
        }
        byField.put(
            key,
            new BeanProperty(
                name,
                field.getType(),
                PropertyTypes.kind(refusal, name, field.getType()),
                getter,
                setter,
                field));
      }
    }
    return byField;
  }

  private String name(Field field, @Nullable Method getter, @Nullable Method setter) {
    String name = getter == null ? null : accessors.propertyOf(getter);
    if (name == null && setter != null) {
      name = accessors.propertyOf(setter);
    }
    return name == null ? field.getName() : name;
  }

  private void requireGetter(
      Field field, String name, @Nullable Method getter, @Nullable Method setter) {
    if (setter != null
        && getter == null
        && accessors.propertyOf(setter) != null
        && accessors.getters(name).isEmpty()) {
      throw refusal.because(
          "field %s has the setter %s but no getter".formatted(describe(field), setter.getName()),
          "add get%s%s(), or mark the field transient if it need not be kept"
              .formatted(name.substring(0, 1).toUpperCase(Locale.ROOT), name.substring(1)));
    }
  }

  private String describe(Field field) {
    Class<?> owner = field.getDeclaringClass();
    return field.getName() + (owner == type ? "" : " of " + owner.getName());
  }

  private void checkOverridable(MethodOverride override) {
    MethodModel method = override.method();
    Class<?> owner = override.owner().type();
    String name = method.methodName().stringValue();
    String what =
        (override.property() == null ? "method " : "accessor ")
            + name
            + (owner == type ? "" : " of " + owner.getName());
    ClassCode.Cause cause = override.owner().touching().get(ClassCode.key(method));
    if (cause == null) {
      throw new IllegalStateException(override + " touches no field");
    }
    String where = ClassFiles.place(cause.model(), cause.use().line());
    if (method.flags().has(AccessFlag.FINAL)) {
      throw refusal.because(
          "%s is final, so the generated class cannot override it, and %s directly%s"
              .formatted(what, cause.what(), where),
          "remove final" + (override.property() == null ? ", or let it call accessors" : ""));
    }
    boolean isPackagePrivate =
        !method.flags().has(AccessFlag.PUBLIC) && !method.flags().has(AccessFlag.PROTECTED);
    if (isPackagePrivate && !owner.getPackageName().equals(type.getPackageName())) {
      throw refusal.because(
          what + " can be overridden in its own package only, and " + cause.what() + where,
          "make it public or protected");
    }
  }
}
