package io.pmstore.proxy.bean;

import io.pmstore.proxy.bean.CodeUse.Call;
import io.pmstore.proxy.bean.CodeUse.Handle;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.invoke.MethodType;
import java.lang.reflect.AccessFlag;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One class of the hierarchy of a persistent class: its persistent fields, and the code that has to
 * be copied because it touches them. This depends on the class and its superclasses only, not on
 * the class that extends it.
 */
public final class ClassCode {
  /**
   * The name and descriptor of {@code getClass()}, which copied code answers with the user's class.
   */
  public static final String GET_CLASS = "getClass()Ljava/lang/Class;";

  /**
   * The reason why a method has to be copied: what it does, or what a method that it calls does,
   * and where.
   */
  record Cause(ClassModel model, MethodModel method, CodeUse use, String what) {
    private static final String ASKS = "asks for a class";

    /**
     * Returns true if the method touches no field, but calls {@code getClass}, for which only
     * copied code gets the user's class.
     */
    boolean isOfClass() {
      return what.equals(ASKS);
    }
  }

  private final Class<?> type;
  private final ClassModel model;
  private final @Nullable ClassCode superclass;
  private final Map<String, Field> persistentFields;
  private final Set<String> declaredFields = new HashSet<>();
  private final Map<String, ClassModel> nest = new LinkedHashMap<>();
  private final Map<String, MethodModel> methods = new LinkedHashMap<>();
  private final Map<String, ClassModel> localClasses = new LinkedHashMap<>();
  private final Map<String, List<CodeUse>> uses = new HashMap<>();
  private final Map<String, Cause> touching = new LinkedHashMap<>();
  private final Map<String, Cause> touchingClasses = new LinkedHashMap<>();
  private final Set<String> asking = new HashSet<>(); // private or static, and call getClass

  ClassCode(
      Class<?> type,
      ClassModel model,
      List<ClassModel> nest,
      @Nullable ClassCode superclass,
      Map<String, Field> persistentFields) {
    this.type = type;
    this.model = model;
    this.superclass = superclass;
    this.persistentFields = persistentFields;
    model.fields().forEach(field -> declaredFields.add(field.fieldName().stringValue()));
    nest.forEach(member -> this.nest.put(ClassFiles.name(member), member));
    for (MethodModel method : model.methods()) {
      methods.put(key(method), method);
      uses.put(key(method), CodeUse.of(method));
    }
    for (ClassModel member : nest) {
      if (EnclosingClasses.isInCodeOf(type.getName(), member, this.nest)) {
        localClasses.put(ClassFiles.name(member), member);
      }
    }
    while (spread()) {
      // until nothing more is found
    }
  }

  /** The name and descriptor of {@code Object.clone}. */
  private static final String CLONE = "clone()Ljava/lang/Object;";

  private static final String HASH = "hashCode()I";

  /** Returns the key of a method in its class: its name and descriptor. */
  public static String key(MethodModel method) {
    return method.methodName().stringValue() + method.methodType().stringValue();
  }

  /** Returns the method of a class that has a key, or null. */
  public static @Nullable MethodModel find(ClassModel model, String key) {
    for (MethodModel method : model.methods()) {
      if (key(method).equals(key)) {
        return method;
      }
    }
    return null;
  }

  /** Returns the descriptor of a method, as class files have it. */
  public static String descriptor(Method method) {
    return MethodType.methodType(method.getReturnType(), method.getParameterTypes())
        .descriptorString();
  }

  public Class<?> type() {
    return type;
  }

  /** Returns the class file. */
  public ClassModel model() {
    return model;
  }

  /** Returns the superclass; null if it is {@code Object}. */
  public @Nullable ClassCode superclass() {
    return superclass;
  }

  /** Returns the number of superclasses, {@code Object} not counted. */
  public int depth() {
    return superclass == null ? 0 : 1 + superclass.depth();
  }

  /** Returns the persistent fields that the class declares, by name. */
  public Map<String, Field> persistentFields() {
    return persistentFields;
  }

  /**
   * Returns the class files of the classes that share private members with it, itself included, by
   * class name.
   */
  public Map<String, ClassModel> nest() {
    return nest;
  }

  /**
   * Returns the class of the hierarchy that declares a persistent field. {@code owner} is the name
   * of the class that code names with the field. Returns null if the owner is not in the hierarchy
   * or the field is not persistent.
   */
  public @Nullable ClassCode declarerOfField(String owner, String field) {
    boolean below = true;
    for (ClassCode code = this; code != null; code = code.superclass) {
      below &= !code.type.getName().equals(owner);
      if (!below && code.declaredFields.contains(field)) {
        return code.persistentFields.containsKey(field) ? code : null;
      }
    }
    return null;
  }

  /**
   * Returns the nearest class, from {@code owner} upwards, that declares a method, or null. {@code
   * method} is its name and descriptor.
   */
  public @Nullable ClassCode declarerOfMethod(String owner, String method) {
    boolean below = true;
    for (ClassCode code = this; code != null; code = code.superclass) {
      below &= !code.type.getName().equals(owner);
      if (!below && code.methods.containsKey(method)) {
        return code;
      }
    }
    return null;
  }

  /**
   * Returns true if a method touches persistent fields, directly or through code that only it can
   * call. Such a method must not run on persistent objects.
   */
  public boolean touches(String method) {
    return touching.containsKey(method);
  }

  /** Returns true if the class has code to copy, or fields that copied code uses. */
  public boolean hasCopy() {
    return !persistentFields.isEmpty() || !touching.isEmpty();
  }

  /**
   * Returns true if the copied code is more than accessors that do nothing else, so that it may use
   * plain objects or private members.
   */
  public boolean hasMoreThanAccessors() {
    return !touchingClasses.isEmpty()
        || copiedMethods().values().stream()
            .anyMatch(
                method ->
                    TrivialAccessors.fieldReturned(model, method) == null
                        && TrivialAccessors.fieldAssigned(model, method) == null);
  }

  /**
   * Returns the methods to copy, by name and descriptor: those that touch persistent fields, and
   * the private ones that they call.
   */
  public Map<String, MethodModel> copiedMethods() {
    Deque<List<CodeUse>> open = new ArrayDeque<>();
    Set<String> found = new LinkedHashSet<>();
    for (String name : touching.keySet()) {
      if (found.add(name)) {
        open.add(usesOf(name));
      }
    }
    for (ClassModel local : copiedClasses()) {
      local.methods().forEach(method -> open.add(CodeUse.of(method)));
    }
    while (!open.isEmpty()) {
      for (CodeUse use : open.remove()) {
        String called =
            switch (use) {
              case Call call -> call.method();
              case Handle handle -> handle.method();
              default -> null;
            };
        if (called != null && isOwnHelper(use.owner(), called) && found.add(called)) {
          open.add(usesOf(called));
        }
      }
    }
    Map<String, MethodModel> copied = new LinkedHashMap<>();
    methods.forEach(
        (name, method) -> {
          if (found.contains(name) && !name.startsWith("<")) {
            copied.put(name, method);
          }
        });
    return copied;
  }

  /**
   * Returns the class files of the anonymous and local classes to copy, each behind its superclass.
   */
  public List<ClassModel> copiedClasses() {
    Set<String> ordered = new LinkedHashSet<>();
    touchingClasses.keySet().forEach(name -> addBehindSuperclass(name, ordered));
    return ordered.stream().map(this::localClass).toList();
  }

  private void addBehindSuperclass(String name, Set<String> ordered) {
    localClass(name)
        .superclass()
        .map(ClassFiles::name)
        .filter(touchingClasses::containsKey)
        .ifPresent(above -> addBehindSuperclass(above, ordered));
    ordered.add(name);
  }

  private ClassModel localClass(String name) {
    ClassModel found = localClasses.get(name);
    if (found == null) {
      throw new IllegalArgumentException(name + " is not declared in code of " + type);
    }
    return found;
  }

  /** Returns the reason of each method that touches persistent fields, by name and descriptor. */
  Map<String, Cause> touching() {
    return touching;
  }

  /** Returns the anonymous and local classes declared in its code. */
  Map<String, ClassModel> localClasses() {
    return localClasses;
  }

  List<CodeUse> usesOf(String method) {
    return uses.getOrDefault(method, List.of());
  }

  MethodModel method(String key) {
    MethodModel found = methods.get(key);
    if (found == null) {
      throw new IllegalArgumentException(type + " declares no " + key);
    }
    return found;
  }

  /**
   * Returns true if a method is one of this class that no other class overrides and that is copied
   * with its callers: private, generated by the compiler for the class, or a static one that
   * touches persistent fields or asks for a class. {@code owner} is the class that the method is
   * called on.
   */
  public boolean isOwnHelper(String owner, String method) {
    return isPrivateHelper(owner, method)
        || (owner.equals(type.getName())
            && (touches(method) || asking.contains(method))
            && method(method).flags().has(AccessFlag.STATIC));
  }

  /** Returns true if only the class and its nest can call a method. */
  boolean isPrivateHelper(String owner, String method) {
    MethodModel found = owner.equals(type.getName()) ? methods.get(method) : null;
    return found != null
        && found.code().isPresent()
        && !method.startsWith("<")
        && (found.flags().has(AccessFlag.PRIVATE)
            || (found.flags().has(AccessFlag.STATIC) && found.flags().has(AccessFlag.SYNTHETIC)));
  }

  /** Returns true if the code of one of its methods, or of a class declared in them, is copied. */
  boolean isCopied(String user, MethodModel method) {
    return user.equals(type.getName())
        ? touches(key(method)) && !method.methodName().stringValue().startsWith("<")
        : touchingClasses.containsKey(user);
  }

  private boolean spread() {
    boolean spread = false;
    for (Map.Entry<String, MethodModel> entry : methods.entrySet()) {
      String name = entry.getKey();
      if (!isOverridable(entry.getValue())
          && !name.startsWith("<")
          && usesOf(name).stream().anyMatch(this::asksForClass)) {
        spread |= asking.add(name);
      }
      Cause known = touching.get(name);
      if (!name.startsWith("<") && (known == null || known.isOfClass())) {
        Cause cause = causeIn(model, entry.getValue(), usesOf(name));
        if (cause != null && (known == null || !cause.isOfClass())) {
          touching.put(name, cause);
          spread = true;
        }
      }
    }
    for (Map.Entry<String, ClassModel> entry : localClasses.entrySet()) {
      if (!touchingClasses.containsKey(entry.getKey())) {
        Cause cause = causeIn(entry.getValue());
        if (cause != null) {
          touchingClasses.put(entry.getKey(), cause);
          spread = true;
        }
      }
    }
    return spread;
  }

  private @Nullable Cause causeIn(ClassModel local) {
    String above = local.superclass().map(ClassFiles::name).orElse("");
    Cause inherited = touchingClasses.get(above);
    if (inherited != null) {
      return inherited;
    }
    for (MethodModel method : local.methods()) {
      Cause cause = causeIn(local, method, CodeUse.of(method));
      if (cause != null) {
        return cause;
      }
    }
    return null;
  }

  /** Returns a reason, that of a field if there is one. */
  private @Nullable Cause causeIn(ClassModel in, MethodModel method, List<CodeUse> used) {
    Cause ofClass = null;
    for (CodeUse use : used) {
      Cause cause = cause(in, method, use);
      if (cause != null && !cause.isOfClass()) {
        return cause;
      }
      ofClass = ofClass == null ? cause : ofClass;
    }
    return ofClass;
  }

  /** Returns the reason why a use touches persistent fields, or null if it does not. */
  @Nullable Cause cause(ClassModel in, MethodModel method, CodeUse use) {
    Cause ofClass = touchingClasses.get(use.owner());
    if (ofClass != null) {
      return ofClass;
    }
    return switch (use) {
      case CodeUse.OfField field ->
          field.onMade() || declarerOfField(field.owner(), field.name()) == null
              ? null
              : new Cause(
                  in,
                  method,
                  use,
                  (field.reads() ? "reads" : "writes") + " the field " + field.name());
      case Call call when asksForClass(call) && in == model && isOverridable(method) ->
          touching.getOrDefault(call.method(), new Cause(in, method, use, Cause.ASKS));
      case Call call when isOwnHelper(call.owner(), call.method()) -> touching.get(call.method());
      case Call call when call.isSpecial() && in == model -> {
        if (isCloneOfObject(call.owner(), call.method())) {
          yield new Cause(in, method, use, "calls Object.clone");
        }
        if (isHashOfObject(call.owner(), call.method())) {
          yield new Cause(in, method, use, "calls Object.hashCode");
        }
        yield superclass == null ? null : causeOfSuper(superclass, call);
      }
      case Handle handle when isOwnHelper(handle.owner(), handle.method()) ->
          touching.get(handle.method());
      default -> null;
    };
  }

  /** Returns true if a use is a call of {@code getClass}, or of a helper that calls it. */
  private boolean asksForClass(CodeUse use) {
    return use instanceof Call call
        && (call.method().equals(GET_CLASS)
            || (call.owner().equals(type.getName()) && asking.contains(call.method())));
  }

  /** Returns true if generated classes override the method, at least those of its package. */
  private static boolean isOverridable(MethodModel method) {
    return isVirtual(method) && !method.flags().has(AccessFlag.FINAL);
  }

  /** Returns true if the class of an object decides which method a call of this one runs. */
  static boolean isVirtual(MethodModel method) {
    return !method.flags().has(AccessFlag.STATIC)
        && !method.flags().has(AccessFlag.PRIVATE)
        && !method.methodName().stringValue().startsWith("<");
  }

  /**
   * Returns true if a call through {@code super} reaches {@code Object.clone}, because no
   * superclass has a method of its own. {@code owner} is the class that the call names.
   */
  public boolean isCloneOfObject(String owner, String method) {
    return method.equals(CLONE) && isOfObject(owner, method);
  }

  /**
   * Returns true if a call through {@code super} reaches {@code Object.hashCode}, which would
   * return another number once the object was collected and read back.
   */
  public boolean isHashOfObject(String owner, String method) {
    return method.equals(HASH) && isOfObject(owner, method);
  }

  private boolean isOfObject(String owner, String method) {
    return (superclass == null || superclass.declarerOfMethod(owner, method) == null)
        && (owner.equals("java.lang.Object") || isAbove(owner));
  }

  private boolean isAbove(String owner) {
    for (ClassCode code = superclass; code != null; code = code.superclass) {
      if (code.type.getName().equals(owner)) {
        return true;
      }
    }
    return false;
  }

  private static @Nullable Cause causeOfSuper(ClassCode above, Call call) {
    ClassCode declarer = above.declarerOfMethod(call.owner(), call.method());
    return declarer == null ? null : declarer.touching.get(call.method());
  }

  @Override
  public String toString() {
    return type.getName() + " touching in " + new ArrayList<>(touching.keySet());
  }
}
