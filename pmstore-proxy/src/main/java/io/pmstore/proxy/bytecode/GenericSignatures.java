package io.pmstore.proxy.bytecode;

import io.pmstore.proxy.bean.BeanClass;
import io.pmstore.proxy.bean.ClassCode;
import io.pmstore.proxy.bean.MethodOverride;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassSignature;
import java.lang.classfile.Signature.ClassTypeSig;
import java.lang.classfile.Signature.TypeArg;
import java.lang.classfile.Signature.TypeParam;
import java.lang.classfile.Signature.TypeVarSig;
import java.lang.classfile.attribute.SignatureAttribute;
import java.lang.constant.ClassDesc;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.bytebuddy.jar.asm.signature.SignatureReader;
import net.bytebuddy.jar.asm.signature.SignatureWriter;
import org.jspecify.annotations.Nullable;

/**
 * Generic signatures for a generated class. It has the type parameters of the user's class; in what
 * it overrides of superclasses, their type parameters are replaced by what the user's class gives
 * for them.
 */
final class GenericSignatures {
  private final BeanClass bean;
  // For each class of the hierarchy its type parameters, in terms of the user's class; a class that
  // is extended without type arguments is missing.
  private final Map<Class<?>, Map<String, String>> given = new HashMap<>();

  /** Thrown if a type parameter has no expressible replacement. */
  private static final class UnknownTypeException extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  GenericSignatures(BeanClass bean) {
    this.bean = bean;
    ClassCode code = bean.code();
    if (code == null) {
      return;
    }
    Map<String, String> own = new HashMap<>();
    for (TypeParam parameter : parameters(code.model())) {
      own.put(parameter.identifier(), "T" + parameter.identifier() + ";");
    }
    given.put(code.type(), own);
    for (ClassCode k = code; k.superclass() != null; k = k.superclass()) {
      learnSuperclass(k, k.superclass());
    }
  }

  private void learnSuperclass(ClassCode below, ClassCode above) {
    List<TypeParam> parameters = parameters(above.model());
    List<TypeArg> arguments =
        signature(below.model())
            .map(signature -> signature.superclassSignature().typeArgs())
            .orElse(List.of());
    Map<String, String> known = given.get(below.type());
    if (known == null || parameters.size() != arguments.size()) {
      return;
    }
    try {
      Map<String, String> result = new HashMap<>();
      for (int i = 0; i < parameters.size(); i++) {
        if (arguments.get(i) instanceof TypeArg.Bounded bounded) {
          result.put(
              parameters.get(i).identifier(),
              replaced(bounded.boundType().signatureString(), known, true));
        }
      }
      given.put(above.type(), result);
    } catch (UnknownTypeException e) {
      return; // as where it is extended without type arguments
    }
  }

  private static Optional<ClassSignature> signature(ClassModel model) {
    return model
        .findAttribute(Attributes.signature())
        .map(attribute -> attribute.asClassSignature());
  }

  private static List<TypeParam> parameters(ClassModel model) {
    return signature(model).map(ClassSignature::typeParameters).orElse(List.of());
  }

  /** Returns the signature of the generated class; null if nothing is generic. */
  @Nullable String ofSubclass(List<String> interfaces) {
    ClassCode code = bean.code();
    List<TypeParam> parameters = code == null ? List.of() : parameters(code.model());
    if (code == null || parameters.isEmpty()) {
      return null;
    }
    TypeArg[] arguments =
        parameters.stream()
            .map(parameter -> TypeArg.of(TypeVarSig.of(parameter.identifier())))
            .toArray(TypeArg[]::new);
    return ClassSignature.of(
            parameters,
            ClassTypeSig.of(ClassDesc.of(code.type().getName()), arguments),
            interfaces.stream()
                .map(type -> ClassTypeSig.of(ClassDesc.ofInternalName(type)))
                .toArray(ClassTypeSig[]::new))
        .signatureString();
  }

  /** Returns the signature of an override; null if it is not generic or cannot be expressed. */
  @Nullable String ofMethod(MethodOverride override) {
    Map<String, String> known = given.get(override.owner().type());
    SignatureAttribute original =
        override.method().findAttribute(Attributes.signature()).orElse(null);
    if (original == null || known == null) {
      return null;
    }
    Map<String, String> inMethod = new HashMap<>(known);
    for (TypeParam parameter : original.asMethodSignature().typeParameters()) {
      inMethod.put(parameter.identifier(), "T" + parameter.identifier() + ";");
    }
    try {
      return replaced(original.signature().stringValue(), inMethod, false);
    } catch (UnknownTypeException e) {
      return null;
    }
  }

  /** Replaces type variables by the types that they stand for. */
  private static String replaced(String signature, Map<String, String> known, boolean isType) {
    SignatureWriter writer =
        new SignatureWriter() {
          private boolean isReplacement;

          @Override
          public void visitTypeVariable(String name) {
            String stands = known.get(name);
            if (isReplacement) {
              super.visitTypeVariable(name);
            } else if (stands == null) {
              throw new UnknownTypeException();
            } else {
              isReplacement = true;
              new SignatureReader(stands).acceptType(this);
              isReplacement = false;
            }
          }
        };
    SignatureReader reader = new SignatureReader(signature);
    if (isType) {
      reader.acceptType(writer);
    } else {
      reader.accept(writer);
    }
    return writer.toString();
  }
}
