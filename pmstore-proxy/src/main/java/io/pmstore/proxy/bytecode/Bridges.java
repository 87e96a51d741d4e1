package io.pmstore.proxy.bytecode;

import io.pmstore.proxy.bean.ClassCode;
import io.pmstore.spi.PrivateMembers;
import java.lang.classfile.ClassModel;
import java.lang.classfile.FieldModel;
import java.lang.classfile.MethodModel;
import java.lang.reflect.AccessFlag;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Set;
import net.bytebuddy.jar.asm.Handle;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.Type;
import org.jspecify.annotations.Nullable;

/**
 * The members that the original class may use and the copy may not, and the instructions with which
 * the copy uses them.
 */
final class Bridges {
  private static final Handle LINK =
      new Handle(
          Opcodes.H_INVOKESTATIC,
          Type.getInternalName(PrivateMembers.class),
          "link",
          "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/MethodType;Ljava/lang/String;Ljava/lang/Class;Ljava/lang/Class;)Ljava/lang/invoke/CallSite;",
          false);

  private final ClassCode code;
  private final Set<String> copiedClasses;

  /**
   * Creates the bridges for one class's code. {@code copiedClasses} are the classes in its code
   * that are copied too and then have no private members.
   */
  Bridges(ClassCode code, Set<String> copiedClasses) {
    this.code = code;
    this.copiedClasses = copiedClasses;
  }

  /** Emits the use of a member. The descriptor has what is on the stack and what is expected. */
  void link(MethodVisitor to, String use, String owner, String member, String descriptor) {
    to.visitInvokeDynamicInsn(
        member, descriptor, LINK, use, Type.getObjectType(owner), Type.getType(code.type()));
  }

  /** Returns true if a field is private in the nest, or inherited and protected. */
  boolean isFieldClosed(String owner, String name) {
    ClassModel model = code.nest().get(owner);
    if (model != null && !copiedClasses.contains(owner)) {
      for (FieldModel field : model.fields()) {
        if (field.fieldName().equalsString(name)) {
          return field.flags().has(AccessFlag.PRIVATE);
        }
      }
    }
    for (Class<?> k = inHierarchy(owner); k != null; k = k.getSuperclass()) {
      for (Field field : k.getDeclaredFields()) {
        if (field.getName().equals(name)) {
          return isFarProtected(field);
        }
      }
    }
    return false;
  }

  /** Returns true if a method or constructor is private in the nest, or inherited and protected. */
  boolean isMethodClosed(String owner, String name, String descriptor) {
    ClassModel model = code.nest().get(owner);
    if (model != null && !copiedClasses.contains(owner)) {
      MethodModel method = ClassCode.find(model, name + descriptor);
      if (method != null) {
        return method.flags().has(AccessFlag.PRIVATE);
      }
    }
    for (Class<?> k = inHierarchy(owner); k != null; k = k.getSuperclass()) {
      for (Method method : k.getDeclaredMethods()) {
        if (method.getName().equals(name) && ClassCode.descriptor(method).equals(descriptor)) {
          return isFarProtected(method);
        }
      }
    }
    return false;
  }

  private boolean isFarProtected(Member member) {
    return Modifier.isProtected(member.getModifiers())
        && !member.getDeclaringClass().getPackageName().equals(code.type().getPackageName());
  }

  private @Nullable Class<?> inHierarchy(String owner) {
    for (Class<?> k = code.type(); k != null; k = k.getSuperclass()) {
      if (k.getName().equals(owner)) {
        return k;
      }
    }
    return null;
  }
}
