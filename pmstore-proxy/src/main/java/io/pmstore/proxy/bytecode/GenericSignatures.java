package io.pmstore.proxy.bytecode;

import io.pmstore.proxy.bean.BeanClass;
import io.pmstore.proxy.bean.ClassCode;
import io.pmstore.proxy.bean.MethodOverride;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassSignature;
import java.lang.classfile.MethodSignature;
import java.lang.classfile.Signature;
import java.lang.classfile.Signature.ArrayTypeSig;
import java.lang.classfile.Signature.ClassTypeSig;
import java.lang.classfile.Signature.RefTypeSig;
import java.lang.classfile.Signature.ThrowableSig;
import java.lang.classfile.Signature.TypeArg;
import java.lang.classfile.Signature.TypeParam;
import java.lang.classfile.Signature.TypeVarSig;
import java.lang.classfile.attribute.SignatureAttribute;
import java.lang.constant.ClassDesc;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
  private final Map<Class<?>, Map<String, RefTypeSig>> given = new HashMap<>();

  /** A type parameter stands for nothing that can be said. */
  private static final class UnknownTypeException extends Exception {
    private static final long serialVersionUID = 1L;
  }

  GenericSignatures(BeanClass bean) {
    this.bean = bean;
    ClassCode code = bean.code();
    if (code == null) {
      return;
    }
    Map<String, RefTypeSig> own = new HashMap<>();
    for (TypeParam parameter : parameters(code.model())) {
      own.put(parameter.identifier(), TypeVarSig.of(parameter.identifier()));
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
    Map<String, RefTypeSig> known = given.get(below.type());
    if (known == null || parameters.size() != arguments.size()) {
      return;
    }
    try {
      Map<String, RefTypeSig> result = new HashMap<>();
      for (int i = 0; i < parameters.size(); i++) {
        if (arguments.get(i) instanceof TypeArg.Bounded bounded) {
          result.put(parameters.get(i).identifier(), replaced(bounded.boundType(), known));
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

  /** The signature of the generated class; empty if nothing is generic. */
  Optional<SignatureAttribute> ofSubclass(List<ClassDesc> interfaces) {
    ClassCode code = bean.code();
    List<TypeParam> parameters = code == null ? List.of() : parameters(code.model());
    if (code == null || parameters.isEmpty()) {
      return Optional.empty();
    }
    TypeArg[] arguments =
        parameters.stream()
            .map(parameter -> TypeArg.of(TypeVarSig.of(parameter.identifier())))
            .toArray(TypeArg[]::new);
    return Optional.of(
        SignatureAttribute.of(
            ClassSignature.of(
                parameters,
                ClassTypeSig.of(SubclassEmitter.desc(code.type()), arguments),
                interfaces.stream().map(ClassTypeSig::of).toArray(ClassTypeSig[]::new))));
  }

  /** The signature of an override; empty if it is not generic or cannot be told. */
  Optional<SignatureAttribute> ofMethod(MethodOverride override) {
    Map<String, RefTypeSig> known = given.get(override.owner().type());
    SignatureAttribute original =
        override.method().findAttribute(Attributes.signature()).orElse(null);
    if (original == null || known == null) {
      return Optional.empty();
    }
    MethodSignature signature = original.asMethodSignature();
    Map<String, RefTypeSig> inMethod = new HashMap<>(known);
    for (TypeParam parameter : signature.typeParameters()) {
      inMethod.put(parameter.identifier(), TypeVarSig.of(parameter.identifier()));
    }
    try {
      List<TypeParam> parameters = new ArrayList<>();
      for (TypeParam parameter : signature.typeParameters()) {
        List<RefTypeSig> bounds = new ArrayList<>();
        for (RefTypeSig bound : parameter.interfaceBounds()) {
          bounds.add(replaced(bound, inMethod));
        }
        RefTypeSig classBound = parameter.classBound().orElse(null);
        parameters.add(
            TypeParam.of(
                parameter.identifier(),
                Optional.ofNullable(classBound == null ? null : replaced(classBound, inMethod)),
                bounds.toArray(RefTypeSig[]::new)));
      }
      List<Signature> arguments = new ArrayList<>();
      for (Signature argument : signature.arguments()) {
        arguments.add(any(argument, inMethod));
      }
      List<ThrowableSig> thrown = new ArrayList<>();
      for (ThrowableSig one : signature.throwableSignatures()) {
        if (!(replaced((RefTypeSig) one, inMethod) instanceof ThrowableSig replaced)) {
          return Optional.empty();
        }
        thrown.add(replaced);
      }
      return Optional.of(
          SignatureAttribute.of(
              MethodSignature.of(
                  parameters,
                  thrown,
                  any(signature.result(), inMethod),
                  arguments.toArray(Signature[]::new))));
    } catch (UnknownTypeException e) {
      return Optional.empty();
    }
  }

  private static Signature any(Signature type, Map<String, RefTypeSig> known)
      throws UnknownTypeException {
    return type instanceof RefTypeSig reference ? replaced(reference, known) : type;
  }

  private static RefTypeSig replaced(RefTypeSig type, Map<String, RefTypeSig> known)
      throws UnknownTypeException {
    return switch (type) {
      case TypeVarSig variable -> {
        RefTypeSig stands = known.get(variable.identifier());
        if (stands == null) {
          throw new UnknownTypeException();
        }
        yield stands;
      }
      case ArrayTypeSig array -> ArrayTypeSig.of(any(array.componentSignature(), known));
      case ClassTypeSig named -> {
        List<TypeArg> arguments = new ArrayList<>();
        for (TypeArg argument : named.typeArgs()) {
          arguments.add(
              argument instanceof TypeArg.Bounded bounded
                  ? TypeArg.bounded(
                      bounded.wildcardIndicator(), replaced(bounded.boundType(), known))
                  : argument);
        }
        @Nullable ClassTypeSig outer = named.outerType().orElse(null);
        TypeArg[] all = arguments.toArray(TypeArg[]::new);
        yield outer == null
            ? ClassTypeSig.of(named.className(), all)
            : ClassTypeSig.of((ClassTypeSig) replaced(outer, known), named.className(), all);
      }
    };
  }
}
