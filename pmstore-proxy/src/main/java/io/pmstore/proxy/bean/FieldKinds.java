package io.pmstore.proxy.bean;

import io.pmstore.ClassRefusedException;
import io.pmstore.Transient;
import java.lang.classfile.ClassModel;
import java.lang.classfile.FieldModel;
import java.lang.classfile.MethodModel;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Sorts the instance fields of one class into persistent and others. */
final class FieldKinds {
  private final Refusal refusal;
  private final Class<?> type;
  private final ClassModel model;
  private final Map<String, Field> persistent = new LinkedHashMap<>();
  private final List<Field> transients = new ArrayList<>();

  /**
   * Sorts the fields of {@code type}, a class of the hierarchy.
   *
   * @throws ClassRefusedException if an annotation is where no field is
   */
  FieldKinds(Refusal refusal, Class<?> type, ClassModel model) {
    this.refusal = refusal;
    this.type = type;
    this.model = model;
    Set<String> byGetter = markedByGetters();
    for (FieldModel declared : model.fields()) {
      String name = declared.fieldName().stringValue();
      Field field = field(name);
      if (Modifier.isStatic(field.getModifiers())) {
        continue;
      }
      if (Modifier.isTransient(field.getModifiers())
          || field.isAnnotationPresent(Transient.class)
          || byGetter.contains(name)) {
        transients.add(field);
      } else {
        persistent.put(name, field);
      }
    }
  }

  Map<String, Field> persistent() {
    return persistent;
  }

  List<Field> transients() {
    return transients;
  }

  private Set<String> markedByGetters() {
    Set<String> fields = new HashSet<>();
    for (Method method : type.getDeclaredMethods()) {
      if (method.isAnnotationPresent(Transient.class) && !method.isBridge()) {
        fields.add(fieldOf(method));
      }
    }
    return fields;
  }

  private String fieldOf(Method getter) {
    String returned = TrivialAccessors.fieldReturned(model, find(model, getter));
    if (returned != null) {
      return returned;
    }
    String name = getter.getName();
    String property = PropertyNames.ofGetter(name);
    if (property == null
        || getter.getParameterCount() > 0
        || model.fields().stream().noneMatch(f -> f.fieldName().equalsString(property))) {
      throw refusal.because(
          "@Transient method %s of %s is not the getter of a field that the class declares%s"
              .formatted(
                  name,
                  type.getName(),
                  ClassFiles.place(model, ClassFiles.line(find(model, getter)))),
          "put the annotation on the field");
    }
    return property;
  }

  private Field field(String name) {
    try {
      return type.getDeclaredField(name);
    } catch (NoSuchFieldException e) {
      throw new ClassRefusedException(
          "the class file of %s that was found has a field %s, which the loaded class lacks; load the class from the file that its class loader finds"
              .formatted(type.getName(), name),
          e);
    }
  }

  /** Finds a method in the class file of the class that declares it. */
  static MethodModel find(ClassModel model, Method method) {
    MethodModel found = ClassCode.find(model, method.getName() + ClassCode.descriptor(method));
    if (found == null) {
      throw new ClassRefusedException(
          "the class file of %s that was found has no method %s, which the loaded class has; load the class from the file that its class loader finds"
              .formatted(ClassFiles.name(model), method));
    }
    return found;
  }
}
