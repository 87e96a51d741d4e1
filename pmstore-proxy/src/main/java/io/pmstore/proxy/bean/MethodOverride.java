package io.pmstore.proxy.bean;

import java.lang.classfile.MethodModel;
import org.jspecify.annotations.Nullable;

/**
 * A method that the generated class overrides, because it touches persistent fields.
 *
 * @param owner the class of the hierarchy that declares it
 * @param method its code there
 * @param property what it returns or assigns, if it does nothing else; otherwise null
 */
public record MethodOverride(ClassCode owner, MethodModel method, @Nullable BeanProperty property) {
  /**
   * Says which way the property goes.
   *
   * @return true if the method returns the property, false if it assigns it
   */
  public boolean reads() {
    return method.methodTypeSymbol().parameterCount() == 0;
  }
}
