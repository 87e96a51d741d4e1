package io.pmstore.enhance;

import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Enhances classes as they are loaded: {@code -javaagent:pmstore-enhance.jar}, or {@link #install}
 * at the beginning of {@code main} or of tests. Makes the same class files as {@link
 * EnhancePlugin}.
 *
 * <p>A class that was loaded before stays as it is: its persistent objects are of a generated
 * subclass, as without the agent. A class that cannot be enhanced is not loaded: its use throws a
 * {@link ClassFormatError}. The error and the log name the class, the member and the line.
 */
public final class EnhanceAgent {
  private static boolean isInstalled;

  private EnhanceAgent() {}

  /**
   * Called by the JVM for {@code -javaagent}.
   *
   * @param arguments not used
   * @param instrumentation of this JVM
   */
  public static void premain(@Nullable String arguments, Instrumentation instrumentation) {
    install(instrumentation);
  }

  /**
   * Called by the JVM if the agent is attached to a running program.
   *
   * @param arguments not used
   * @param instrumentation of this JVM
   */
  public static void agentmain(@Nullable String arguments, Instrumentation instrumentation) {
    install(instrumentation);
  }

  /**
   * Enhances the classes that are loaded from now on. Does nothing the second time. Classes that
   * are loaded already, and use fields of classes that are not, are changed now.
   *
   * @param instrumentation of this JVM, as {@code ByteBuddyAgent.install()} of byte-buddy-agent
   *     returns it
   */
  public static synchronized void install(Instrumentation instrumentation) {
    if (isInstalled) {
      return;
    }
    isInstalled = true;
    LoadTimeEnhancer enhancer = new LoadTimeEnhancer();
    List<Class<?>> users = new ArrayList<>();
    for (Class<?> loaded : instrumentation.getAllLoadedClasses()) {
      if (enhancer.isOfProgram(loaded) && instrumentation.isModifiableClass(loaded)) {
        enhancer.isLoadedAlready(loaded);
        users.add(loaded);
      }
    }
    // Loads what reads class files. Later the transformer would be called for these classes, too.
    boolean _ = enhancer.usesFields(EnhanceAgent.class);
    instrumentation.addTransformer(enhancer, instrumentation.isRetransformClassesSupported());
    users.removeIf(loaded -> !enhancer.usesFields(loaded));
    if (!users.isEmpty()) {
      try {
        instrumentation.retransformClasses(users.toArray(Class<?>[]::new));
      } catch (UnmodifiableClassException e) {
        throw new EnhancementException(
            "one of the classes that are loaded already cannot be changed to use enhanced ones: "
                + users
                + "; install the agent earlier, or by -javaagent");
      }
    }
  }
}
