package io.pmstore.proxy.bean;

import java.lang.classfile.MethodModel;
import org.jspecify.annotations.Nullable;

/**
 * A method that the generated class overrides, because it touches persistent fields or may write.
 *
 * @param owner the class of the hierarchy that declares it
 * @param method its code there
 * @param property what it returns or assigns, if it does nothing else; otherwise null
 * @param effect what it may do
 */
public record MethodOverride(
    ClassCode owner, MethodModel method, @Nullable BeanProperty property, MethodEffect effect) {

  /** Returns true if a copy replaces the code of the method, which touches persistent fields. */
  public boolean isCopied() {
    return owner.touches(ClassCode.key(method));
  }

  /** Returns true if the method returns the property, false if it assigns it. */
  public boolean reads() {
    return method.methodTypeSymbol().parameterCount() == 0;
  }
}
