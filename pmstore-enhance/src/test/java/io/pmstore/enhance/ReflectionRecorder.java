package io.pmstore.enhance;

import java.lang.StackWalker.StackFrame;
import java.lang.instrument.Instrumentation;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.BiConsumer;
import net.bytebuddy.agent.ByteBuddyAgent;
import net.bytebuddy.agent.builder.AgentBuilder;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.matcher.ElementMatchers;

/**
 * Runs the main method of a class, and prints which classes pmstore asked for their members: each
 * on a line that begins with {@link #MARK}. What the JDK asks for on behalf of pmstore, to load a
 * service, say, does not count.
 */
public final class ReflectionRecorder {
  static final String MARK = "reflection on ";

  private static final String KEY = "pmstore.recorder";
  private static final StackWalker WALKER =
      StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

  private ReflectionRecorder() {}

  /** Takes the name of the class, and the arguments of its main method. */
  public static void main(String[] arguments) throws Exception {
    Set<String> found = new ConcurrentSkipListSet<>();
    ThreadLocal<Boolean> isBusy = ThreadLocal.withInitial(() -> false); // a walk asks for members
    BiConsumer<Class<?>, String> recorder =
        (type, method) -> {
          if (!isBusy.get() && !type.isArray() && !type.isPrimitive()) {
            isBusy.set(true);
            String caller = caller();
            if (caller.startsWith("io.pmstore.")) {
              found.add(type.getName() + " by " + method + " of " + caller);
            }
            isBusy.set(false);
          }
        };
    System.getProperties().put(KEY, recorder);
    Instrumentation instrumentation = ByteBuddyAgent.install();
    new AgentBuilder.Default()
        .disableClassFormatChanges()
        .ignore(ElementMatchers.none())
        .with(AgentBuilder.RedefinitionStrategy.RETRANSFORMATION)
        .with(AgentBuilder.Listener.StreamWriting.toSystemError().withErrorsOnly())
        .type(ElementMatchers.is(Class.class))
        .transform(
            (builder, type, loader, module, domain) ->
                builder.visit(
                    Advice.to(Members.class)
                        .on(
                            ElementMatchers.namedOneOf(
                                "getDeclaredFields",
                                "getDeclaredField",
                                "getDeclaredMethods",
                                "getDeclaredMethod",
                                "getDeclaredConstructors",
                                "getDeclaredConstructor",
                                "getFields",
                                "getField",
                                "getMethods",
                                "getMethod",
                                "getConstructors",
                                "getConstructor",
                                "getRecordComponents"))))
        .installOn(instrumentation);
    String[] rest = Arrays.copyOfRange(arguments, 1, arguments.length);
    Class.forName(arguments[0]).getMethod("main", String[].class).invoke(null, (Object) rest);
    System.getProperties().remove(KEY);
    found.forEach(line -> System.out.println(MARK + line));
  }

  /** Returns the name of the class that has called {@code Class}. */
  private static String caller() {
    return WALKER.walk(
        frames ->
            frames
                .map(StackFrame::getClassName)
                .filter(name -> !name.equals(Class.class.getName()))
                .filter(name -> !name.startsWith(ReflectionRecorder.class.getName()))
                .findFirst()
                .orElse(""));
  }

  /** Code that becomes part of {@code Class}, and can name classes of the JDK only. */
  static final class Members {
    private Members() {}

    @Advice.OnMethodEnter
    @SuppressWarnings({"unchecked", "rawtypes"})
    static void enter(@Advice.This Class<?> type, @Advice.Origin("#m") String method) {
      Object recorder = System.getProperties().get(KEY);
      if (recorder instanceof BiConsumer consumer) {
        consumer.accept(type, method);
      }
    }
  }
}
