package io.pmstore.proxy.bean;

import io.pmstore.ClassRefusedException;
import java.lang.classfile.ClassModel;
import java.lang.classfile.FieldModel;
import java.lang.classfile.MethodModel;
import java.lang.invoke.MethodType;
import java.lang.reflect.AccessFlag;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The properties of a class that is no interface: each field that is neither static nor transient
 * must have a getter that only returns it and a setter that only assigns it, and no other code may
 * touch it.
 */
final class FieldProperties {
  /** A method with what its class file says of it. */
  private record Accessor(Method method, String key, int line) {}

  private final Refusal refusal;
  private final Class<?> type;
  private final Accessors accessors;
  private final ClassFiles files;
  private final Map<String, Accessor> getterOfField = new HashMap<>();
  private final Map<String, Accessor> setterOfField = new HashMap<>();

  FieldProperties(Refusal refusal, Accessors accessors) {
    this.refusal = refusal;
    this.type = refusal.type();
    this.accessors = accessors;
    this.files = new ClassFiles(refusal);
  }

  BeanClass discover() {
    for (String name : accessors.names()) {
      for (Method getter : accessors.getters(name)) {
        linkToField(getter, true);
      }
      for (Method setter : accessors.setters(name)) {
        linkToField(setter, false);
      }
    }
    Map<String, BeanProperty> byField = new LinkedHashMap<>();
    Set<String> trivial = new HashSet<>();
    Set<String> names = new HashSet<>();
    List<ClassModel> withFields = new ArrayList<>();
    for (Class<?> k = type; k != null && k != Object.class; k = k.getSuperclass()) {
      ClassModel model = files.of(k);
      int before = byField.size();
      for (FieldModel field : model.fields()) {
        if (!field.flags().has(AccessFlag.STATIC) && !field.flags().has(AccessFlag.TRANSIENT)) {
          String key = FieldAccessScan.key(k.getName(), field.fieldName().stringValue());
          BeanProperty property = property(k, field, key);
          if (!names.add(property.name())) {
            throw refusal.because(
                "two fields have accessors for property " + property.name(),
                "rename the accessors of one");
          }
          byField.put(key, property);
          trivial.add(required(getterOfField.get(key)).key());
          trivial.add(required(setterOfField.get(key)).key());
        }
      }
      if (byField.size() > before) {
        withFields.add(model);
      }
    }
    FieldAccessScan scan = new FieldAccessScan(refusal, byField, trivial);
    Set<String> scanned = new HashSet<>();
    for (Class<?> k = type; k != null && k != Object.class; k = k.getSuperclass()) {
      scan(scan, files.of(k), true, scanned);
    }
    for (ClassModel model : withFields) {
      files.nest(model).forEach(member -> scan(scan, member, false, scanned));
    }
    return BeanClass.of(
        type, ClassFiles.sourceFile(files.of(type)), new ArrayList<>(byField.values()));
  }

  private static void scan(
      FieldAccessScan scan, ClassModel model, boolean isOfHierarchy, Set<String> scanned) {
    if (scanned.add(ClassFiles.name(model))) {
      scan.check(model, isOfHierarchy);
    }
  }

  private void linkToField(Method method, boolean isGetter) {
    Class<?> owner = method.getDeclaringClass();
    if (owner.isInterface() || Modifier.isAbstract(method.getModifiers())) {
      return;
    }
    ClassModel model = files.of(owner);
    MethodModel code = find(model, method);
    String field =
        isGetter
            ? TrivialAccessors.fieldReturned(model, code)
            : TrivialAccessors.fieldAssigned(model, code);
    if (field != null) {
      String key =
          FieldAccessScan.key(owner.getName(), method.getName() + code.methodType().stringValue());
      (isGetter ? getterOfField : setterOfField)
          .put(
              FieldAccessScan.key(owner.getName(), field),
              new Accessor(method, key, ClassFiles.line(code)));
    }
  }

  private static MethodModel find(ClassModel model, Method method) {
    String descriptor =
        MethodType.methodType(method.getReturnType(), method.getParameterTypes())
            .descriptorString();
    for (MethodModel candidate : model.methods()) {
      if (candidate.methodName().equalsString(method.getName())
          && candidate.methodType().equalsString(descriptor)) {
        return candidate;
      }
    }
    throw new ClassRefusedException(
        "the class file of "
            + ClassFiles.name(model)
            + " that was found has no method "
            + method
            + ", which the loaded class has; load the class from the file that its class loader"
            + " finds");
  }

  private BeanProperty property(Class<?> owner, FieldModel model, String key) {
    String name = model.fieldName().stringValue();
    String what = "field " + name + (owner == type ? "" : " of " + owner.getName());
    if (model.flags().has(AccessFlag.FINAL)) {
      throw refusal.because(
          what + " is final, so a value read from the store cannot take its place",
          "remove final and give it a getter and a setter, or mark it transient");
    }
    Accessor getter = getterOfField.get(key);
    Accessor setter = setterOfField.get(key);
    if (getter == null || setter == null) {
      throw withoutAccessors(owner, what, name, getter, setter);
    }
    String property = propertyOf(getter.method());
    if (!property.equals(propertyOf(setter.method()))) {
      throw refusal.because(
          "getter "
              + getter.method().getName()
              + " and setter "
              + setter.method().getName()
              + " use the same field "
              + name,
          "give each property a getter, a setter and a field of its own");
    }
    if (!model.flags().has(AccessFlag.PRIVATE)) {
      throw refusal.because(
          what + " is not private, so other classes can use it past the store", "make it private");
    }
    checkOverridable(getter.method());
    checkOverridable(setter.method());
    Field field = declaredField(owner, name);
    Class<?> getterType = getter.method().getReturnType();
    Class<?> setterType = setter.method().getParameterTypes()[0];
    if (getterType != field.getType() || setterType != field.getType()) {
      throw refusal.because(
          "%s is a %s, but its getter returns a %s and its setter takes a %s"
              .formatted(
                  what,
                  field.getType().getTypeName(),
                  getterType.getTypeName(),
                  setterType.getTypeName()),
          "use the same type for all three");
    }
    return new BeanProperty(
        property,
        PropertyTypes.kind(refusal, property, field.getType()),
        getter.method(),
        setter.method(),
        field,
        getter.line(),
        setter.line());
  }

  private String propertyOf(Method accessor) {
    for (String name : accessors.names()) {
      if (accessors.getters(name).contains(accessor)
          || accessors.setters(name).contains(accessor)) {
        return name;
      }
    }
    throw new IllegalArgumentException(accessor + " is no accessor");
  }

  private RuntimeException withoutAccessors(
      Class<?> owner,
      String what,
      String field,
      @Nullable Accessor getter,
      @Nullable Accessor setter) {
    String property =
        getter != null
            ? propertyOf(getter.method())
            : setter != null ? propertyOf(setter.method()) : field;
    if (getter == null) {
      for (Method other : accessors.getters(property)) {
        throw doesMore(other, "return", field);
      }
    }
    if (setter == null) {
      for (Method other : accessors.setters(property)) {
        throw doesMore(other, "assign", field);
      }
    }
    String remedy = "or mark the field transient if it need not be kept";
    if (getter != null) {
      return refusal.because(
          what
              + " has the getter "
              + getter.method().getName()
              + " but no setter that only assigns it",
          "add void set"
              + capitalized(property)
              + "("
              + getter.method().getReturnType().getSimpleName()
              + "), "
              + remedy);
    }
    if (setter != null) {
      return refusal.because(
          what
              + " has the setter "
              + setter.method().getName()
              + " but no getter that only returns it",
          "add get" + capitalized(property) + "(), " + remedy);
    }
    return refusal.because(
        what
            + " has no getter and setter that a generated class could override"
            + ClassFiles.place(files.of(owner), 0),
        "add get"
            + capitalized(field)
            + "() and set"
            + capitalized(field)
            + "(...), not private, "
            + remedy);
  }

  private RuntimeException doesMore(Method accessor, String verb, String field) {
    Class<?> owner = accessor.getDeclaringClass();
    if (Modifier.isAbstract(accessor.getModifiers()) || owner.isInterface()) {
      return refusal.because(
          accessor.getName() + " does not " + verb + " the field " + field,
          "let it only " + verb + " the field");
    }
    ClassModel model = files.of(owner);
    return refusal.because(
        "method %s%s does more than %s the field %s%s"
            .formatted(
                accessor.getName(),
                owner == type ? "" : " of " + owner.getName(),
                verb,
                field,
                ClassFiles.place(model, ClassFiles.line(find(model, accessor)))),
        "let the accessor only "
            + verb
            + " the field, and put the rest into a method that calls the accessor");
  }

  private void checkOverridable(Method accessor) {
    int modifiers = accessor.getModifiers();
    if (Modifier.isFinal(modifiers)) {
      throw refusal.because(
          "accessor " + accessor.getName() + " is final, so the generated class cannot override it",
          "remove final");
    }
    boolean isPackagePrivate = !Modifier.isPublic(modifiers) && !Modifier.isProtected(modifiers);
    if (isPackagePrivate
        && !accessor.getDeclaringClass().getPackageName().equals(type.getPackageName())) {
      throw refusal.because(
          "accessor "
              + accessor.getName()
              + " of "
              + accessor.getDeclaringClass().getName()
              + " can be overridden in its own package only",
          "make it public or protected");
    }
  }

  private static Field declaredField(Class<?> owner, String name) {
    try {
      return owner.getDeclaredField(name);
    } catch (NoSuchFieldException e) {
      throw new ClassRefusedException(
          "the class file of "
              + owner.getName()
              + " that was found has a field "
              + name
              + ", which the loaded class lacks; load the class from the file that its class loader"
              + " finds",
          e);
    }
  }

  private static Accessor required(@Nullable Accessor accessor) {
    if (accessor == null) {
      throw new IllegalStateException("a property without an accessor was let through");
    }
    return accessor;
  }

  private static String capitalized(String name) {
    return name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
  }
}
