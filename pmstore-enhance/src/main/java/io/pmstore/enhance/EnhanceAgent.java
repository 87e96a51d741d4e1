package io.pmstore.enhance;

import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The agent that enhances classes when the JVM loads them. Start the JVM with {@code
 * -javaagent:pmstore-enhance.jar}, or call {@link #install} at the beginning of {@code main} or of
 * tests. The agent makes the same class files as {@link EnhancePlugin}.
 *
 * <p>A class that was loaded before is not enhanced: its persistent objects are of a generated
 * subclass, as without the agent. The JVM does not load a class that cannot be enhanced: the use of
 * the class throws {@link ClassFormatError}. The error and the log name the class, the member and
 * the line.
 *
 * <p>Safe for use by any number of threads.
 */
public final class EnhanceAgent {
  private static boolean isInstalled;

  private EnhanceAgent() {}

  /**
   * Installs the agent. The JVM calls this method for {@code -javaagent}.
   *
   * @param arguments not used; may be null
   * @param instrumentation the instrumentation of this JVM
   */
  public static void premain(@Nullable String arguments, Instrumentation instrumentation) {
    install(instrumentation);
  }

  /**
   * Installs the agent. The JVM calls this method if the agent is attached to a running program.
   *
   * @param arguments not used; may be null
   * @param instrumentation the instrumentation of this JVM
   */
  public static void agentmain(@Nullable String arguments, Instrumentation instrumentation) {
    install(instrumentation);
  }

  /**
   * Enhances the classes that the JVM loads from now on. This method also rewrites classes that are
   * loaded already and use fields of classes that are not. A second call does nothing.
   *
   * @param instrumentation the instrumentation of this JVM, as {@code ByteBuddyAgent.install()} of
   *     byte-buddy-agent returns it
   * @throws EnhancementException if one of the classes that are loaded already cannot be rewritten
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
