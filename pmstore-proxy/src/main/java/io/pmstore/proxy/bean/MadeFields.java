package io.pmstore.proxy.bean;

import io.pmstore.Persistent;
import io.pmstore.spi.ReceiverStack;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.FieldModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.reflect.AccessFlag;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The private fields of nested classes that only ever hold objects created for them, such as the
 * order of an {@code Order.Builder}. These objects are plain, so code may use their fields.
 */
final class MadeFields {
  private final ClassCode code;
  private @Nullable Set<String> fields;

  MadeFields(ClassCode code) {
    this.code = code;
  }

  /** Lists what a method of the nest uses. */
  List<CodeUse> usesOf(MethodModel method) {
    return CodeUse.of(method, this::isMade);
  }

  private boolean isMade(FieldInstruction field) {
    Set<String> found = fields;
    if (found == null) {
      found = found();
      fields = found;
    }
    return found.contains(key(field));
  }

  private static String key(FieldInstruction field) {
    return ClassFiles.name(field.owner()) + "." + field.name().stringValue();
  }

  /**
   * Takes all private fields of the class's type, and drops those to which other code assigns other
   * objects.
   */
  private Set<String> found() {
    Set<String> candidates = new HashSet<>();
    for (ClassModel member : code.nest().values()) {
      for (FieldModel field : member.fields()) {
        if (field.flags().has(AccessFlag.PRIVATE)
            && field.fieldType().equalsString(code.type().descriptorString())
            && !isPersistent(ClassFiles.name(member))) {
          candidates.add(ClassFiles.name(member) + "." + field.fieldName().stringValue());
        }
      }
    }
    while (!candidates.isEmpty() && dropOthers(candidates)) {
      // a field that gets what was in a dropped one is to be dropped, too
    }
    return candidates;
  }

  private boolean dropOthers(Set<String> candidates) {
    int before = candidates.size();
    for (ClassModel member : code.nest().values()) {
      for (MethodModel method : member.methods()) {
        CodeModel body = method.code().orElse(null);
        if (body != null) {
          boolean hasThis = !method.flags().has(AccessFlag.STATIC);
          ReceiverStack stack =
              new ReceiverStack(body, hasThis, field -> candidates.contains(key(field)));
          do {
            stack.restart();
            for (CodeElement element : body) {
              if (element instanceof FieldInstruction field
                  && field.opcode() == Opcode.PUTFIELD
                  && stack.top() != ReceiverStack.MADE) {
                candidates.remove(key(field));
              }
              stack.accept(element);
            }
          } while (!stack.isSettled());
        }
      }
    }
    return candidates.size() < before;
  }

  private boolean isPersistent(String name) {
    Class<?> found = ClassFiles.classOrNull(name, code.type().getClassLoader());
    return found == null || found.isAnnotationPresent(Persistent.class);
  }
}
