package io.pmstore.enhance;

import java.lang.reflect.Member;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.graalvm.nativeimage.hosted.Feature;
import org.graalvm.nativeimage.impl.ImageSingletonsSupport;

/**
 * Stands for the builder of native images: runs a feature, and notes what the feature registers. It
 * implements the interfaces of the builder, and makes no image.
 */
final class ImageBuilder extends ImageSingletonsSupport {
  private final Map<Class<?>, Object> singletons = new HashMap<>();
  private final Set<String> types = new TreeSet<>();
  private final Set<String> members = new TreeSet<>();
  private final Set<String> resources = new TreeSet<>();
  private final Set<String> allocated = new TreeSet<>();

  ImageBuilder() {
    installSupport(this);
  }

  /** Runs the step of a feature that registers elements, for an image of a class path. */
  void run(Feature feature, List<Path> classPath, ClassLoader loader) {
    Feature.BeforeAnalysisAccess access =
        fake(
            Feature.BeforeAnalysisAccess.class,
            (method, arguments) ->
                switch (method) {
                  case "getApplicationClassPath" -> classPath;
                  case "getApplicationModulePath" -> List.of();
                  case "findClassByName" -> Class.forName((String) arguments[0], false, loader);
                  case "registerAsUnsafeAllocated" ->
                      allocated.add(((Class<?>) arguments[0]).getName());
                  default -> throw new UnsupportedOperationException(method);
                });
    feature.beforeAnalysis(access);
  }

  /** Returns the names of the classes that reflection finds in the image. */
  Set<String> types() {
    return types;
  }

  /** Returns the registered members, each as {@code class.name}. */
  Set<String> members() {
    return members;
  }

  /** Returns the names of the resources of the image. */
  Set<String> resources() {
    return resources;
  }

  /** Returns the names of the classes of which objects can be made without a constructor. */
  Set<String> allocated() {
    return allocated;
  }

  @Override
  public <T> void add(Class<T> key, T value) {
    singletons.put(key, value);
  }

  @Override
  public boolean contains(Class<?> key) {
    return key.isInterface();
  }

  @Override
  public <T> T lookup(Class<T> key) {
    return key.cast(
        singletons.computeIfAbsent(
            key,
            k ->
                fake(
                    k,
                    (method, arguments) -> {
                      for (Object argument : arguments) {
                        note(method, argument);
                      }
                      return null;
                    })));
  }

  private void note(String method, Object argument) {
    if (argument instanceof Class<?> type) {
      types.add(type.getName());
    } else if (argument instanceof Class<?>[] all) {
      List.of(all).forEach(type -> types.add(type.getName()));
    } else if (argument instanceof Member[] all) {
      List.of(all).forEach(m -> members.add(m.getDeclaringClass().getName() + "." + m.getName()));
    } else if (argument instanceof String name && method.equals("addResource")) {
      resources.add(name);
    }
  }

  @FunctionalInterface
  private interface Answer {
    Object to(String method, Object[] arguments) throws Exception;
  }

  private static <T> T fake(Class<T> type, Answer answer) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) ->
                answer.to(method.getName(), arguments == null ? new Object[0] : arguments)));
  }
}
