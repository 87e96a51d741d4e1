package io.pmstore.core.tx;

import org.jspecify.annotations.Nullable;

/**
 * Finds in stack traces which code of the program called the store, and in which call a thread
 * waits.
 */
final class CallSite {
  private CallSite() {}

  /**
   * Returns the newest call that is neither the JDK's nor the store's.
   *
   * @param stack the newest call first
   * @return the call, or null if there is none
   */
  static @Nullable StackTraceElement ofUser(StackTraceElement[] stack) {
    for (StackTraceElement frame : stack) {
      if (isOfProgram(frame)) {
        return frame;
      }
    }
    return null;
  }

  /**
   * Returns true if a waiting thread waits inside the store, which never waits for a thread that
   * waits for a turn.
   *
   * @param stack the newest call first
   * @return false if code of the program waits
   */
  static boolean isInsideStore(StackTraceElement[] stack) {
    for (StackTraceElement frame : stack) {
      if (!isOfJdk(frame)) {
        return isOfStore(frame);
      }
    }
    return false;
  }

  /**
   * Names the call site where a thread waits, and the call that it waits in.
   *
   * @param stack the newest call first
   * @return text for a message
   */
  static String describe(StackTraceElement[] stack) {
    StackTraceElement callSite = ofUser(stack);
    if (callSite == null) {
      return "an unknown place";
    }
    int at = 0;
    while (!isOfProgram(stack[at])) {
      at++;
    }
    return at == 0 || !isOfJdk(stack[at - 1])
        ? callSite.toString()
        : callSite + ", in " + stack[at - 1].getClassName() + "." + stack[at - 1].getMethodName();
  }

  static boolean isOfProgram(StackTraceElement frame) {
    return !isOfJdk(frame) && !isOfStore(frame) && !frame.getMethodName().startsWith("pmstore$");
  }

  static boolean isOfJdk(StackTraceElement frame) {
    String name = frame.getClassName();
    return name.startsWith("java.") || name.startsWith("jdk.") || name.startsWith("sun.");
  }

  private static boolean isOfStore(StackTraceElement frame) {
    String name = frame.getClassName();
    return name.startsWith("io.pmstore.core.")
        || name.startsWith("io.pmstore.spi.")
        || name.startsWith("io.pmstore.proxy.")
        || name.startsWith("io.pmstore.gc.");
  }
}
