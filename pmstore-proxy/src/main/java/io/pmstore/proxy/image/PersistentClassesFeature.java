package io.pmstore.proxy.image;

import io.pmstore.proxy.evolution.ReachableClasses;
import io.pmstore.proxy.facade.Facades;
import io.pmstore.spi.EnhancedObject;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.graalvm.nativeimage.hosted.Feature;
import org.graalvm.nativeimage.hosted.RuntimeReflection;
import org.graalvm.nativeimage.hosted.RuntimeResourceAccess;

/**
 * Registers with the builder of a native image what pmstore looks up by name: the enhanced classes
 * of the class path, the records, enums and interfaces that their properties refer to, and
 * pmstore's own subclasses of collection classes. The builder finds this class by the file {@code
 * native-image.properties} of the jar.
 */
public final class PersistentClassesFeature implements Feature {
  /** The builder makes an object. */
  public PersistentClassesFeature() {}

  @Override
  public String getDescription() {
    return "pmstore: the enhanced classes of the class path";
  }

  @Override
  public void beforeAnalysis(BeforeAnalysisAccess access) {
    List<Path> path = new ArrayList<>(access.getApplicationClassPath());
    path.addAll(access.getApplicationModulePath());
    ImageClassPath classPath = new ImageClassPath(path);
    Set<Class<?>> reached = new LinkedHashSet<>();
    for (String name : classPath.enhanced()) {
      Class<?> type = access.findClassByName(name);
      if (type == null) {
        leaveOut(name, "the class path lacks a class that it needs");
        continue;
      }
      ReachableClasses.visit(type, reached::add);
      for (Class<?> k = type; EnhancedObject.class.isAssignableFrom(k); k = k.getSuperclass()) {
        keepClassFiles(k, classPath);
      }
    }
    for (Class<?> type : reached) {
      try {
        for (Class<?> k = type; k != null && k != Object.class; k = k.getSuperclass()) {
          keepMembers(k);
        }
        keepAllocation(access, type);
      } catch (LinkageError e) {
        leaveOut(type.getName(), e.toString());
      }
    }
    for (Class<?> facade : Facades.forImage()) {
      keepMembers(facade);
      keepAllocation(access, facade);
    }
  }

  /** A class that cannot be loaded cannot be used either, unless a part of it is never needed. */
  private static void leaveOut(String className, String reason) {
    System.err.printf("pmstore: the image cannot store objects of %s: %s%n", className, reason);
  }

  private static void keepClassFiles(Class<?> type, ImageClassPath classPath) {
    for (String name : classPath.around(type.getName())) {
      RuntimeResourceAccess.addResource(type.getModule(), name.replace('.', '/') + ".class");
    }
  }

  private static void keepMembers(Class<?> type) {
    RuntimeReflection.register(type);
    RuntimeReflection.register(type.getDeclaredFields());
    RuntimeReflection.register(type.getDeclaredMethods());
    RuntimeReflection.register(type.getDeclaredConstructors());
    // Reading lists of members is registered apart from using them.
    RuntimeReflection.registerAllDeclaredFields(type);
    RuntimeReflection.registerAllDeclaredMethods(type);
    RuntimeReflection.registerAllDeclaredConstructors(type);
    RuntimeReflection.registerAllMethods(type);
    RuntimeReflection.registerAllNestMembers(type);
    if (type.isRecord()) {
      RuntimeReflection.registerAllRecordComponents(type);
    }
  }

  private static void keepAllocation(BeforeAnalysisAccess access, Class<?> type) {
    if (!Modifier.isAbstract(type.getModifiers())) {
      access.registerAsUnsafeAllocated(type);
    }
  }
}
