package io.pmstore;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Keeps a field of a {@link Persistent} class out of the store, as the keyword {@code transient}
 * does. Use it for fields that another library, such as Java serialization, must not treat as
 * {@code transient}.
 *
 * <p>Put it on the field, or on the getter that the class declares for the field. The field then is
 * an ordinary field of the Java object. A persistent object made from a plain one starts with the
 * plain one's value. An object that is read back starts with {@code 0}, {@code false} or {@code
 * null}, whatever the field's initializer says, because no constructor runs; a method with {@link
 * OnLoad} can fill the field.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.FIELD, ElementType.METHOD})
public @interface Transient {}
