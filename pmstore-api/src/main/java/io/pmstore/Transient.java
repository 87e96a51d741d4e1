package io.pmstore;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Keeps a field of a {@link Persistent} class out of the store, as the keyword {@code transient}
 * does, for fields that other libraries (serialization, for instance) must see as usual.
 *
 * <p>It stands on the field, or on the getter that its class declares for it. The field then is an
 * ordinary field of the Java object: a persistent object made from a plain one starts with the
 * plain one's value, and one that is read back starts with {@code 0}, {@code false} or {@code
 * null}, whatever the field's initializer says, since no constructor runs. {@link OnLoad} is the
 * place to fill it.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.FIELD, ElementType.METHOD})
public @interface Transient {}
