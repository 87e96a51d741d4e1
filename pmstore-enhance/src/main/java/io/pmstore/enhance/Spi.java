package io.pmstore.enhance;

import io.pmstore.Persistent;
import io.pmstore.Transient;
import io.pmstore.spi.EnhancedArrays;
import io.pmstore.spi.EnhancedClasses;
import io.pmstore.spi.EnhancedCollection;
import io.pmstore.spi.EnhancedCollections;
import io.pmstore.spi.EnhancedElements;
import io.pmstore.spi.EnhancedMethod;
import io.pmstore.spi.EnhancedObject;
import io.pmstore.spi.EnhancedReflection;
import io.pmstore.spi.ObjectHandle;
import io.pmstore.spi.PersistentObject;
import net.bytebuddy.jar.asm.ConstantDynamic;
import net.bytebuddy.jar.asm.Handle;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.Type;

/** The names by which enhanced code uses the API. */
final class Spi {
  static final String PERSISTENT_ANNOTATION = Type.getDescriptor(Persistent.class);
  static final String TRANSIENT_ANNOTATION = Type.getDescriptor(Transient.class);
  static final String ENHANCED = Type.getInternalName(EnhancedObject.class);
  static final String PERSISTENT = Type.getInternalName(PersistentObject.class);
  static final String OBJECT_HANDLE = Type.getInternalName(ObjectHandle.class);
  static final String OBJECT_HANDLE_TYPE = Type.getDescriptor(ObjectHandle.class);
  static final String CLASSES = Type.getInternalName(EnhancedClasses.class);
  static final String ARRAYS = Type.getInternalName(EnhancedArrays.class);
  static final String COLLECTIONS = Type.getInternalName(EnhancedCollections.class);
  static final String COLLECTION = Type.getInternalName(EnhancedCollection.class);
  static final String ELEMENTS = Type.getInternalName(EnhancedElements.class);
  static final String REFLECTION = Type.getInternalName(EnhancedReflection.class);
  static final String METHOD = Type.getInternalName(EnhancedMethod.class);

  /** The field of the handle. */
  static final String HANDLE = EnhancedObject.HANDLE;

  /** The names of all members that the enhancer adds begin so. */
  static final String ADDED = "pmstore";

  private static final String LOOKUP = "Ljava/lang/invoke/MethodHandles$Lookup;";

  private Spi() {}

  /** Returns the constant that is the offset of a field's property. */
  static ConstantDynamic offset(String owner, String field) {
    return number("offset", owner, field);
  }

  /** Returns the constant that is the code of a field's property. */
  static ConstantDynamic property(String owner, String field) {
    return number("property", owner, field);
  }

  private static ConstantDynamic number(String method, String owner, String field) {
    Handle bootstrap =
        new Handle(
            Opcodes.H_INVOKESTATIC,
            CLASSES,
            method,
            "(" + LOOKUP + "Ljava/lang/String;Ljava/lang/Class;Ljava/lang/String;)I",
            false);
    return new ConstantDynamic(
        method, "I", bootstrap, EnhancedClasses.key(owner.replace('/', '.'), field));
  }

  /** Returns the constant that is a method of the class that has the constant. */
  static ConstantDynamic method(String name, String descriptor) {
    String type = "L" + METHOD + ";";
    Handle bootstrap =
        new Handle(
            Opcodes.H_INVOKESTATIC,
            CLASSES,
            "method",
            "("
                + LOOKUP
                + "Ljava/lang/String;Ljava/lang/Class;Ljava/lang/String;Ljava/lang/invoke/MethodType;)"
                + type,
            false);
    return new ConstantDynamic("method", type, bootstrap, name, Type.getMethodType(descriptor));
  }
}
