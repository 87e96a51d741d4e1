package io.pmstore.proxy.bytecode;

import io.pmstore.proxy.bean.ClassCode;
import java.lang.classfile.MethodModel;
import java.lang.reflect.AccessFlag;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import net.bytebuddy.jar.asm.Type;
import org.jspecify.annotations.Nullable;

/**
 * The names in the interface that holds the copied code of one class of a hierarchy. Immutable.
 *
 * <p>For a class {@code Order} with the field {@code price} it is
 *
 * <pre>{@code
 * interface Order$PersistentCode {
 *   long pmstore$get$0$price();                // implemented by every generated class, with its offset
 *   void pmstore$set$0$price(long price);
 *
 *   static long pmstore$read$price(Order order) {
 *     return order instanceof Order$PersistentCode persistent
 *         ? persistent.pmstore$get$0$price()
 *         : order.price;                       // of a plain object
 *   }
 *
 *   static void raise(Order this, long by) {   // copied from Order.raise, lines and all
 *     pmstore$write$price(this, pmstore$read$price(this) + by);
 *   }
 * }
 * }</pre>
 */
final class CopiedCode {
  private static final String SUFFIX = "$PersistentCode";

  /** A static method of the interface. */
  record Target(String name, String descriptor) {}

  private final ClassCode code;
  private final @Nullable CopiedCode superclass;
  private final String name;
  private final Map<String, Target> methods = new HashMap<>();

  /**
   * Chooses the names. {@code superclass} is the copied code of the superclass, null if that is
   * {@code Object}; {@code number} distinguishes the interface from others of that name, and is
   * empty for the first.
   */
  CopiedCode(ClassCode code, @Nullable CopiedCode superclass, String number) {
    this.code = code;
    this.superclass = superclass;
    this.name = code.type().getName() + SUFFIX + number;
    Set<String> taken = new HashSet<>();
    code.copiedMethods()
        .forEach(
            (key, method) -> {
              Target target = new Target(method.methodName().stringValue(), staticType(method));
              for (int i = 2; !taken.add(target.name() + target.descriptor()); i++) {
                target =
                    new Target(method.methodName().stringValue() + "$" + i, target.descriptor());
              }
              methods.put(key, target);
            });
  }

  /**
   * Returns a descriptor with the receiver as the first parameter, which keeps every local variable
   * in its place.
   */
  private String staticType(MethodModel method) {
    String descriptor = method.methodType().stringValue();
    return method.flags().has(AccessFlag.STATIC) ? descriptor : onObject(descriptor);
  }

  /** Returns a descriptor with an object of the user's class in front of the parameters. */
  String onObject(String descriptor) {
    return "(L" + originalName() + ";" + descriptor.substring(1);
  }

  ClassCode code() {
    return code;
  }

  String name() {
    return name;
  }

  /** Returns the name as class files spell it. */
  String internalName() {
    return name.replace('.', '/');
  }

  /** Returns the name of the user's class as class files spell it. */
  String originalName() {
    return Type.getInternalName(code.type());
  }

  /** Returns the copied code of a class of the hierarchy, this one or a superclass. */
  CopiedCode of(ClassCode other) {
    for (CopiedCode copied = this; copied != null; copied = copied.superclass) {
      if (copied.code.type() == other.type()) {
        return copied;
      }
    }
    throw new IllegalArgumentException(other + " is not above " + code);
  }

  @Nullable CopiedCode superclass() {
    return superclass;
  }

  /** Returns the copy of a method; it exists if the copied methods of the class contain it. */
  Target method(String key) {
    Target target = methods.get(key);
    if (target == null) {
      throw new IllegalArgumentException(key + " of " + code.type() + " is not copied");
    }
    return target;
  }

  String reader(String field) {
    return "pmstore$read$" + field;
  }

  String writer(String field) {
    return "pmstore$write$" + field;
  }

  // Unique among all interfaces that one class implements: fields of two classes may have one name.
  String getter(String field) {
    return "pmstore$get$" + code.depth() + "$" + field;
  }

  String setter(String field) {
    return "pmstore$set$" + code.depth() + "$" + field;
  }

  /** Returns the name of the copy of a class that is declared in the code of the class. */
  String copyOf(String localClass) {
    return name + localClass.substring(code.type().getName().length());
  }
}
