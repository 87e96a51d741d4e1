package io.pmstore.proxy.convert;

import io.pmstore.proxy.facade.Facades;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.io.Serializable;
import java.util.Collection;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Finds the collection behind a wrapper of the JDK, such as {@code Collections.unmodifiableList}.
 *
 * <p>The wrappers have no method that returns it, and {@code java.util} is not open for reflection.
 * But the JDK specifies the serialized form of these classes, in which the collection is the first
 * reference. So a wrapper is written to nowhere, and {@link ObjectOutputStream#replaceObject} shows
 * the reference. The collection itself is not written, and need not be serializable.
 */
final class JdkWrappers {
  private static final Pattern NAMES =
      Pattern.compile("java\\.util\\.Collections\\$(Unmodifiable|Synchronized|Checked)\\w+");

  private static final ClassValue<Boolean> ARE_WRAPPERS =
      new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
          return Serializable.class.isAssignableFrom(type)
              && NAMES.matcher(type.getName()).matches();
        }
      };

  private JdkWrappers() {}

  /**
   * Returns the collection behind a wrapper, or behind several. Returns any other value itself, and
   * a wrapper whose collection cannot be found: that of a collection which writes another object in
   * its place, as {@code EnumSet} and {@code List.of} do, or refuses to be written.
   */
  static Object behind(Object value) {
    Object outer = value;
    for (Object inner = inner(outer); inner != null; inner = inner(outer)) {
      outer = inner;
    }
    return outer;
  }

  private static @Nullable Object inner(Object value) {
    if (!isCollection(value) || !ARE_WRAPPERS.get(value.getClass())) {
      return null;
    }
    try (Look look = new Look()) {
      Facades.lookingFor(
          () -> {
            look.writeObject(value);
            return null;
          });
      return isCollection(look.first) ? look.first : null;
    } catch (IOException | RuntimeException e) { // of the collection's own writeReplace
      return null;
    }
  }

  private static boolean isCollection(@Nullable Object value) {
    return value instanceof Collection || value instanceof Map;
  }

  /** Sees the first reference that an object writes. */
  private static final class Look extends ObjectOutputStream {
    private boolean hasBegun;
    private boolean hasFirst;
    private @Nullable Object first;

    Look() throws IOException {
      super(OutputStream.nullOutputStream());
      enableReplaceObject(true);
    }

    @Override
    protected @Nullable Object replaceObject(@Nullable Object written) {
      if (!hasBegun) {
        hasBegun = true;
        return written; // the wrapper
      }
      if (!hasFirst) {
        hasFirst = true;
        first = written;
      }
      return null;
    }
  }
}
