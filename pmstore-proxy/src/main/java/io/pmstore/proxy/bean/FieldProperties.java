package io.pmstore.proxy.bean;

import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.reflect.AccessFlag;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
  private final Map<Class<?>, Map<String, Method>> declaredMethods = new HashMap<>();

  FieldProperties(Refusal refusal, Accessors accessors) {
    this.refusal = refusal;
    this.type = refusal.type();
    this.accessors = accessors;
    this.files = new ClassFiles(refusal);
  }

  BeanClass discover() {
    List<Class<?>> classes = new ArrayList<>();
    for (Class<?> k = type; k != null && k != Object.class; k = k.getSuperclass()) {
      if (Enhancement.isIn(type) && Enhancement.isOfElements(k)) {
        break;
      }
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
    List<MethodOverride> touching = touching();
    Map<String, Method> getters = new HashMap<>();
    Map<String, Method> setters = new HashMap<>();
    IdentityHashMap<MethodModel, String> trivial = new IdentityHashMap<>();
    for (MethodOverride one : touching) {
      String field = trivialField(one.owner(), one.method());
      if (field != null) {
        trivial.put(one.method(), field);
        (one.reads() ? getters : setters).merge(field, method(one), this::better);
      }
    }
    Map<String, BeanProperty> byField = properties(getters, setters);
    if (Enhancement.isIn(type)) {
      return enhanced(code, byField, trivial.keySet());
    }
    boolean isExposed = false;
    for (ClassCode one : hierarchy) {
      UncopiableCode uncopiable = new UncopiableCode(refusal, one, byField, files);
      uncopiable.check();
      isExposed |= uncopiable.isExposed();
      OpenFields open = new OpenFields(refusal, one, files);
      open.check();
      isExposed |= open.isExposed();
    }
    MethodEffects effects = new MethodEffects(hierarchy.getFirst(), files);
    List<MethodOverride> overrides = new ArrayList<>();
    for (MethodOverride one : touching) {
      String field = trivial.get(one.method());
      BeanProperty property = field == null ? null : byField.get(field);
      MethodEffect effect =
          property == null ? effects.of(one.owner(), one.method()) : MethodEffect.NONE;
      MethodOverride override = new MethodOverride(one.owner(), one.method(), property, effect);
      if (isOverridable(override)) {
        overrides.add(override);
      }
    }
    addTransactions(effects, overrides);
    checkFinalizer(effects);
    return BeanClass.of(
        type,
        new ArrayList<>(byField.values()),
        code,
        overrides,
        transients,
        OnLoadMethods.of(refusal),
        isExposed);
  }

  /** Its methods stay where they are; those that may write run as transactions. */
  private BeanClass enhanced(
      @Nullable ClassCode code, Map<String, BeanProperty> byField, Set<MethodModel> trivial) {
    Enhancement.check(refusal, byField.values());
    ReflectiveUses reflective = new ReflectiveUses(refusal, accessors);
    for (ClassCode one : hierarchy) {
      new OpenFields(refusal, one, files).checkEnhanced();
      reflective.warn(one);
    }
    MethodEffects effects = new MethodEffects(hierarchy.getFirst(), files);
    List<MethodOverride> writing = new ArrayList<>();
    for (ClassCode owner : hierarchy) {
      for (MethodModel method : owner.model().methods()) {
        boolean isCalled =
            method.code().isPresent() && ClassCode.isVirtual(method) && !trivial.contains(method);
        MethodEffect effect = isCalled ? effects.of(owner, method) : MethodEffect.NONE;
        if (effect != MethodEffect.NONE) {
          writing.add(new MethodOverride(owner, method, null, effect));
        }
      }
    }
    checkFinalizer(effects);
    return BeanClass.of(
        type,
        new ArrayList<>(byField.values()),
        code,
        writing,
        transients,
        OnLoadMethods.of(refusal),
        false);
  }

  /**
   * Adds the methods that touch no persistent field but may write, through what they call. Those
   * that are final cannot be transactions.
   */
  private void addTransactions(MethodEffects effects, List<MethodOverride> overrides) {
    List<MethodOverride> reached = reached();
    reached.addAll(defaults(reached));
    for (MethodOverride one : reached) {
      MethodModel method = one.method();
      boolean isHidden =
          isPackagePrivate(method)
              && !one.owner().type().getPackageName().equals(type.getPackageName());
      if (!one.isCopied()
          && method.code().isPresent()
          && !isHidden
          && !method.flags().has(AccessFlag.BRIDGE)) {
        MethodEffect effect = effects.of(one.owner(), method);
        if (method.flags().has(AccessFlag.FINAL)) {
          if (effect.changesInPlace()) {
            refusal.warn(
                "method %s is final, so it changes a copy if it changes an array or a date in place%s; remove final"
                    .formatted(
                        method.methodName().stringValue(),
                        ClassFiles.place(one.owner().model(), ClassFiles.line(method))));
          }
        } else if (effect != MethodEffect.NONE) {
          overrides.add(new MethodOverride(one.owner(), method, null, effect));
        }
      }
    }
  }

  /**
   * Refuses a finalizer that writes. The JVM runs it when it collects the Java object; the stored
   * object is still there then, and is read again as another Java object.
   */
  private void checkFinalizer(MethodEffects effects) {
    for (MethodOverride one : reached()) {
      if (ClassCode.key(one.method()).equals("finalize()V")
          && effects.ofAny(one.owner(), one.method()) != MethodEffect.NONE) {
        refusal.report(
            "method finalize%s may write, and the JVM runs it whenever it collects a Java object, although the stored object lives on"
                .formatted(refusal.of(one.owner().type())),
            "remove it, and call what it does where the program has done with the object");
      }
    }
  }

  /** Returns the default methods, of interfaces, that no class of the hierarchy overrides. */
  private List<MethodOverride> defaults(List<MethodOverride> reached) {
    Set<String> known = new HashSet<>();
    reached.forEach(one -> known.add(ClassCode.key(one.method())));
    List<MethodOverride> defaults = new ArrayList<>();
    for (Class<?> one : MethodEffects.interfaces(type)) {
      ClassModel model = files.of(one);
      ClassCode code = new ClassCode(one, model, List.of(), null, Map.of());
      for (MethodModel method : model.methods()) {
        if (method.code().isPresent()
            && ClassCode.isVirtual(method)
            && known.add(ClassCode.key(method))) {
          defaults.add(new MethodOverride(code, method, null, MethodEffect.NONE));
        }
      }
    }
    return defaults;
  }

  /** Returns the methods that a call reaches and that touch persistent fields. */
  private List<MethodOverride> touching() {
    List<MethodOverride> touching = reached();
    touching.removeIf(one -> !one.isCopied());
    return touching;
  }

  /** Returns the methods that a call reaches. */
  private List<MethodOverride> reached() {
    List<MethodOverride> reached = new ArrayList<>();
    Map<String, Set<String>> packages = new HashMap<>();
    for (ClassCode code : hierarchy) {
      for (MethodModel method : code.model().methods()) {
        String key = ClassCode.key(method);
        if (ClassCode.isVirtual(method) && !forwards(code, key, method)) {
          Set<String> below = packages.computeIfAbsent(key, k -> new HashSet<>());
          // A method of the same signature in another package does not override it then.
          boolean isOverridden =
              isPackagePrivate(method)
                  ? below.contains(code.type().getPackageName())
                  : !below.isEmpty();
          if (!isOverridden) {
            reached.add(new MethodOverride(code, method, null, MethodEffect.NONE));
          }
          below.add(code.type().getPackageName());
        }
      }
    }
    return reached;
  }

  private static boolean isPackagePrivate(MethodModel method) {
    return !method.flags().has(AccessFlag.PUBLIC) && !method.flags().has(AccessFlag.PROTECTED);
  }

  /**
   * Returns true if the compiler generated the method only to make an inherited one public, as it
   * does where that is in a package-private class.
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

  /** Returns the persistent field that a method only returns or assigns, or null. */
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

  private Method method(MethodOverride override) {
    Method found =
        declaredMethods
            .computeIfAbsent(override.owner().type(), FieldProperties::byKey)
            .get(ClassCode.key(override.method()));
    if (found == null) {
      throw new IllegalStateException(override + " is in the class file but not in the class");
    }
    return found;
  }

  private static Map<String, Method> byKey(Class<?> type) {
    Map<String, Method> byKey = new HashMap<>();
    for (Method method : type.getDeclaredMethods()) {
      byKey.put(method.getName() + ClassCode.descriptor(method), method);
    }
    return byKey;
  }

  /** Returns, of two methods that do the same, the one that names a property. */
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
    Map<String, Integer> claims = new HashMap<>();
    for (ClassCode code : hierarchy) {
      for (Field field : code.persistentFields().values()) {
        claims.merge(name(field, getters, setters), 1, Integer::sum);
      }
    }
    Map<String, BeanProperty> byField = new LinkedHashMap<>();
    for (ClassCode code : hierarchy) {
      for (Field field : code.persistentFields().values()) {
        String name = name(field, getters, setters);
        if (claims.getOrDefault(name, 0) > 1) {
          // All of them, so that the name alone never passes from one field to another.
          name = BeanProperty.qualified(code.type().getName(), field);
        }
        TypeArguments.check(refusal, name, field.getGenericType());
        byField.put(
            key(field),
            new BeanProperty(
                name,
                field.getType(),
                PropertyTypes.kind(refusal, name, field.getType()),
                getters.get(key(field)),
                setters.get(key(field)),
                field,
                ElementClasses.of(field.getGenericType())));
      }
    }
    return byField;
  }

  private static String key(Field field) {
    return field.getDeclaringClass().getName() + "." + field.getName();
  }

  private String name(Field field, Map<String, Method> getters, Map<String, Method> setters) {
    Method getter = getters.get(key(field));
    Method setter = setters.get(key(field));
    String name = getter == null ? null : accessors.propertyOf(getter);
    if (name == null && setter != null) {
      name = accessors.propertyOf(setter);
    }
    return name == null ? field.getName() : name;
  }

  /** Returns false if the method need not be overridden, because no code calls it. */
  private boolean isOverridable(MethodOverride override) {
    MethodModel method = override.method();
    Class<?> owner = override.owner().type();
    String name = method.methodName().stringValue();
    String what =
        (override.property() == null ? "method " : "accessor ") + name + refusal.of(owner);
    ClassCode.Cause cause = override.owner().touching().get(ClassCode.key(method));
    if (cause == null) {
      throw new IllegalStateException(override + " touches no field");
    }
    String where = ClassFiles.place(cause.model(), cause.use().line());
    if (method.flags().has(AccessFlag.FINAL)) {
      refusal.report(
          "%s is final, so the generated class cannot override it, and %s directly%s"
              .formatted(what, cause.what(), where),
          "remove final" + (override.property() == null ? ", or let it call accessors" : ""));
    }
    if (isPackagePrivate(method) && !owner.getPackageName().equals(type.getPackageName())) {
      if (cause.isOfClass()) {
        return false; // it works as it is, but sees the generated class
      }
      String caller =
          override.property() != null
              ? ""
              : new Callers(refusal, override.owner(), files)
                  .ofPackagePrivate(ClassCode.key(method));
      String fault =
          what + " can be overridden in its own package only, and " + cause.what() + where;
      String remedy = "make it public or protected";
      if (caller == null) {
        refusal.warn(fault + ", so nobody may call it on a persistent object; " + remedy);
        return false;
      }
      refusal.report(fault + caller, remedy);
    }
    return true;
  }
}
