package io.pmstore.core.heap;

import io.pmstore.spi.EnhancedObject;
import io.pmstore.spi.PersistentObject;
import java.lang.StackWalker.StackFrame;

/** The place in the program that has called the store, for messages. */
public final class CallSite {
  private static final StackWalker WALKER =
      StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

  private CallSite() {}

  /**
   * Returns the innermost frame of the calling thread that is neither the store's nor the JDK's.
   */
  public static String current() {
    return WALKER
        .walk(frames -> frames.filter(CallSite::isOfUser).findFirst())
        .map(frame -> frame.toStackTraceElement().toString())
        .orElse("an unknown place");
  }

  private static boolean isOfUser(StackFrame frame) {
    String name = frame.getClassName();
    return !name.startsWith("io.pmstore.core.")
        && !name.startsWith("io.pmstore.proxy.")
        && !name.startsWith("java.")
        && !name.startsWith("jdk.")
        && !name.startsWith("io.pmstore.spi.")
        && !frame.getMethodName().startsWith("pmstore$") // of copied code, without a line
        && !isGenerated(frame.getDeclaringClass());
  }

  private static boolean isGenerated(Class<?> type) {
    return PersistentObject.class.isAssignableFrom(type)
        && !EnhancedObject.class.isAssignableFrom(type);
  }
}
